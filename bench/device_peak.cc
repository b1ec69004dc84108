// SPDX-License-Identifier: Apache-2.0
#include "bench/device_peak.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_format.h"
#include "base/status_macros.h"
#include "runtime/hal/queue.h"

namespace millrace::bench {
namespace {

// Reads COUNT vectors of WIDTH floats, four loads in flight a work-item, and
// keeps their sum alive. CHUNK 0: neighbours read neighbours, which suits GPUs;
// else each work-item reads CHUNK vectors in a row, which suits CPUs.
constexpr char kReadSource[] = R"(
#define CONCAT_(a, b) a##b
#define CONCAT(a, b) CONCAT_(a, b)
#define VEC CONCAT(float, WIDTH)
kernel void stream_read(global const char* restrict data_slab, long data_offset,
                        global char* restrict sums_slab, long sums_offset) {
  global const VEC* data = (global const VEC*)(data_slab + data_offset);
  global VEC* sums = (global VEC*)(sums_slab + sums_offset);
  const uint id = get_global_id(0);
#if CHUNK
  const uint first = id * CHUNK, end = first + CHUNK, step = 1;
#else
  const uint first = id, end = COUNT, step = ITEMS;
#endif
  VEC a = 0.0f, b = 0.0f, c = 0.0f, d = 0.0f;
  for (uint i = first; i < end; i += 4 * step) {
    a += data[i];
    b += data[i + step];
    c += data[i + 2 * step];
    d += data[i + 3 * step];
  }
  sums[id] = (a + b) + (c + d);
}
)";

// iterations[0] rounds of 64 multiply-adds of WIDTH floats in eight chains.
constexpr char kMadSource[] = R"(
#define CONCAT_(a, b) a##b
#define CONCAT(a, b) CONCAT_(a, b)
#if WIDTH == 1
#define VEC float
#else
#define VEC CONCAT(float, WIDTH)
#endif
#define ROUND                                                   \
  a = mad(a, x, y); b = mad(b, x, y); c = mad(c, x, y);         \
  d = mad(d, x, y); e = mad(e, x, y); f = mad(f, x, y);         \
  g = mad(g, x, y); h = mad(h, x, y);
kernel void multiply_add(global const char* iterations_slab,
                         long iterations_offset, global char* result_slab,
                         long result_offset) {
  global const int* iterations =
      (global const int*)(iterations_slab + iterations_offset);
  global VEC* result = (global VEC*)(result_slab + result_offset);
  const uint id = get_global_id(0);
  const int count = iterations[0];
  const VEC x = (VEC)(1.0f / (float)(count + 1)), y = x + (VEC)(0.5f);
  VEC a = (VEC)((float)id), b = a + 1.0f, c = a + 2.0f, d = a + 3.0f,
      e = a + 4.0f, f = a + 5.0f, g = a + 6.0f, h = a + 7.0f;
  for (int i = 0; i < count; ++i) {
    ROUND ROUND ROUND ROUND ROUND ROUND ROUND ROUND
  }
  result[id] = ((a + b) + (c + d)) + ((e + f) + (g + h));
}
)";

constexpr int64_t kMadsPerIteration = 64;

struct Config {
  int width;                // floats of a vector
  bool chunked;             // reads only
  int64_t groups_per_unit;  // work-groups for each compute unit
  uint32_t local;
};

std::string Describe(const Config& config, bool read) {
  return absl::StrFormat(
      "float%s%s, %d groups of %d per compute unit",
      config.width == 1 ? "" : absl::StrFormat("%d", config.width),
      !read            ? ""
      : config.chunked ? ", contiguous"
                       : ", interleaved",
      config.groups_per_unit, config.local);
}

std::vector<Config> ReadConfigs(const hal::DeviceInfo& info) {
  if (info.type == hal::DeviceType::kCpu) {
    return {
        {16, true, 1, 1}, {16, true, 8, 1}, {8, true, 8, 1}, {16, true, 64, 1}};
  }
  return {{4, false, 8, 256},
          {4, false, 16, 256},
          {4, false, 32, 256},
          {8, false, 16, 256},
          {4, false, 32, 128}};
}

