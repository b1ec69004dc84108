// SPDX-License-Identifier: Apache-2.0
#include "runtime/hal/device_selector.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <vector>

namespace millrace::hal {
namespace {

std::vector<DeviceInfo> TwoDevices() {
  DeviceInfo cpu;
  cpu.platform = "Portable Computing Language";
  cpu.device = "some CPU";
  cpu.type = DeviceType::kCpu;
  DeviceInfo gpu;
  gpu.platform = "NVIDIA CUDA";
  gpu.device = "NVIDIA H200";
  gpu.type = DeviceType::kGpu;
  return {cpu, gpu};
}

TEST(DeviceSelectorTest, PrefersAGpu) {
  EXPECT_EQ(*SelectDevice(TwoDevices(), {}), 1);
}

TEST(DeviceSelectorTest, MatchesSubstringsWithoutCase) {
  EXPECT_EQ(*SelectDevice(TwoDevices(), {"portable", "", -1}), 0);
  EXPECT_EQ(*SelectDevice(TwoDevices(), {"", "h200", -1}), 1);
}

TEST(DeviceSelectorTest, CountsMatches) {
  EXPECT_EQ(*SelectDevice(TwoDevices(), {"", "", 0}), 0);
  EXPECT_EQ(*SelectDevice(TwoDevices(), {"nvidia", "", 0}), 1);
  EXPECT_FALSE(SelectDevice(TwoDevices(), {"nvidia", "", 1}).ok());
}

TEST(DeviceSelectorTest, SaysWhatThereIs) {
  EXPECT_EQ(SelectDevice(TwoDevices(), {"", "mali", -1}).status().message(),
            "no device matches platform '', device 'mali', any; there are: "
            "Portable Computing Language, some CPU; NVIDIA CUDA, NVIDIA H200");
  EXPECT_TRUE(absl::IsNotFound(SelectDevice({}, {}).status()));
}

TEST(DeviceSelectorTest, ReadsTheEnvironment) {
  setenv("MILLRACE_PLATFORM", "Port", 1);
  setenv("MILLRACE_DEVICE_INDEX", "2", 1);
  const auto selector = SelectorFromEnvironment();
  ASSERT_TRUE(selector.ok());
  EXPECT_EQ(selector->platform, "Port");
  EXPECT_EQ(selector->index, 2);
  setenv("MILLRACE_DEVICE_INDEX", "two", 1);
  EXPECT_FALSE(SelectorFromEnvironment().ok());
}

}  // namespace
}  // namespace millrace::hal
