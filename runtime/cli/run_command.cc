// SPDX-License-Identifier: Apache-2.0
//
// Text goes to stdout as it comes; the device, the figures and the profile go
// to stderr.
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/atomic_file.h"
#include "base/report.h"
#include "base/status_macros.h"
#include "runtime/cli/commands.h"
#include "runtime/cli/npy.h"
#include "runtime/cli/output_directory.h"
#include "runtime/cli/run_options.h"
#include "runtime/session/trace.h"

namespace millrace::cli {
namespace {

absl::StatusOr<std::vector<int32_t>> PromptTokens(
    const RunOptions& options, const text::BpeTokenizer* tokenizer) {
  if (!options.prompt.has_value()) {
    return options.tokens;
  }
  if (tokenizer == nullptr) {
    return absl::FailedPreconditionError(
        absl::StrCat(options.directory,
                     " has no tokenizer.json: give --tokens, not --prompt"));
  }
  return tokenizer->EncodePrompt(*options.prompt);
}

// The tokenizer; null where there is none. One that is not understood is an
// error for a prompt; token ids run without it.
absl::StatusOr<std::unique_ptr<text::BpeTokenizer>> TokenizerFor(
    const RunOptions& options) {
  auto tokenizer = LoadTokenizer(options.directory);
  if (tokenizer.ok() || options.prompt.has_value()) {
    return tokenizer;
  }
  PrintMessage("millrace: note",
               absl::StrCat(tokenizer.status().message(),
                            "; so ids are printed instead of text"));
  return nullptr;
}

// Says once what the checkpoint wants and does not get.
void NoteIgnored(const text::GenerationConfig& config) {
  if (const std::string note = text::IgnoredNote(config); !note.empty()) {
    PrintMessage("millrace: note", note);
  }
}

void NoteFullContext(const text::GenerateResult& result,
                     const plan::schema::Plan& plan) {
  if (result.finish == text::FinishReason::kContext) {
    PrintMessage("millrace: note",
                 absl::StrCat("the text ends because the context of ",
                              plan.model()->context(),
                              " tokens is full; compile with a larger "
                              "--context to go on"));
  }
}

// Known without a device, so said before one is opened.
absl::Status CheckFits(const std::vector<int32_t>& tokens,
                       const plan::schema::Plan& plan) {
  const auto count = static_cast<int64_t>(tokens.size());
  if (count <= plan.model()->context()) {
    return absl::OkStatus();
  }
  return absl::OutOfRangeError(absl::StrCat(
      "the prompt has ", count, " tokens, the context holds ",
      plan.model()->context(), "; compile with a larger --context"));
}

absl::Status WriteLogits(session::LanguageSession& model,
                         const std::vector<int32_t>& tokens,
                         const std::string& path) {
  MR_ASSIGN_OR_RETURN(
      NpyWriter writer,
      NpyWriter::Create(path, static_cast<int64_t>(tokens.size()),
                        model.vocabulary()));
  MR_RETURN_IF_ERROR(model.Reset());
  MR_RETURN_IF_ERROR(model.PrefillWithLogits(
      tokens,
      [&](absl::Span<const float> logits) { return writer.Append(logits); }));
  return writer.Commit();
}

// Text as it comes, or ids where there is no tokenizer.
class Printer {
 public:
  explicit Printer(bool has_text) : has_text_(has_text) {}

  bool Print(const text::Piece& piece) {
    if (has_text_) {
      std::fwrite(piece.text.data(), 1, piece.text.size(), stdout);
    } else if (piece.token != text::Piece::kNoToken) {
      std::printf("%s%d", first_ ? "" : ",", piece.token);
      first_ = false;
    }
    std::fflush(stdout);
    return std::ferror(stdout) == 0;
  }