std::vector<Config> MadConfigs(const hal::DeviceInfo& info) {
  if (info.type == hal::DeviceType::kCpu) {
    return {{8, false, 16, 1}, {4, false, 16, 1}, {1, false, 4, 64}};
  }
  return {{1, false, 16, 256}, {4, false, 16, 256}, {1, false, 32, 128}};
}

// One kernel with its two arguments, ready to be timed.
class Trial {
 public:
  static absl::StatusOr<Trial> Make(hal::Device& device, const char* source,
                                    const char* entry,
                                    const std::string& options,
                                    const hal::Object& in,
                                    int64_t result_bytes) {
    Trial trial;
    trial.queue_ = &device.queue();
    MR_ASSIGN_OR_RETURN(auto program,
                        device.BuildProgram(entry, source, options));
    MR_ASSIGN_OR_RETURN(trial.kernel_,
                        program->CreateKernel(entry, {hal::ArgKind::kBuffer,
                                                      hal::ArgKind::kBuffer}));
    MR_ASSIGN_OR_RETURN(trial.result_,
                        device.CreateBuffer("peak result", result_bytes));
    MR_RETURN_IF_ERROR(trial.kernel_->SetArg(0, in));
    MR_RETURN_IF_ERROR(trial.kernel_->SetArg(1, *trial.result_));
    return trial;
  }

  bool Fits(uint32_t local) const {
    return local <= kernel_->max_work_group_size();
  }

  // Median seconds of `repetitions` dispatches after one that does not count.
  absl::StatusOr<double> Time(uint32_t groups, uint32_t local,
                              int repetitions) {
    for (int i = 0; i <= repetitions; ++i) {
      MR_RETURN_IF_ERROR(
          queue_->Dispatch(*kernel_, {groups, 1, 1}, {local, 1, 1}));
    }
    MR_ASSIGN_OR_RETURN(const auto times, queue_->TakeTimes());
    std::vector<double> seconds;
    for (size_t i = 1; i < times.size(); ++i) {
      seconds.push_back(
          static_cast<double>(times[i].end_ns - times[i].start_ns) * 1e-9);
    }
    std::sort(seconds.begin(), seconds.end());
    // A clock too coarse for the work would divide by zero.
    return seconds.empty() ? 1.0 : std::max(seconds[seconds.size() / 2], 1e-9);
  }

 private:
  hal::Queue* queue_ = nullptr;
  std::unique_ptr<hal::Kernel> kernel_;
  std::unique_ptr<hal::Buffer> result_;
};

int64_t WorkItems(const hal::DeviceInfo& info, const Config& config) {
  return std::max<int64_t>(1, info.limits.compute_units) *
         config.groups_per_unit * config.local;
}

// Bytes to read: what was asked for or fits, a multiple of every share.
int64_t ReadBytes(const hal::DeviceInfo& info, int64_t wanted) {
  const bool cpu = info.type == hal::DeviceType::kCpu;
  if (wanted <= 0) {
    wanted = (cpu ? int64_t{256} : int64_t{2048}) << 20;
  }
  return std::min({wanted, info.limits.max_alloc_bytes,
                   info.limits.global_memory_bytes / 4});
}

