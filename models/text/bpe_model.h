// SPDX-License-Identifier: Apache-2.0
//
// Byte-pair encoding of one word: starting from single symbols, the adjacent
// pair of lowest rank (leftmost first) is merged until no pair has a rank.
// Sennrich, Haddow and Birch 2016, section 3.2.
//
// Symbols are bytes in a byte-level vocabulary (GPT-2, Llama 3), characters in
// the other kind (Llama 2, Gemma), where a character that is no token is spelt
// in bytes ("<0xE2>"), or else becomes the unknown token.
#ifndef MILLRACE_MODELS_TEXT_BPE_MODEL_H_
#define MILLRACE_MODELS_TEXT_BPE_MODEL_H_

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "models/checkpoints/json_fields.h"
#include "models/text/token_decoder.h"
#include "models/text/vocabulary.h"

namespace millrace::text {

class BpeModel {
 public:
  // Reads the `model` object of a tokenizer.json and adds its tokens to the
  // empty `vocabulary`, with their bytes as `decoder` has it. Variants that
  // would give other ids (drop-out, affixes) are refused.
  static absl::StatusOr<BpeModel> Parse(const checkpoints::JsonFields& fields,
                                        const TokenDecoder& decoder,
                                        Vocabulary* vocabulary);

  // Appends the ids of `word`, UTF-8. O(n log n). InvalidArgument when a byte
  // of a byte-level vocabulary is no token; a character that nothing stands for
  // is left out.
  absl::Status Encode(absl::string_view word, std::vector<int32_t>* ids) const;

 private:
  struct Merge {
    uint32_t rank;
    int32_t id;  // Of the merged token.
  };

  absl::Status ReadVocabulary(const checkpoints::JsonFields& fields,
                              const TokenDecoder& decoder,
                              Vocabulary* vocabulary);
  void AddSymbol(const std::string& spelling, int32_t id);
  absl::Status ReadFallbacks(const checkpoints::JsonFields& fields,
                             const Vocabulary& vocabulary);
  absl::Status BytesToSymbols(absl::string_view word,
                              std::vector<int32_t>* symbols) const;
  void CharactersToSymbols(absl::string_view word,
                           std::vector<int32_t>* symbols) const;
  bool SpellInBytes(absl::string_view character,
                    std::vector<int32_t>* symbols) const;
  absl::Status ReadMerges(const checkpoints::JsonFields& fields,
                          const Vocabulary& vocabulary);
  const Merge* FindMerge(int32_t left, int32_t right) const;
  void MergeAll(std::vector<int32_t>* ids) const;

  bool byte_level_ = true;
  // Of a byte-level vocabulary, or of "<0x00>" to "<0xFF>"; -1: no token.
  std::array<int32_t, 256> byte_ids_;
  absl::flat_hash_map<std::string, int32_t> characters_;
  bool byte_fallback_ = false;
  int32_t unknown_ = -1;  // -1: there is none
  bool fuse_unknown_ = false;
  absl::flat_hash_map<uint64_t, Merge> merges_;  // By (left id, right id).
  // With `ignore_merges` a word that is a token is that token, even when no
  // sequence of merges leads to it. By bytes; empty otherwise.
  absl::flat_hash_map<std::string, int32_t> whole_words_;
};

}  // namespace millrace::text

#endif  // MILLRACE_MODELS_TEXT_BPE_MODEL_H_
