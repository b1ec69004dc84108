// SPDX-License-Identifier: Apache-2.0
#include "runtime/hal/null/null_device.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"

namespace millrace::hal {
namespace {

using Kind = NullCall::Kind;

TEST(NullDeviceTest, RecordsCreationsAndDispatches) {
  NullDevice device;
  auto arena = device.CreateBuffer("arena", 4096);
  ASSERT_TRUE(arena.ok());
  auto window = device.CreateSubBuffer("x", **arena, 128, 256);
  ASSERT_TRUE(window.ok());
  auto program = device.BuildProgram("p", "kernel void f();", "-O");
  auto kernel = (*program)->CreateKernel(
      "f", {ArgKind::kBuffer, ArgKind::kBuffer, ArgKind::kBuffer});
  ASSERT_TRUE(kernel.ok());
  EXPECT_EQ((*kernel)->num_args(), 3);
  ASSERT_TRUE((*kernel)->SetArg(0, **window).ok());
  ASSERT_TRUE((*kernel)->SetArg(1, **arena).ok());
  ASSERT_TRUE((*kernel)->SetArg(2, {arena->get(), 64, 8, "view"}).ok());
  ASSERT_TRUE(device.queue().Dispatch(**kernel, {3, 2, 1}, {32, 1, 1}).ok());

  const std::vector<NullCall>& calls = device.calls();
  ASSERT_EQ(calls.size(), 4);
  EXPECT_EQ(calls[0].kind, Kind::kCreateBuffer);
  EXPECT_EQ(calls[0].bytes, 4096);
  EXPECT_EQ(calls[1].kind, Kind::kCreateSubBuffer);
  EXPECT_EQ(calls[1].offset, 128);
  EXPECT_EQ(calls[2].kind, Kind::kBuildProgram);
  EXPECT_EQ(calls[2].options, "-O");
  EXPECT_EQ(calls[3].kind, Kind::kDispatch);
  EXPECT_EQ(calls[3].args, (std::vector<std::string>{"x", "arena", "view"}));
  EXPECT_EQ(calls[3].groups, (Size3{3, 2, 1}));
}

TEST(NullDeviceTest, UnknownKernelsAreNotFound) {
  NullDevice device;
  auto program = device.BuildProgram("p", "kernel void f();", "");
  EXPECT_TRUE(absl::IsNotFound((*program)->CreateKernel("g", {}).status()));
}

TEST(NullDeviceTest, RefusesBeforeRecording) {
  DeviceInfo info = DefaultNullInfo();
  info.limits.max_alloc_bytes = 1000;
  NullDevice device(info);
  EXPECT_TRUE(
      absl::IsResourceExhausted(device.CreateBuffer("big", 1001).status()));
  EXPECT_TRUE(device.calls().empty());
}

TEST(NullDeviceTest, MakesMemoryAtTheFirstTouch) {
  NullDevice device;
  auto giant = device.CreateBuffer("giant", int64_t{16} << 30);
  ASSERT_TRUE(giant.ok());
  EXPECT_EQ(device.allocated_bytes(), int64_t{16} << 30);
}

}  // namespace
}  // namespace millrace::hal
