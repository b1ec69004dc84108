// SPDX-License-Identifier: Apache-2.0
//
// Generates text: prompt -> tokens -> model -> sampler -> streamed text, until
// a stop rule holds. Times each part, for people and for the benchmarks.
#ifndef MILLRACE_MODELS_TEXT_GENERATOR_H_
#define MILLRACE_MODELS_TEXT_GENERATOR_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "models/text/bpe_tokenizer.h"
#include "models/text/language_model.h"
#include "models/text/logit_rules.h"
#include "models/text/sampler.h"

namespace millrace::text {

struct GenerateOptions {
  int32_t max_new_tokens = 256;
  // Of prompt and new tokens together, where nobody set max_new_tokens.
  std::optional<int32_t> max_length;
  SamplingOptions sampling;
  LogitRules rules;               // `eos` of these is filled in from below.
  std::vector<int32_t> eos;       // Any of them ends the text, unshown.
  std::vector<std::string> stop;  // So does any of these strings.
  bool add_special = true;   // BOS before the prompt, as EncodePrompt does it.
  bool skip_special = true;  // Special tokens are not shown.
};

// One step's output. `text` holds whole characters only, and may be empty.
struct Piece {
  static constexpr int32_t kNoToken = -1;
  int32_t token;  // kNoToken for text that came out at the end.
  absl::string_view text;
};

// Called for each piece as soon as it is there; false ends the generation.
using PieceCallback = std::function<bool(const Piece&)>;

enum class FinishReason {
  kEos,        // The model ended its text.
  kStop,       // A stop string.
  kLength,     // max_new_tokens.
  kContext,    // The context is full.
  kCancelled,  // The callback said so.
};

// "eos", "stop", "length", "context", "cancelled".
absl::string_view FinishReasonName(FinishReason reason);

struct GenerateResult {
  std::string text;
  std::vector<int32_t> tokens;  // New ones, without the final eos.
  int32_t prompt_tokens = 0;
  FinishReason finish = FinishReason::kLength;
  // Seconds. Time to first token counts from the call, tokenizing included.
  double ttft_s = 0.0;
  double prefill_s = 0.0;  // The prompt_tokens tokens of the prompt.
  double decode_s = 0.0;   // The decode_steps steps after it, with sampling.
  int32_t decode_steps = 0;
};

class Generator {
 public:
  // Both outlive the generator. `tokenizer` may be null: then only
  // GenerateTokens works, and pieces have no text.
  Generator(LanguageModel* model, const BpeTokenizer* tokenizer)
      : model_(model), tokenizer_(tokenizer) {}

  // Each call starts from an empty sequence. Checked before any work: the
  // prompt is UTF-8, has 1 to context() tokens, all of them in the vocabulary.
  absl::StatusOr<GenerateResult> Generate(absl::string_view prompt,
                                          const GenerateOptions& options,
                                          const PieceCallback& callback = {});

  // As above, from token ids; nothing is added to them.
  absl::StatusOr<GenerateResult> GenerateTokens(
      absl::Span<const int32_t> prompt, const GenerateOptions& options,
      const PieceCallback& callback = {});

 private:
  LanguageModel* model_;
  const BpeTokenizer* tokenizer_;
};

}  // namespace millrace::text

#endif  // MILLRACE_MODELS_TEXT_GENERATOR_H_
