// SPDX-License-Identifier: Apache-2.0
#include "models/text/generator.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/status_macros.h"
#include "models/text/stop_strings.h"
#include "models/text/stream_decoder.h"

namespace millrace::text {
namespace {

using Clock = std::chrono::steady_clock;

double Seconds(Clock::duration duration) {
  return std::chrono::duration<double>(duration).count();
}

absl::Status CheckPrompt(absl::Span<const int32_t> prompt,
                         const LanguageModel& model) {
  if (prompt.empty()) {
    return absl::InvalidArgumentError(
        "prompt: wanted at least one token, found none");
  }
  if (prompt.size() > static_cast<size_t>(model.context())) {
    return absl::OutOfRangeError(absl::StrFormat(
        "prompt: wanted at most %d tokens, the model's context, found %u",
        model.context(), prompt.size()));
  }
  for (size_t i = 0; i < prompt.size(); ++i) {
    if (prompt[i] < 0 || prompt[i] >= model.vocabulary()) {
      return absl::OutOfRangeError(
          absl::StrFormat("prompt: token %u: wanted an id in [0, %d), found %d",
                          i, model.vocabulary(), prompt[i]));
    }
  }
  return absl::OkStatus();
}

// One generation: what is known between two steps.
class Run {
 public:
  Run(LanguageModel* model, const BpeTokenizer* tokenizer,
      GenerateOptions options, const PieceCallback& callback, Sampler sampler)
      : model_(model),
        tokenizer_(tokenizer),
        options_(std::move(options)),
        callback_(callback),
        sampler_(std::move(sampler)),
        stops_(options_.stop) {
    options_.rules.eos = options_.eos;
  }

  absl::StatusOr<GenerateResult> Execute(absl::Span<const int32_t> prompt,
                                         Clock::time_point start) {
    result_.prompt_tokens = static_cast<int32_t>(prompt.size());
    sequence_.assign(prompt.begin(), prompt.end());
    MR_RETURN_IF_ERROR(model_->Reset());
    const Clock::time_point prefill = Clock::now();
    MR_ASSIGN_OR_RETURN(Step step, model_->Prefill(prompt));
    result_.prefill_s = Seconds(Clock::now() - prefill);
    MR_ASSIGN_OR_RETURN(int32_t token, Choose(step));
    result_.ttft_s = Seconds(Clock::now() - start);
    while (!Accept(token)) {
      const Clock::time_point decode = Clock::now();
      MR_ASSIGN_OR_RETURN(step, model_->Decode(token));
      MR_ASSIGN_OR_RETURN(token, Choose(step));
      result_.decode_s += Seconds(Clock::now() - decode);
      ++result_.decode_steps;
    }
    Flush();
    return std::move(result_);
  }

 private:
  absl::StatusOr<int32_t> Choose(const Step& step) {
    int32_t token = step.token;
    if (options_.rules.Any()) {
      MR_ASSIGN_OR_RETURN(absl::Span<const float> logits, model_->Logits());
      logits_.assign(logits.begin(), logits.end());
      ApplyLogitRules(options_.rules, sequence_,
                      static_cast<size_t>(result_.prompt_tokens),
                      absl::MakeSpan(logits_));
      MR_ASSIGN_OR_RETURN(token, sampler_.Sample(logits_));
    } else if (!options_.sampling.IsGreedy()) {
      MR_ASSIGN_OR_RETURN(absl::Span<const float> logits, model_->Logits());
      MR_ASSIGN_OR_RETURN(token, sampler_.Sample(logits));
    }
    if (token < 0 || token >= model_->vocabulary()) {
      return absl::InternalError(
          absl::StrFormat("model: wanted a token id in [0, %d), found %d",
                          model_->vocabulary(), token));
    }
    return token;
  }

  // Takes the chosen token in; true when it was the last.
  bool Accept(int32_t token) {
    if (std::find(options_.eos.begin(), options_.eos.end(), token) !=
        options_.eos.end()) {
      return Finish(FinishReason::kEos);
    }
    result_.tokens.push_back(token);
    sequence_.push_back(token);
    if (!Show(token)) {
      return true;
    }
    const size_t made = result_.tokens.size();
    if (made >= static_cast<size_t>(options_.max_new_tokens)) {
      return Finish(FinishReason::kLength);
    }
    // The next step would put this token at position prompt + made - 1.
    if (static_cast<size_t>(result_.prompt_tokens) + made >
        static_cast<size_t>(model_->context())) {
      return Finish(FinishReason::kContext);
    }
    return false;
  }

