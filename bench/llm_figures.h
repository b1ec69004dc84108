// SPDX-License-Identifier: Apache-2.0
//
// The rates of a language model, measured as the paper does (section 4.1):
// tokens/s (prefill) over the whole prompt, and tokens/s (decode) from the
// filled context on, one token at a time, each read back before the next is
// asked for. Nothing is sampled: the next token is the model's greedy choice,
// made on the device. Seconds are those of the wall clock.
#ifndef MILLRACE_BENCH_LLM_FIGURES_H_
#define MILLRACE_BENCH_LLM_FIGURES_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "bench/statistics.h"
#include "runtime/plan/plan_generated.h"
#include "runtime/session/language_session.h"
#include "runtime/session/session.h"

namespace millrace::bench {

struct LlmBenchOptions {
  int32_t prefill = 0;  // 0: ChooseSizes decides
  int32_t decode = 0;   // 0: ChooseSizes decides
  int repetitions = 3;
};

struct LlmFigures {
  int32_t prefill = 0;  // tokens
  int32_t decode = 0;
  int repetitions = 0;
  Summary prefill_tokens_per_s;
  Summary decode_tokens_per_s;
  Summary ttft_s;          // from the call with the prompt to its first token
  double cold_ttft_s = 0;  // of the very first call
  double first_use_s = 0;  // what the first calls took more than later ones:
                           // drivers that compile a kernel when it is first run
};

// How a decode step spends its time, measured apart since it slows it down.
struct DecodeProfile {
  int32_t steps = 0;
  double step_s = 0;       // wall clock, a token
  double kernels_s = 0;    // of it in kernels, by the device's clock
  int64_t dispatches = 0;  // a token
  std::string table;       // session::ProfileTable
};

// Fills in sizes that are 0 in the proportion of the paper, 1024 : 256 for a
// context of 1280, and keeps the sum within `context`; whole chunks of prompt
// where they fit. InvalidArgument when the sizes given do not fit.
absl::StatusOr<LlmBenchOptions> ChooseSizes(LlmBenchOptions options,
                                            int32_t context, int32_t chunk);

// `options` as ChooseSizes made them. The first calls of all are the warm-up,
// so this must see the model before anyone else.
absl::StatusOr<LlmFigures> MeasureLlm(session::LanguageSession& model,
                                      const LlmBenchOptions& options);

// Of a few steps from `options.prefill` on.
absl::StatusOr<DecodeProfile> ProfileDecode(session::Session& session,
                                            session::LanguageSession& model,
                                            const LlmBenchOptions& options);

// Bytes that the kernels of one decode step must read, by the plan's estimate,
// when the sequence ends at `end`. `decode` is the form that runs.
double DecodeReadBytes(const plan::schema::Plan& plan,
                       const plan::schema::Form& decode, int32_t end);

}  // namespace millrace::bench

#endif  // MILLRACE_BENCH_LLM_FIGURES_H_
