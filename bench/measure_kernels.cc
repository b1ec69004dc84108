// SPDX-License-Identifier: Apache-2.0
#include "bench/measure_kernels.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "base/status_macros.h"
#include "bench/kernel_cases.h"
#include "bench/pattern_weights.h"
#include "bench/statistics.h"
#include "models/checkpoints/convert.h"
#include "models/checkpoints/random_weights.h"
#include "runtime/plan/reader.h"
#include "runtime/plan/text.h"
#include "runtime/session/session.h"

namespace millrace::bench {
namespace {

using plan::Text;
using plan::schema::ScalarType;

constexpr uint64_t kSeed = 1;
constexpr int kWarmUps = 2;

// Values near 1; ids of tokens stay 0.
absl::Status SetInputs(session::Session& session) {
  const auto& inputs = *session.plan().entry_points()->Get(0)->inputs();
  for (uint32_t i = 0; i < inputs.size(); ++i) {
    const plan::schema::Port& port = *inputs.Get(i);
    if (port.scalar() == ScalarType::I32) {
      continue;
    }
    int64_t count = 1;
    for (int64_t extent : *port.shape()) {
      count *= extent;
    }
    std::vector<float> values(static_cast<size_t>(count));
    const int64_t shape[] = {count, 1};
    checkpoints::RandomTensor(kSeed, absl::StrCat("input.", i), shape)
        .Fill(0, absl::MakeSpan(values));
    const size_t element = port.scalar() == ScalarType::F16 ? 2 : 4;
    std::vector<uint8_t> bytes(values.size() * element);
    for (size_t k = 0; k < values.size(); ++k) {
      const uint16_t half = checkpoints::FloatToHalf(values[k]);
      const void* from = element == 2 ? static_cast<const void*>(&half)
                                      : static_cast<const void*>(&values[k]);
      std::memcpy(&bytes[k * element], from, element);
    }
    MR_RETURN_IF_ERROR(session.SetInput(0, static_cast<int>(i), bytes));
  }
  return absl::OkStatus();
}

// The words for the last chunk that the context has room for.
std::vector<int32_t> LastChunk(const plan::schema::Plan& plan) {
  const auto chunk = static_cast<int32_t>(plan.model()->prefill_chunk());
  const auto context = static_cast<int32_t>(plan.model()->context());
  std::vector<int32_t> words;
  for (const auto* name : *plan.parameters()) {
    words.push_back(Text(name) == "position" ? context - chunk
                    : Text(name) == "active" ? chunk
                    : Text(name) == "end"    ? context
                    : Text(name) == "row"    ? chunk - 1
                                             : 0);
  }
  return words;
}

absl::StatusOr<std::vector<session::ProfileEvent>> Times(
    session::Session& session, int repetitions) {
  MR_RETURN_IF_ERROR(SetInputs(session));
  const std::vector<int32_t> words = LastChunk(session.plan());
  for (int i = 0; i < kWarmUps; ++i) {
    MR_RETURN_IF_ERROR(session.Run(0, words));
    MR_RETURN_IF_ERROR(session.Finish());
  }
  MR_RETURN_IF_ERROR(session.SetProfiling(true));
  for (int i = 0; i < repetitions; ++i) {
    MR_RETURN_IF_ERROR(session.Run(0, words));
    MR_RETURN_IF_ERROR(session.Finish());
  }
  MR_ASSIGN_OR_RETURN(auto events, session.TakeProfile());
  MR_RETURN_IF_ERROR(session.SetProfiling(false));
  return events;
}

// What the events of one kernel say.
struct KernelEvents {
  std::vector<double> times;  // ms
  std::set<std::string> labels;
  double bytes = 0.0;
  double flops = 0.0;
};

// Median time of one timed op; of one that became several dispatches, the sum
// of their medians.
absl::Status Summarize(const std::vector<session::ProfileEvent>& events,
                       KernelTiming& timing) {
  std::map<std::string, KernelEvents> kernels;
  for (const session::ProfileEvent& event : events) {
    if (!absl::StartsWith(event.label, kTimedLabel)) {
      continue;
    }
    KernelEvents& kernel = kernels[event.kernel];
    kernel.times.push_back(static_cast<double>(event.end_ns - event.start_ns) *
                           1e-6);
    kernel.labels.insert(event.label);
    kernel.bytes = event.bytes;
    kernel.flops = event.flops;
  }
  if (kernels.empty()) {
    return absl::InternalError(absl::StrCat(timing.op, " ", timing.shape,
                                            ": wanted a kernel, found none"));
  }
  for (auto& [name, kernel] : kernels) {
    absl::StrAppend(&timing.kernel, timing.kernel.empty() ? "" : " + ", name);
    timing.copies = static_cast<int>(kernel.labels.size());
    timing.bytes += kernel.bytes;
    timing.flops += kernel.flops;
    timing.ms += Median(std::move(kernel.times));
  }
  return absl::OkStatus();
}

std::vector<std::string> PlansIn(const std::string& directory) {
  std::vector<std::string> paths;
  std::error_code error;
  for (const auto& entry :
       std::filesystem::directory_iterator(directory, error)) {
    if (absl::EndsWith(entry.path().string(), kKernelPlanSuffix)) {
      paths.push_back(entry.path().string());
    }
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

double Share(double part, double whole) {
  return whole > 0 ? part / whole : 0.0;
}

}  // namespace

absl::StatusOr<KernelTiming> MeasureKernelPlan(hal::Device& device,
                                               const plan::schema::Plan& plan,
                                               int repetitions) {
  KernelTiming timing;
  const std::pair<std::string, std::string> about = absl::StrSplit(
      Text(plan.provenance()->options()), absl::MaxSplits("; ", 1));
  timing.op = std::string(Text(plan.model()->name()));
  timing.shape = about.first;
  timing.used_in = about.second;
  timing.storage = std::string(Text(plan.provenance()->quantization()));
  if (plan.entry_points()->size() != 1) {
    return absl::InvalidArgumentError("not the plan of a kernel case");
  }
  const auto weights = PatternWeights(plan, kSeed);
  session::SessionOptions options;
  options.show_progress = false;
  MR_ASSIGN_OR_RETURN(const auto session,
                      session::Session::Open(device, plan, *weights, options));
  MR_ASSIGN_OR_RETURN(const auto events, Times(*session, repetitions));
  MR_RETURN_IF_ERROR(Summarize(events, timing));
  return timing;
}

absl::StatusOr<std::vector<KernelTiming>> MeasureKernels(
    hal::Device& device, const std::string& directory, int repetitions) {
  const std::vector<std::string> paths = PlansIn(directory);
  if (paths.empty()) {
    return absl::NotFoundError(
        absl::StrCat(directory, ": no files *", kKernelPlanSuffix));
  }
  std::vector<KernelTiming> timings;
  for (const std::string& path : paths) {
    MR_ASSIGN_OR_RETURN(const plan::Plan plan, plan::Plan::Load(path));
    absl::StatusOr<KernelTiming> timing =
        MeasureKernelPlan(device, *plan, repetitions);
    if (timing.ok()) {
      std::fprintf(stderr, "%s %s %s: %.3f ms\n", timing->op.c_str(),
                   timing->shape.c_str(), timing->storage.c_str(), timing->ms);
      timings.push_back(*std::move(timing));
    } else if (timing.status().code() == absl::StatusCode::kResourceExhausted) {
      std::fprintf(stderr, "left out: %s: %s\n", path.c_str(),
                   std::string(timing.status().message()).c_str());
    } else {
      return absl::Status(timing.status().code(),
                          absl::StrCat(path, ": ", timing.status().message()));
    }
  }
  return timings;
}

Record RecordOf(const KernelTiming& timing, const DevicePeak& peak) {
  const double seconds = std::max(timing.ms * 1e-3, 1e-9);
  const double gb_per_s = timing.bytes / seconds * 1e-9;
  const double gflop_per_s = timing.flops / seconds * 1e-9;
  return {{"op", timing.op},
          {"shape", timing.shape},
          {"storage", timing.storage},
          {"kernel", timing.kernel},
          {"copies", int64_t{timing.copies}},
          {"mb", timing.bytes * 1e-6},
          {"ms", timing.ms},
          {"gb_per_s", gb_per_s},
          {"share_of_bandwidth", Share(gb_per_s, peak.read_gb_per_s)},
          {"gflop_per_s", gflop_per_s},
          {"share_of_compute", Share(gflop_per_s, peak.mad_gflop_per_s)},
          {"used_in", timing.used_in}};
}

std::string FormatKernels(const hal::DeviceInfo& info, const DevicePeak& peak,
                          const std::vector<KernelTiming>& timings,
                          OutputForm form) {
  std::vector<Record> records;
  for (const KernelTiming& timing : timings) {
    records.push_back(RecordOf(timing, peak));
  }
  if (form == OutputForm::kCsv) {
    return Csv(records);
  }
  if (form == OutputForm::kJson) {
    for (Record& record : records) {
      record.push_back({"device", info.device});
      record.push_back({"driver", info.driver});
      record.push_back({"device_read_gb_per_s", peak.read_gb_per_s});
      record.push_back({"device_gflop_per_s", peak.mad_gflop_per_s});
    }
    return JsonArray(records);
  }
  return absl::StrFormat(
      "%s: reads %.1f GB/s (%s), computes %.0f GFLOP/s in f32 (%s)\n\n%s",
      hal::OneLine(info), peak.read_gb_per_s, peak.read_config,
      peak.mad_gflop_per_s, peak.mad_config, Markdown(records));
}

}  // namespace millrace::bench
