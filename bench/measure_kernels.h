// SPDX-License-Identifier: Apache-2.0
//
// Times compiled kernel cases on a device. Links no compiler.
#ifndef MILLRACE_BENCH_MEASURE_KERNELS_H_
#define MILLRACE_BENCH_MEASURE_KERNELS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "bench/device_peak.h"
#include "bench/record.h"
#include "runtime/hal/device.h"
#include "runtime/plan/plan_generated.h"

namespace millrace::bench {

// What the names of plans of kernel cases end with.
inline constexpr char kKernelPlanSuffix[] = ".kernel.mrp";

// One op at one shape and storage.
struct KernelTiming {
  std::string op;
  std::string shape;
  std::string used_in;
  std::string storage;  // element type
  std::string kernel;
  int copies = 1;      // of the weight, in turns
  double ms = 0.0;     // median over copies and repetitions, device clock
  double bytes = 0.0;  // that must move, by the plan's estimate
  double flops = 0.0;
};

// Runs the plan's `main` at the end of its context: `repetitions` times, after
// two calls that do not count.
absl::StatusOr<KernelTiming> MeasureKernelPlan(hal::Device& device,
                                               const plan::schema::Plan& plan,
                                               int repetitions);

// All kernel plans in `directory` by name. One that the device cannot hold is
// left out, with a line on stderr.
absl::StatusOr<std::vector<KernelTiming>> MeasureKernels(
    hal::Device& device, const std::string& directory, int repetitions);

// With rates, and shares of what the device can do.
Record RecordOf(const KernelTiming& timing, const DevicePeak& peak);

// The records in the form asked for (text: as Markdown). Markdown is headed by
// the device and what it can do.
std::string FormatKernels(const hal::DeviceInfo& info, const DevicePeak& peak,
                          const std::vector<KernelTiming>& timings,
                          OutputForm form);

}  // namespace millrace::bench

#endif  // MILLRACE_BENCH_MEASURE_KERNELS_H_
