// SPDX-License-Identifier: Apache-2.0
//
// Conformance: what a device cannot do is refused in one line, before any of
// it happens, and leaves the device usable.
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "runtime/hal/cts/conformance.h"

namespace millrace::hal::cts {
namespace {

// The refusal names the object and is one line.
void ExpectRefused(const absl::Status& status, const char* name) {
  EXPECT_TRUE(absl::IsResourceExhausted(status)) << status;
  EXPECT_TRUE(absl::StrContains(status.message(), name)) << status;
  EXPECT_FALSE(absl::StrContains(status.message(), "\n")) << status;
}

TEST_P(ConformanceTest, RefusesBuffersBeyondTheLargestAllocation) {
  const int64_t limit = device().info().limits.max_alloc_bytes;
  ExpectRefused(device().CreateBuffer("giant", limit + 1).status(), "giant");
  EXPECT_EQ(device().peak_bytes(), 0);
  EXPECT_TRUE(device().CreateBuffer("small", 64).ok());
}

TEST_P(ConformanceTest, RefusesImagesBeyondEachExtent) {
  const DeviceLimits& limits = device().info().limits;
  if (!device().info().abilities.images) {
    GTEST_SKIP() << "the device has no images";
  }
  const ScalarType f32 = ScalarType::kF32;
  const ObjectDesc too_large[] = {
      ImageDesc("giant", ObjectKind::kImageBuffer, f32,
                limits.max_image_buffer_texels + 1),
      ImageDesc("giant", ObjectKind::kTexture2d, f32,
                limits.max_image_2d_width + 1, 1),
      ImageDesc("giant", ObjectKind::kTexture2d, f32, 1,
                limits.max_image_2d_height + 1),
      ImageDesc("giant", ObjectKind::kTextureArray, f32, 1, 1,
                limits.max_image_array_layers + 1),
      ImageDesc("giant", ObjectKind::kTexture3d, f32, 1, 1,
                limits.max_image_3d_depth + 1),
  };
  for (const ObjectDesc& desc : too_large) {
    ExpectRefused(device().CreateImage(desc).status(), "giant");
  }
  EXPECT_EQ(device().peak_bytes(), 0);
}

TEST_P(ConformanceTest, RefusesNonsenseSizes) {
  EXPECT_TRUE(
      absl::IsInvalidArgument(device().CreateBuffer("none", 0).status()));
  EXPECT_TRUE(
      absl::IsInvalidArgument(device().CreateBuffer("minus", -8).status()));
  const ObjectDesc overflow =
      ImageDesc("huge", ObjectKind::kTexture3d, ScalarType::kF32,
                int64_t{1} << 30, int64_t{1} << 30, int64_t{1} << 30);
  EXPECT_TRUE(absl::IsInvalidArgument(device().CreateImage(overflow).status()));
}

TEST_P(ConformanceTest, RefusesBadWindows) {
  auto buffer = device().CreateBuffer("arena", 4096);
  ASSERT_TRUE(buffer.ok()) << buffer.status();
  EXPECT_FALSE(device().CreateSubBuffer("past", **buffer, 0, 4097).ok());
  EXPECT_FALSE(device().CreateSubBuffer("minus", **buffer, -128, 64).ok());
  if (device().info().limits.base_alignment_bytes > 1) {
    EXPECT_FALSE(device().CreateSubBuffer("odd", **buffer, 1, 64).ok());
  }
  const ObjectDesc view = ImageDesc("view", ObjectKind::kImageBuffer,
                                    ScalarType::kF32, 4096 / 16 + 1);
  EXPECT_FALSE(device().CreateImageBuffer(**buffer, view).ok());
}

TEST_P(ConformanceTest, RefusesCopiesOutOfBounds) {
  auto buffer = device().CreateBuffer("data", 16);
  ASSERT_TRUE(buffer.ok()) << buffer.status();
  std::vector<uint8_t> host(17);
  EXPECT_TRUE(absl::IsOutOfRange(queue().Write(**buffer, 0, host)));
  EXPECT_TRUE(absl::IsOutOfRange(queue().Write(**buffer, -1, {1})));
  EXPECT_TRUE(absl::IsOutOfRange(
      queue().Read(**buffer, 16, absl::MakeSpan(host).first(1))));
  EXPECT_FALSE(queue().ReadAll(**buffer, absl::MakeSpan(host)).ok());
}

TEST_P(ConformanceTest, ChecksTheKernelsOwnWorkGroupSize) {
  auto buffer = device().CreateBuffer("data", 64);
  ASSERT_TRUE(buffer.ok()) << buffer.status();
  auto kernel = MakeKernel(
      backend().PlusOne(ObjectKind::kBuffer, ScalarType::kF32), "plus_one");
  ASSERT_NE(kernel, nullptr);
  ASSERT_TRUE(kernel->SetArg(0, **buffer).ok());
  ASSERT_TRUE(kernel->SetArg(1, **buffer).ok());
  ASSERT_GT(kernel->max_work_group_size(), 0);
  const uint32_t limit = static_cast<uint32_t>(kernel->max_work_group_size());
  ExpectRefused(queue().Dispatch(*kernel, {1, 1, 1}, {limit, 2, 1}),
                "plus_one");
  EXPECT_TRUE(
      absl::IsInvalidArgument(queue().Dispatch(*kernel, {0, 1, 1}, {1, 1, 1})));
}

TEST_P(ConformanceTest, RefusesObjectsOfAnotherDevice) {
  auto other = backend().Open();
  ASSERT_TRUE(other.ok()) << other.status();
  auto foreign = (*other)->CreateBuffer("foreign", 4096);
  ASSERT_TRUE(foreign.ok()) << foreign.status();
  auto kernel = MakeKernel(
      backend().PlusOne(ObjectKind::kBuffer, ScalarType::kF32), "plus_one");
  ASSERT_NE(kernel, nullptr);
  EXPECT_TRUE(absl::IsInvalidArgument(kernel->SetArg(0, **foreign)));
  EXPECT_FALSE(queue().Write(**foreign, 0, {1}).ok());
  EXPECT_FALSE(device().CreateSubBuffer("view", **foreign, 0, 64).ok());
}

}  // namespace
}  // namespace millrace::hal::cts
