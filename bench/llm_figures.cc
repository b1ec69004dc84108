// SPDX-License-Identifier: Apache-2.0
#include "bench/llm_figures.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "base/status_macros.h"
#include "runtime/plan/text.h"
#include "runtime/session/profile.h"

namespace millrace::bench {
namespace {

constexpr int32_t kMostPrefill = 1024;
constexpr int32_t kMostDecode = 256;
constexpr int32_t kWarmUpSteps = 3;
constexpr int32_t kProfiledSteps = 16;

double SecondsSince(absl::Time start) {
  return absl::ToDoubleSeconds(absl::Now() - start);
}

// A prompt without a pattern: rates depend on its length only.
std::vector<int32_t> Prompt(int32_t count, int32_t vocabulary) {
  std::vector<int32_t> tokens(static_cast<size_t>(count));
  uint64_t state = 1;
  for (int32_t& token : tokens) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    token =
        static_cast<int32_t>((state >> 33) % static_cast<uint64_t>(vocabulary));
  }
  return tokens;
}

// Seconds of the prompt and of each step after it.
struct Times {
  double prefill = 0.0;
  double decode = 0.0;
};

absl::StatusOr<Times> RunOnce(session::LanguageSession& model,
                              const std::vector<int32_t>& prompt,
                              int32_t steps) {
  Times times;
  MR_RETURN_IF_ERROR(model.Reset());
  absl::Time start = absl::Now();
  MR_ASSIGN_OR_RETURN(text::Step step, model.Prefill(prompt));
  times.prefill = SecondsSince(start);
  start = absl::Now();
  for (int32_t i = 0; i < steps; ++i) {
    MR_ASSIGN_OR_RETURN(step, model.Decode(step.token));
  }
  times.decode = SecondsSince(start);
  return times;
}

double Rate(int32_t count, double seconds) {
  return seconds > 0 ? count / seconds : 0.0;
}

}  // namespace

absl::StatusOr<LlmBenchOptions> ChooseSizes(LlmBenchOptions options,
                                            int32_t context, int32_t chunk) {
  if (options.decode == 0) {
    options.decode =
        options.prefill == 0 ? context / 5 : context - options.prefill;
    options.decode = std::clamp(options.decode, 1, kMostDecode);
  }
  if (options.prefill == 0) {
    const int32_t room = std::min(kMostPrefill, context - options.decode);
    options.prefill = room > chunk ? room / chunk * chunk : room;
  }
  if (options.prefill < 1 || options.decode < 1 ||
      int64_t{options.prefill} + options.decode > context) {
    return absl::InvalidArgumentError(absl::StrCat(
        "wanted a prompt and an answer within the context of ", context,
        " tokens, found ", options.prefill, " and ", options.decode));
  }
  return options;
}

absl::StatusOr<LlmFigures> MeasureLlm(session::LanguageSession& model,
                                      const LlmBenchOptions& options) {
  const std::vector<int32_t> prompt =
      Prompt(options.prefill, model.vocabulary());
  const int32_t warm_up = std::min(kWarmUpSteps, options.decode);
  MR_ASSIGN_OR_RETURN(const Times cold, RunOnce(model, prompt, warm_up));
  std::vector<double> prefill, decode, ttft;
  for (int i = 0; i < options.repetitions; ++i) {
    MR_ASSIGN_OR_RETURN(const Times times,
                        RunOnce(model, prompt, options.decode));
    prefill.push_back(Rate(options.prefill, times.prefill));
    decode.push_back(Rate(options.decode, times.decode));
    ttft.push_back(times.prefill);
  }
  LlmFigures figures;
  figures.prefill = options.prefill;
  figures.decode = options.decode;
  figures.repetitions = options.repetitions;
  figures.prefill_tokens_per_s = Summarize(prefill);
  figures.decode_tokens_per_s = Summarize(decode);
  figures.ttft_s = Summarize(ttft);
  figures.cold_ttft_s = cold.prefill;
  const double warm_steps_s =
      warm_up / std::max(1e-9, figures.decode_tokens_per_s.mean);
  figures.first_use_s = std::max(0.0, cold.prefill - figures.ttft_s.mean) +
                        std::max(0.0, cold.decode - warm_steps_s);
  return figures;
}

absl::StatusOr<DecodeProfile> ProfileDecode(session::Session& session,
                                            session::LanguageSession& model,
                                            const LlmBenchOptions& options) {
  DecodeProfile profile;
  profile.steps = std::min(kProfiledSteps, options.decode);
  MR_RETURN_IF_ERROR(RunOnce(model, Prompt(options.prefill, model.vocabulary()),
                             /*steps=*/0)
                         .status());
  MR_RETURN_IF_ERROR(session.SetProfiling(true));
  const absl::Time start = absl::Now();
  text::Step step = {0};
  for (int32_t i = 0; i < profile.steps; ++i) {
    MR_ASSIGN_OR_RETURN(step, model.Decode(step.token));
  }
  profile.step_s = SecondsSince(start) / profile.steps;
  MR_ASSIGN_OR_RETURN(const std::vector<session::ProfileEvent> events,
                      session.TakeProfile());
  MR_RETURN_IF_ERROR(session.SetProfiling(false));
  for (const session::ProfileEvent& event : events) {
    profile.kernels_s += static_cast<double>(event.end_ns - event.start_ns) *
                         1e-9 / profile.steps;
  }
  profile.dispatches = static_cast<int64_t>(events.size()) / profile.steps;
  profile.table = session::ProfileTable(events);
  return profile;
}

double DecodeReadBytes(const plan::schema::Plan& plan,
                       const plan::schema::Form& decode, int32_t end) {
  double bytes = 0.0;
  for (const plan::schema::Dispatch* dispatch : *decode.dispatches()) {
    double share = 1.0;
    if (dispatch->cost_param() >= 0) {
      const auto* name =
          plan.parameters()->Get(static_cast<uint32_t>(dispatch->cost_param()));
      const double value = plan::Text(name) == "end"        ? end
                           : plan::Text(name) == "position" ? end - 1
                                                            : 1.0;
      share = std::min(1.0, value / static_cast<double>(dispatch->cost_full()));
    }
    bytes += share * static_cast<double>(dispatch->read_bytes());
  }
  return bytes;
}

}  // namespace millrace::bench
