// SPDX-License-Identifier: Apache-2.0
//
// A checkpoint's tokenizer: tokenizer.json, and what the tokenizer_config.json
// beside it says about special tokens around a text.
#ifndef MILLRACE_MODELS_TEXT_TOKENIZER_CONFIG_H_
#define MILLRACE_MODELS_TEXT_TOKENIZER_CONFIG_H_

#include <memory>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "models/text/bpe_tokenizer.h"

namespace millrace::text {

struct TokenizerConfig {
  // Whether BOS stands before, EOS after a text; absent: as the post-processor
  // of tokenizer.json has it. Classes of the Llama and Gemma kind replace the
  // post-processor by these two, and take true and false where the file is
  // silent; the others only add what it lacks.
  std::optional<bool> add_bos;
  std::optional<bool> add_eos;
  std::string bos;  // as they are spelt; empty: none
  std::string eos;
};

// Parses the text of a file; errors start with `where`.
absl::StatusOr<TokenizerConfig> ParseTokenizerConfig(absl::string_view text,
                                                     absl::string_view where);

// The tokenizer of a directory. tokenizer_config.json may be absent. NotFound
// without tokenizer.json.
absl::StatusOr<std::unique_ptr<BpeTokenizer>> LoadTokenizer(
    const std::string& directory);

}  // namespace millrace::text

#endif  // MILLRACE_MODELS_TEXT_TOKENIZER_CONFIG_H_