 private:
  bool has_text_;
  bool first_ = true;
};

double Rate(int32_t count, double seconds) {
  return seconds > 0 ? count / seconds : 0.0;
}

// "12 of 28 from the cache", or why there is none.
std::string Programs(const session::SessionStats& stats,
                     const hal::Device& device) {
  const std::string reason = device.NoCacheReason();
  return reason.empty()
             ? absl::StrFormat("%d of %d programs from the cache",
                               stats.programs_from_cache, stats.programs)
             : absl::StrFormat("%d programs, no cache: %s", stats.programs,
                               reason);
}

// What happens once is told apart from what happens with every prompt.
void PrintFigures(const text::GenerateResult& result,
                  const RunningModel& running) {
  const session::SessionStats& stats = running.session->stats();
  std::fputs(
      absl::StrFormat(
          "prefill %d tokens at %.1f tokens/s, decode %d at %.1f tokens/s, "
          "first token after %.3f s, build %.2f s (%s), warm-up %.2f s, load "
          "%.2f s, %.1f MB on the device, finish: %s\n",
          result.prompt_tokens, Rate(result.prompt_tokens, result.prefill_s),
          result.decode_steps, Rate(result.decode_steps, result.decode_s),
          result.ttft_s, stats.build_s, Programs(stats, *running.device),
          running.warm_up_s, stats.load_s,
          static_cast<double>(stats.device_bytes) * 1e-6,
          text::FinishReasonName(result.finish))
          .c_str(),
      stderr);
}

absl::Status Generate(RunningModel& running,
                      const text::BpeTokenizer* tokenizer,
                      const std::vector<int32_t>& tokens,
                      const text::GenerateOptions& options, bool print_ids) {
  text::Generator generator(running.model.get(), tokenizer);
  Printer printer(tokenizer != nullptr && !print_ids);
  MR_ASSIGN_OR_RETURN(
      const text::GenerateResult result,
      generator.GenerateTokens(tokens, options, [&](const text::Piece& piece) {
        return printer.Print(piece);
      }));
  std::printf("\n");
  std::fflush(stdout);  // That it could be written is checked at the end.
  NoteFullContext(result, **running.plan);
  PrintFigures(result, running);
  return absl::OkStatus();
}

absl::Status ReportProfile(const RunOptions& options, RunningModel& running) {
  MR_ASSIGN_OR_RETURN(const std::vector<session::ProfileEvent> events,
                      running.session->TakeProfile());
  if (options.profile) {
    std::fputs(session::ProfileTable(events).c_str(), stderr);
  }
  if (options.trace.empty()) {
    return absl::OkStatus();
  }
  return WriteFileAtomically(
      options.trace,
      session::ChromeTrace(events, running.device->info().device));
}

}  // namespace

absl::Status RunCommand(Arguments arguments) {
  MR_ASSIGN_OR_RETURN(const std::optional<RunOptions> parsed,
                      ParseRunOptions(arguments));
  if (!parsed.has_value()) {
    return absl::OkStatus();
  }
  const RunOptions& options = *parsed;
  MR_ASSIGN_OR_RETURN(plan::Plan plan, LoadPlan(options.directory));
  MR_ASSIGN_OR_RETURN(const auto tokenizer, TokenizerFor(options));
  MR_ASSIGN_OR_RETURN(const text::GenerationConfig config,
                      LoadGeneration(options.directory, *plan));
  NoteIgnored(config);
  const text::GenerateOptions generate = GenerateOptionsOf(options, config);
  if (!options.stop.empty() && tokenizer == nullptr) {
    return absl::FailedPreconditionError(
        "--stop: wanted a tokenizer, found none");
  }
  MR_RETURN_IF_ERROR(text::Sampler::Create(generate.sampling).status());
  MR_RETURN_IF_ERROR(text::CheckLogitRules(generate.rules));
  MR_ASSIGN_OR_RETURN(const std::vector<int32_t> tokens,
                      PromptTokens(options, tokenizer.get()));
  MR_RETURN_IF_ERROR(CheckFits(tokens, *plan));
  MR_ASSIGN_OR_RETURN(
      RunningModel running,
      StartModel(options.directory, std::move(plan), options.weights, tokens,
                 options.device, options.device_options));
  const bool timed = options.profile || !options.trace.empty();
  if (timed) {
    MR_RETURN_IF_ERROR(running.session->SetProfiling(true));
  }
  if (!options.logits.empty()) {
    MR_RETURN_IF_ERROR(WriteLogits(*running.model, tokens, options.logits));
  } else {
    MR_RETURN_IF_ERROR(Generate(running, tokenizer.get(), tokens, generate,
                                options.print_ids));
  }
  return timed ? ReportProfile(options, running) : absl::OkStatus();
}

}  // namespace millrace::cli
