// SPDX-License-Identifier: Apache-2.0
#include "runtime/hal/limits.h"

#include <gtest/gtest.h>

#include "absl/status/status.h"
#include "runtime/hal/null/null_device.h"

namespace millrace::hal {
namespace {

TEST(LimitsTest, SaysWhatIsWantedAndWhatThereIs) {
  DeviceInfo info = DefaultNullInfo();
  const absl::Status status =
      CheckObject(info, ImageDesc("embedding", ObjectKind::kTexture2d,
                                  ScalarType::kF16, 128256, 8));
  EXPECT_TRUE(absl::IsResourceExhausted(status));
  EXPECT_EQ(status.message(),
            "texture_2d 'embedding' of 128256 x 8 f16 texels: wants a width in "
            "texels of 128256, the device (null device) has 16384");
}

TEST(LimitsTest, LargestAllocation) {
  DeviceInfo info = DefaultNullInfo();
  info.limits.max_alloc_bytes = 1000;
  EXPECT_TRUE(CheckObject(info, BufferDesc("b", ScalarType::kU8, 1000)).ok());
  EXPECT_EQ(CheckObject(info, BufferDesc("b", ScalarType::kF32, 251)).message(),
            "buffer 'b' of 251 f32: wants 1004 bytes in one piece, the device "
            "(null device) has at most 1000 bytes");
}

TEST(LimitsTest, ImageFormatsAndSupport) {
  DeviceInfo info = DefaultNullInfo();
  const ObjectDesc image =
      ImageDesc("t", ObjectKind::kTexture3d, ScalarType::kF16, 4, 4, 4);
  EXPECT_TRUE(CheckObject(info, image).ok());
  info.abilities.image_formats[static_cast<int>(ObjectKind::kTexture3d)]
                              [static_cast<int>(ScalarType::kF16)] = {};
  EXPECT_TRUE(absl::IsResourceExhausted(CheckObject(info, image)));
  info.abilities.images = false;
  EXPECT_EQ(CheckObject(info, image).message(),
            "texture_3d 't' of 4 x 4 x 4 f16 texels: wants images, the device "
            "(null device) has no image support");
}

TEST(LimitsTest, TotalMemory) {
  DeviceInfo info = DefaultNullInfo();
  info.limits.global_memory_bytes = 100;
  EXPECT_TRUE(CheckTotalMemory(info, "arena", 60, 40).ok());
  EXPECT_EQ(CheckTotalMemory(info, "arena", 60, 41).message(),
            "arena: wants 41 bytes beside the 60 bytes held already, the "
            "device (null device) has 100 bytes in all");
}

TEST(LimitsTest, SubBuffers) {
  const DeviceInfo info = DefaultNullInfo();
  EXPECT_TRUE(CheckSubBuffer(info, "w", 0, 1024, 128, 896).ok());
  EXPECT_FALSE(CheckSubBuffer(info, "w", 0, 1024, 128, 897).ok());
  EXPECT_FALSE(CheckSubBuffer(info, "w", 0, 1024, 100, 100).ok());
  EXPECT_FALSE(CheckSubBuffer(info, "w", 0, 1024, 128, 0).ok());
}

TEST(LimitsTest, Dispatches) {
  const DeviceInfo info = DefaultNullInfo();
  EXPECT_TRUE(CheckDispatch(info, "k", 256, {1, 2, 3}, {256, 1, 1}).ok());
  EXPECT_EQ(
      CheckDispatch(info, "k", 256, {1, 1, 1}, {256, 2, 1}).message(),
      "kernel 'k': wants a work-group of 256 x 2 x 1, the device (null device) "
      "has at most 256 for this kernel");
  EXPECT_FALSE(CheckDispatch(info, "k", 256, {1, 0, 1}, {1, 1, 1}).ok());
  EXPECT_FALSE(CheckDispatch(info, "k", 9999, {1, 1, 1}, {2048, 1, 1}).ok());
  EXPECT_FALSE(CheckDispatch(info, "k", 256, {1u << 31, 1, 1}, {2, 1, 1}).ok());
}

}  // namespace
}  // namespace millrace::hal