// GB/s of one configuration, 0 where the kernel cannot run that wide.
absl::StatusOr<double> ReadRate(hal::Device& device, const hal::Buffer& data,
                                const Config& config, int repetitions) {
  const int64_t items = WorkItems(device.info(), config);
  const int64_t vector_bytes = config.width * int64_t{sizeof(float)};
  // Each work-item reads four vectors a step: round its share down to that.
  const int64_t share = data.bytes() / (items * vector_bytes * 4) * 4;
  if (share == 0) {
    return 0.0;
  }
  MR_ASSIGN_OR_RETURN(
      Trial trial,
      Trial::Make(
          device, kReadSource, "stream_read",
          absl::StrFormat("-DWIDTH=%d -DCHUNK=%d -DCOUNT=%du -DITEMS=%du",
                          config.width, config.chunked ? share : 0,
                          share * items, items),
          data, items * vector_bytes));
  if (!trial.Fits(config.local)) {
    return 0.0;
  }
  MR_ASSIGN_OR_RETURN(const double seconds,
                      trial.Time(static_cast<uint32_t>(items / config.local),
                                 config.local, repetitions));
  return static_cast<double>(share * items * vector_bytes) / seconds * 1e-9;
}

// GFLOP/s of one configuration; the work grows until it takes 5 ms.
absl::StatusOr<double> MadRate(hal::Device& device, const Config& config,
                               int repetitions) {
  constexpr double kLongEnough = 5e-3;
  constexpr int32_t kMostIterations = 1 << 20;
  const int64_t items = WorkItems(device.info(), config);
  MR_ASSIGN_OR_RETURN(const auto iterations,
                      device.CreateBuffer("iterations", sizeof(int32_t)));
  MR_ASSIGN_OR_RETURN(
      Trial trial,
      Trial::Make(device, kMadSource, "multiply_add",
                  absl::StrFormat("-DWIDTH=%d -cl-mad-enable", config.width),
                  *iterations, items * config.width * int64_t{sizeof(float)}));
  if (!trial.Fits(config.local)) {
    return 0.0;
  }
  const uint32_t groups = static_cast<uint32_t>(items / config.local);
  for (int32_t count = 16;; count *= 4) {
    MR_RETURN_IF_ERROR(device.queue().Update(
        *iterations, 0,
        {reinterpret_cast<const uint8_t*>(&count), sizeof(count)}));
    MR_ASSIGN_OR_RETURN(double seconds, trial.Time(groups, config.local, 1));
    if (seconds < kLongEnough && count < kMostIterations) {
      continue;
    }
    MR_ASSIGN_OR_RETURN(seconds, trial.Time(groups, config.local, repetitions));
    const double operations = 2.0 * static_cast<double>(kMadsPerIteration) *
                              count * config.width * static_cast<double>(items);
    return operations / seconds * 1e-9;
  }
}

absl::StatusOr<DevicePeak> Measure(hal::Device& device,
                                   const DevicePeakOptions& options) {
  DevicePeak peak;
  {
    MR_ASSIGN_OR_RETURN(
        const auto data,
        device.CreateBuffer("peak data",
                            ReadBytes(device.info(), options.read_bytes)));
    MR_RETURN_IF_ERROR(device.queue().FillZero(*data));
    for (const Config& config : ReadConfigs(device.info())) {
      MR_ASSIGN_OR_RETURN(const double rate,
                          ReadRate(device, *data, config, options.repetitions));
      if (rate > peak.read_gb_per_s) {
        peak.read_gb_per_s = rate;
        peak.read_config = Describe(config, true);
      }
    }
  }
  for (const Config& config : MadConfigs(device.info())) {
    MR_ASSIGN_OR_RETURN(const double rate,
                        MadRate(device, config, options.repetitions));
    if (rate > peak.mad_gflop_per_s) {
      peak.mad_gflop_per_s = rate;
      peak.mad_config = Describe(config, false);
    }
  }
  return peak;
}

}  // namespace

absl::StatusOr<DevicePeak> MeasureDevicePeak(hal::Device& device,
                                             const DevicePeakOptions& options) {
  if (options.repetitions < 1) {
    return absl::InvalidArgumentError("device peak: needs a repetition");
  }
  MR_RETURN_IF_ERROR(device.queue().SetProfiling(true));
  absl::StatusOr<DevicePeak> peak = Measure(device, options);
  absl::Status off = device.queue().SetProfiling(false);
  if (peak.ok() && !off.ok()) {
    return off;
  }
  return peak;
}

}  // namespace millrace::bench
