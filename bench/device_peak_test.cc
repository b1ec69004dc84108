// SPDX-License-Identifier: Apache-2.0
#include "bench/device_peak.h"

#include <gtest/gtest.h>

#include <iostream>

#include "absl/status/status.h"
#include "runtime/hal/driver.h"

namespace millrace::bench {
namespace {

TEST(DevicePeakTest, MeasuresSomethingPlausible) {
  auto selector = hal::SelectorFromEnvironment();
  ASSERT_TRUE(selector.ok()) << selector.status();
  auto device = hal::OpenDevice(*selector);
  if (absl::IsNotFound(device.status())) {
    GTEST_SKIP() << device.status();
  }
  ASSERT_TRUE(device.ok()) << device.status();
  DevicePeakOptions options;
  options.repetitions = 3;
  const auto peak = MeasureDevicePeak(**device, options);
  ASSERT_TRUE(peak.ok()) << peak.status();
  std::cout << hal::OneLine((*device)->info()) << "\n"
            << peak->read_gb_per_s << " GB/s: " << peak->read_config << "\n"
            << peak->mad_gflop_per_s << " GFLOP/s: " << peak->mad_config
            << "\n";
  EXPECT_GT(peak->read_gb_per_s, 0.1);
  EXPECT_LT(peak->read_gb_per_s, 1e5);
  EXPECT_GT(peak->mad_gflop_per_s, 0.1);
  EXPECT_LT(peak->mad_gflop_per_s, 1e7);
  EXPECT_EQ((*device)->allocated_bytes(), 0);
}

}  // namespace
}  // namespace millrace::bench
