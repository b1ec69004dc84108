// SPDX-License-Identifier: Apache-2.0
//
// A BPE tokenizer from a Hugging Face tokenizer.json: byte-level as GPT-2,
// Llama 3, Qwen 2 and SmolLM have it, or over characters as Llama 2 and Gemma.
// It gives the ids that their `tokenizers` library gives, or refuses the file:
// a step it does not know is an error, never left out.
#ifndef MILLRACE_MODELS_TEXT_BPE_TOKENIZER_H_
#define MILLRACE_MODELS_TEXT_BPE_TOKENIZER_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "models/checkpoints/json_fields.h"
#include "models/text/added_tokens.h"
#include "models/text/bpe_model.h"
#include "models/text/normalizer.h"
#include "models/text/post_processor.h"
#include "models/text/pre_tokenizer.h"
#include "models/text/token_decoder.h"
#include "models/text/vocabulary.h"

namespace millrace::text {

class BpeTokenizer {
 public:
  static absl::StatusOr<std::unique_ptr<BpeTokenizer>> Load(
      const std::string& path);

  // As Load, from the text of a file; errors start with `where`.
  static absl::StatusOr<std::unique_ptr<BpeTokenizer>> Parse(
      absl::string_view json, absl::string_view where);

  // The ids of `text`. Added tokens in it (<|eot_id|>) are recognised.
  // `add_special` puts those of the post-processor (BOS) around it.
  // InvalidArgument, with the position, for a text that is not UTF-8.
  absl::StatusOr<std::vector<int32_t>> Encode(absl::string_view text,
                                              bool add_special) const;

  // As Encode with special tokens, except that a text which spells those before
  // it (<|begin_of_text|>) does not get them twice.
  absl::StatusOr<std::vector<int32_t>> EncodePrompt(
      absl::string_view text) const;

  // The text of `ids`; bytes that are no character become U+FFFD. Ids that are
  // no token give nothing, special tokens only when asked for.
  std::string Decode(absl::Span<const int32_t> ids,
                     bool skip_special = true) const;

  // The bytes of a token, perhaps a part of a character; empty for no token.
  absl::string_view TokenBytes(int32_t id) const {
    return vocabulary_.Bytes(id);
  }

  // What Encode puts around a text.
  const SpecialTokens& special_tokens() const { return special_; }
  void set_special_tokens(SpecialTokens special) {
    special_ = std::move(special);
  }

  // The id of a token as it is spelt in the file.
  std::optional<int32_t> TokenId(absl::string_view spelling) const {
    return vocabulary_.Find(spelling);
  }

  bool IsSpecial(int32_t id) const { return added_.IsSpecial(id); }

  // One more than the largest id; a model may have room for more.
  int32_t vocabulary_size() const { return vocabulary_.size(); }

 private:
  BpeTokenizer() = default;

  static absl::StatusOr<std::unique_ptr<BpeTokenizer>> FromJson(
      const checkpoints::Json& json, absl::string_view where);

  // What lies between added tokens, and between those of its normal form.
  // `at_start`: nothing of the whole text is before it.
  absl::Status EncodeWritten(absl::string_view text, bool at_start,
                             std::vector<int32_t>* ids) const;
  absl::Status EncodePlain(absl::string_view text, bool at_start,
                           std::vector<int32_t>* ids) const;

  Vocabulary vocabulary_;
  BpeModel model_;
  AddedTokens added_;
  Normalizer normalizer_;
  PreTokenizer pre_tokenizer_;
  TokenDecoder decoder_;
  SpecialTokens special_;
};

}  // namespace millrace::text

#endif  // MILLRACE_MODELS_TEXT_BPE_TOKENIZER_H_
