// SPDX-License-Identifier: Apache-2.0
//
// The device's own ceilings, measured: how fast any kernel can read its memory
// and how many multiply-adds it can do. Kernels are judged against these, not
// against a data sheet.
//
// What the numbers mean. Read bandwidth: bytes of a buffer much larger than the
// caches, each read once and summed, over the device's own time of that one
// dispatch; the median of some repetitions after a warm-up, of the best of a
// few configurations. Arithmetic: f32 multiply-adds in registers, two
// operations each, alike. Both are what plain OpenCL C reaches; matrix units
// are not used.
#ifndef MILLRACE_BENCH_DEVICE_PEAK_H_
#define MILLRACE_BENCH_DEVICE_PEAK_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "runtime/hal/device.h"

namespace millrace::bench {

struct DevicePeakOptions {
  // Size of the buffer that is read; 0: 256 MB on a CPU and 2 GB on a GPU, less
  // on a device that has not the room.
  int64_t read_bytes = 0;
  int repetitions = 9;
};

struct DevicePeak {
  double read_gb_per_s = 0;    // 1e9 bytes a second
  double mad_gflop_per_s = 0;  // 1e9 operations a second, two a multiply-add
  std::string read_config;     // the configuration that was best
  std::string mad_config;
};

// Takes seconds. Leaves the queue's profiling off. Fails as the device does.
absl::StatusOr<DevicePeak> MeasureDevicePeak(
    hal::Device& device, const DevicePeakOptions& options = {});

}  // namespace millrace::bench

#endif  // MILLRACE_BENCH_DEVICE_PEAK_H_
