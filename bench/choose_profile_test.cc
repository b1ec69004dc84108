// SPDX-License-Identifier: Apache-2.0
#include "bench/choose_profile.h"

#include "gtest/gtest.h"

namespace millrace::bench {
namespace {

hal::DeviceInfo Info(const std::string& platform, const std::string& vendor,
                     hal::DeviceType type) {
  hal::DeviceInfo info;
  info.platform = platform;
  info.vendor = vendor;
  info.type = type;
  return info;
}

TEST(ChooseProfileTest, KnownDevices) {
  EXPECT_EQ(ChooseProfile(Info("Portable Computing Language", "AuthenticAMD",
                               hal::DeviceType::kCpu)),
            "pocl-cpu");
  EXPECT_EQ(ChooseProfile(Info("NVIDIA CUDA", "NVIDIA Corporation",
                               hal::DeviceType::kGpu)),
            "nvidia-sm90");
}

TEST(ChooseProfileTest, OthersAreGeneric) {
  EXPECT_EQ(ChooseProfile(Info("Clover", "Mesa", hal::DeviceType::kGpu)),
            "generic");
  EXPECT_EQ(ChooseProfile(hal::DeviceInfo()), "generic");
}

}  // namespace
}  // namespace millrace::bench
