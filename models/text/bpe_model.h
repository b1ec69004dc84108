// SPDX-License-Identifier: Apache-2.0
//
// Byte-pair encoding of one word over a byte-level vocabulary: starting from
// single bytes, the adjacent pair of lowest rank (leftmost first) is merged
// until no pair has a rank. Sennrich, Haddow and Birch 2016, section 3.2.
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
#include "models/text/vocabulary.h"

namespace millrace::text {

class BpeModel {
 public:
  // Reads the `model` object of a tokenizer.json and adds its tokens to the
  // empty `vocabulary`. Variants that would give other ids (byte fallback,
  // drop-out, affixes) are refused.
  static absl::StatusOr<BpeModel> Parse(const checkpoints::JsonFields& fields,
                                        Vocabulary* vocabulary);

  // Appends the ids of `word`, raw bytes. O(n log n). InvalidArgument when a
  // byte is no token.
  absl::Status Encode(absl::string_view word, std::vector<int32_t>* ids) const;

 private:
  struct Merge {
    uint32_t rank;
    int32_t id;  // Of the merged token.
  };

  absl::Status ReadVocabulary(const checkpoints::JsonFields& fields,
                              Vocabulary* vocabulary);
  absl::Status ReadMerges(const checkpoints::JsonFields& fields,
                          const Vocabulary& vocabulary);
  const Merge* FindMerge(int32_t left, int32_t right) const;
  void MergeAll(std::vector<int32_t>* ids) const;

  std::array<int32_t, 256> byte_ids_;            // -1: the byte is no token.
  absl::flat_hash_map<uint64_t, Merge> merges_;  // By (left id, right id).
  // With `ignore_merges` a word that is a token is that token, even when no
  // sequence of merges leads to it. By bytes; empty otherwise.
  absl::flat_hash_map<std::string, int32_t> whole_words_;
};

}  // namespace millrace::text

#endif  // MILLRACE_MODELS_TEXT_BPE_MODEL_H_
