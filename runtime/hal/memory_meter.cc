// SPDX-License-Identifier: Apache-2.0
#include "runtime/hal/memory_meter.h"

#include <cstdint>
#include <memory>

namespace millrace::hal {

MemoryLease MemoryMeter::Take(int64_t bytes) {
  const int64_t now = allocated_ += bytes;
  int64_t peak = peak_;
  while (now > peak && !peak_.compare_exchange_weak(peak, now)) {
  }
  std::shared_ptr<MemoryMeter> self = shared_from_this();
  return MemoryLease(self.get(),
                     [self, bytes](const void*) { self->allocated_ -= bytes; });
}

}  // namespace millrace::hal
