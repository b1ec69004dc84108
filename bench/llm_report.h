// SPDX-License-Identifier: Apache-2.0
//
// A compiled model, opened on a device, measured and reported: what quickstart,
// llm and run_llm share.
#ifndef MILLRACE_BENCH_LLM_REPORT_H_
#define MILLRACE_BENCH_LLM_REPORT_H_

#include <memory>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "bench/device_peak.h"
#include "bench/llm_figures.h"
#include "bench/record.h"
#include "runtime/hal/device.h"
#include "runtime/plan/reader.h"
#include "runtime/session/language_session.h"
#include "runtime/session/session.h"

namespace millrace::bench {

// Members in the order in which they depend on each other.
struct BenchModel {
  std::unique_ptr<plan::Plan> plan;
  std::unique_ptr<hal::Device> device;
  std::unique_ptr<session::Session> session;
  std::unique_ptr<session::LanguageSession> model;
};

// Opens the plan in `directory` on `device`. `weights` is what OpenBenchWeights
// takes; empty: the directory's own weights file.
absl::StatusOr<BenchModel> OpenBenchModel(const std::string& directory,
                                          const std::string& weights,
                                          std::unique_ptr<hal::Device> device);

// Everything known after a measurement. What was not measured is absent.
struct LlmReport {
  LlmFigures figures;
  std::optional<DecodeProfile> profile;
  std::optional<DevicePeak> peak;
  std::optional<double> compile_s;  // if this run compiled the plan
  std::optional<double> pack_s;
  int64_t peak_device_bytes = 0;
  std::optional<std::string> text;
};

// Measures `model` (which nobody has used yet) and its decode steps; with
// `measure_peak` also the device's own read bandwidth, afterwards.
absl::StatusOr<LlmReport> MeasureReport(BenchModel& model,
                                        const LlmBenchOptions& options,
                                        bool measure_peak);

// For machines: names and order are documented in README.md.
Record RecordOf(const BenchModel& model, const LlmReport& report);

// For people.
Lines SummaryLines(const BenchModel& model, const LlmReport& report);

// In the form asked for.
std::string Format(const BenchModel& model, const LlmReport& report,
                   OutputForm form);

}  // namespace millrace::bench

#endif  // MILLRACE_BENCH_LLM_REPORT_H_
