// SPDX-License-Identifier: Apache-2.0
//
// Counts the device memory that is held. A MemoryLease is shared by everything
// that keeps one allocation alive and ends with the last of them.
#ifndef MILLRACE_RUNTIME_HAL_MEMORY_METER_H_
#define MILLRACE_RUNTIME_HAL_MEMORY_METER_H_

#include <atomic>
#include <cstdint>
#include <memory>

namespace millrace::hal {

class MemoryMeter;
using MemoryLease = std::shared_ptr<const void>;

// Thread-safe.
class MemoryMeter : public std::enable_shared_from_this<MemoryMeter> {
 public:
  int64_t allocated_bytes() const { return allocated_; }
  int64_t peak_bytes() const { return peak_; }

  // Counts `bytes` until the returned lease and all its copies are gone. The
  // meter lives as long as any lease.
  MemoryLease Take(int64_t bytes);

 private:
  std::atomic<int64_t> allocated_ = 0;
  std::atomic<int64_t> peak_ = 0;
};

}  // namespace millrace::hal

#endif  // MILLRACE_RUNTIME_HAL_MEMORY_METER_H_
