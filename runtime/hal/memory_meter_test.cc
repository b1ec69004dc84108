// SPDX-License-Identifier: Apache-2.0
#include "runtime/hal/memory_meter.h"

#include <gtest/gtest.h>

namespace millrace::hal {
namespace {

TEST(MemoryMeterTest, CountsUntilTheLastCopyIsGone) {
  auto meter = std::make_shared<MemoryMeter>();
  MemoryLease first = meter->Take(100);
  MemoryLease copy = first;
  MemoryLease second = meter->Take(50);
  EXPECT_EQ(meter->allocated_bytes(), 150);
  first.reset();
  EXPECT_EQ(meter->allocated_bytes(), 150);
  copy.reset();
  EXPECT_EQ(meter->allocated_bytes(), 50);
  EXPECT_EQ(meter->peak_bytes(), 150);
}

TEST(MemoryMeterTest, LeaseOutlivesItsMeter) {
  auto meter = std::make_shared<MemoryMeter>();
  MemoryLease lease = meter->Take(100);
  meter.reset();
  lease.reset();  // under asan: no use after free
}

}  // namespace
}  // namespace millrace::hal