  // False when a stop string or the callback ended the text.
  bool Show(int32_t token) {
    std::string decoded;
    if (tokenizer_ != nullptr &&
        !(options_.skip_special && tokenizer_->IsSpecial(token))) {
      decoder_.Push(tokenizer_->TokenBytes(token), &decoded);
    }
    std::string shown;
    const bool stopped = stops_.Push(decoded, &shown);
    const bool goes_on = Emit(token, shown);
    if (stopped) {
      stopped_ = true;
      Finish(FinishReason::kStop);
    } else if (!goes_on) {
      Finish(FinishReason::kCancelled);
    }
    return goes_on && !stopped;
  }

  // Shows what the decoder and the stop strings still hold back.
  void Flush() {
    if (stopped_ || result_.finish == FinishReason::kCancelled) {
      return;
    }
    std::string decoded;
    decoder_.Finish(&decoded);
    std::string shown;
    if (stops_.Push(decoded, &shown)) {
      result_.finish = FinishReason::kStop;
    } else {
      stops_.Finish(&shown);
    }
    if (!shown.empty()) {
      Emit(Piece::kNoToken, shown);
    }
  }

  bool Emit(int32_t token, const std::string& shown) {
    absl::StrAppend(&result_.text, shown);
    return !callback_ || callback_(Piece{token, shown});
  }

  bool Finish(FinishReason reason) {
    result_.finish = reason;
    return true;
  }

  LanguageModel* model_;
  const BpeTokenizer* tokenizer_;
  GenerateOptions options_;
  const PieceCallback& callback_;
  Sampler sampler_;
  StopStrings stops_;
  StreamDecoder decoder_;
  bool stopped_ = false;
  std::vector<int32_t> sequence_;  // the prompt and the new tokens
  std::vector<float> logits_;      // after the rules
  GenerateResult result_;
};

// The most new tokens, by whichever of the two limits counts.
absl::StatusOr<int32_t> MaxNewTokens(const GenerateOptions& options,
                                     size_t prompt) {
  if (!options.max_length.has_value()) {
    return options.max_new_tokens;
  }
  const int64_t left = *options.max_length - static_cast<int64_t>(prompt);
  if (left < 1) {
    return absl::OutOfRangeError(absl::StrFormat(
        "prompt: wanted fewer tokens than max_length %d, found %u; say how "
        "many new tokens there may be",
        *options.max_length, prompt));
  }
  return static_cast<int32_t>(left);
}

absl::StatusOr<GenerateResult> GenerateFrom(LanguageModel* model,
                                            const BpeTokenizer* tokenizer,
                                            absl::Span<const int32_t> prompt,
                                            const GenerateOptions& options,
                                            const PieceCallback& callback,
                                            Clock::time_point start) {
  MR_RETURN_IF_ERROR(CheckPrompt(prompt, *model));
  MR_RETURN_IF_ERROR(CheckLogitRules(options.rules));
  GenerateOptions limited = options;
  MR_ASSIGN_OR_RETURN(limited.max_new_tokens,
                      MaxNewTokens(options, prompt.size()));
  if (limited.max_new_tokens < 1) {
    return absl::InvalidArgumentError(absl::StrCat(
        "max_new_tokens: wanted 1 or more, found ", limited.max_new_tokens));
  }
  MR_ASSIGN_OR_RETURN(Sampler sampler, Sampler::Create(options.sampling));
  return Run(model, tokenizer, std::move(limited), callback, std::move(sampler))
      .Execute(prompt, start);
}

}  // namespace

absl::string_view FinishReasonName(FinishReason reason) {
  switch (reason) {
    case FinishReason::kEos:
      return "eos";
    case FinishReason::kStop:
      return "stop";
    case FinishReason::kLength:
      return "length";
    case FinishReason::kContext:
      return "context";
    case FinishReason::kCancelled:
      return "cancelled";
  }
  return "";
}

absl::StatusOr<GenerateResult> Generator::Generate(
    absl::string_view prompt, const GenerateOptions& options,
    const PieceCallback& callback) {
  const Clock::time_point start = Clock::now();
  if (tokenizer_ == nullptr) {
    return absl::FailedPreconditionError(
        "prompt: wanted a tokenizer, found none; give token ids instead");
  }
  MR_ASSIGN_OR_RETURN(std::vector<int32_t> ids,
                      options.add_special ? tokenizer_->EncodePrompt(prompt)
                                          : tokenizer_->Encode(prompt, false));
  return GenerateFrom(model_, tokenizer_, ids, options, callback, start);
}

absl::StatusOr<GenerateResult> Generator::GenerateTokens(
    absl::Span<const int32_t> prompt, const GenerateOptions& options,
    const PieceCallback& callback) {
  return GenerateFrom(model_, tokenizer_, prompt, options, callback,
                      Clock::now());
}

}  // namespace millrace::text
