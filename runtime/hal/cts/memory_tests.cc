// SPDX-License-Identifier: Apache-2.0
//
// Conformance: buffers, windows and views on buffers, what is held and for how
// long.
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "runtime/hal/cts/conformance.h"

namespace millrace::hal::cts {
namespace {

TEST_P(ConformanceTest, BufferRoundTrip) {
  auto buffer = device().CreateBuffer("data", 1000);
  ASSERT_TRUE(buffer.ok()) << buffer.status();
  const std::vector<uint8_t> in = Ramp(ScalarType::kF32, 250, 3);
  ASSERT_TRUE(queue().WriteAll(**buffer, in).ok());
  std::vector<uint8_t> out(1000);
  ASSERT_TRUE(queue().ReadAll(**buffer, absl::MakeSpan(out)).ok());
  EXPECT_EQ(in, out);
}

TEST_P(ConformanceTest, BufferRegions) {
  auto buffer = device().CreateBuffer("data", 256);
  ASSERT_TRUE(buffer.ok()) << buffer.status();
  ASSERT_TRUE(queue().FillZero(**buffer).ok());
  ASSERT_TRUE(queue().Write(**buffer, 100, {1, 2, 3}).ok());
  ASSERT_TRUE(queue().Update(**buffer, 102, {9}).ok());
  std::vector<uint8_t> out(5);
  ASSERT_TRUE(queue().Read(**buffer, 99, absl::MakeSpan(out)).ok());
  EXPECT_EQ(out, (std::vector<uint8_t>{0, 1, 2, 9, 0}));
}

// The source of an update may be reused at once; the order is that of calls.
TEST_P(ConformanceTest, UpdatesKeepTheirBytesAndOrder) {
  auto buffer = device().CreateBuffer("data", 4000);
  ASSERT_TRUE(buffer.ok()) << buffer.status();
  std::vector<int32_t> word(1);
  for (int i = 0; i < 1000; ++i) {
    word[0] = i;
    ASSERT_TRUE(queue().Update(**buffer, i * 4, AsBytes(word)).ok());
  }
  std::vector<int32_t> out(1000);
  ASSERT_TRUE(queue().ReadAll(**buffer, AsMutableBytes(out)).ok());
  for (int i = 0; i < 1000; ++i) {
    ASSERT_EQ(out[i], i);
  }
}

TEST_P(ConformanceTest, SubBuffersAddressTheirParent) {
  const int64_t unit = device().info().limits.base_alignment_bytes;
  auto parent = device().CreateBuffer("arena", 8 * unit);
  ASSERT_TRUE(parent.ok()) << parent.status();
  ASSERT_TRUE(queue().FillZero(**parent).ok());
  auto window =
      device().CreateSubBuffer("window", **parent, 2 * unit, 4 * unit);
  ASSERT_TRUE(window.ok()) << window.status();
  auto inner = device().CreateSubBuffer("inner", **window, unit, unit);
  ASSERT_TRUE(inner.ok()) << inner.status();
  EXPECT_EQ((*inner)->offset(), 3 * unit);
  ASSERT_TRUE(queue().Write(**inner, 0, {42}).ok());
  std::vector<uint8_t> out(1);
  ASSERT_TRUE(queue().Read(**parent, 3 * unit, absl::MakeSpan(out)).ok());
  EXPECT_EQ(out[0], 42);
}

// A kernel reads one part of a buffer and writes another, next to parts that
// must stay as they are.
TEST_P(ConformanceTest, KernelOnViews) {
  const int64_t count = 3 * kViewAlignment / 4 + 5;
  const int64_t bytes = count * 4;
  const int64_t src = 3 * kViewAlignment, dst = 16 * kViewAlignment;
  auto arena = device().CreateBuffer("arena", dst + bytes + kViewAlignment);
  ASSERT_TRUE(arena.ok()) << arena.status();
  ASSERT_TRUE(queue().FillZero(**arena).ok());
  ASSERT_TRUE(
      queue().Write(**arena, src, Ramp(ScalarType::kF32, count, 5)).ok());
  auto kernel = MakeKernel(
      backend().PlusOne(ObjectKind::kBuffer, ScalarType::kF32), "plus_one");
  ASSERT_NE(kernel, nullptr);
  ASSERT_TRUE(kernel->SetArg(0, {arena->get(), src, bytes, "src"}).ok());
  ASSERT_TRUE(kernel->SetArg(1, {arena->get(), dst, bytes, "dst"}).ok());
  const Size3 groups = {static_cast<uint32_t>(count), 1, 1};
  ASSERT_TRUE(queue().Dispatch(*kernel, groups, {1, 1, 1}).ok());
  std::vector<uint8_t> out(bytes);
  ASSERT_TRUE(queue().Read(**arena, dst, absl::MakeSpan(out)).ok());
  EXPECT_EQ(out, Ramp(ScalarType::kF32, count, 6));
  std::vector<uint8_t> around(kViewAlignment);
  const std::vector<uint8_t> zeros(around.size(), 0);
  for (int64_t at : {dst - kViewAlignment, dst + bytes}) {
    ASSERT_TRUE(queue().Read(**arena, at, absl::MakeSpan(around)).ok());
    EXPECT_EQ(around, zeros) << "at byte " << at;
  }
}

// What is computed is written to one part, read there, and written over at
// another time by a view that overlaps it.
TEST_P(ConformanceTest, OverlappingViewsTakeTurns) {
  const int64_t step = kViewAlignment;
  const int64_t bytes = 2 * step;
  auto arena = device().CreateBuffer("arena", 8 * step);
  ASSERT_TRUE(arena.ok()) << arena.status();
  ASSERT_TRUE(queue().FillZero(**arena).ok());
  const std::string source =
      backend().PlusOne(ObjectKind::kBuffer, ScalarType::kI32);
  const auto run = [&](int64_t from, int64_t to) {
    auto kernel = MakeKernel(source, "plus_one");
    ASSERT_NE(kernel, nullptr);
    ASSERT_TRUE(kernel->SetArg(0, {arena->get(), from, bytes, "from"}).ok());
    ASSERT_TRUE(kernel->SetArg(1, {arena->get(), to, bytes, "to"}).ok());
    const Size3 groups = {static_cast<uint32_t>(bytes / 4), 1, 1};
    ASSERT_TRUE(queue().Dispatch(*kernel, groups, {1, 1, 1}).ok());
    ASSERT_TRUE(queue().Finish().ok());
  };
  run(0, 2 * step);         // steps 2 and 3 hold 1
  run(2 * step, 5 * step);  // 5 and 6 hold 2
  run(5 * step, 3 * step);  // 3 and 4 hold 3; 2 still holds 1
  std::vector<int32_t> out(8 * step / 4);
  ASSERT_TRUE(queue().ReadAll(**arena, AsMutableBytes(out)).ok());
  const int32_t wanted[] = {0, 0, 1, 3, 3, 2, 2, 0};
  for (size_t i = 0; i < out.size(); ++i) {
    ASSERT_EQ(out[i], wanted[i * 4 / step]) << "word " << i;
  }
}

// Image buffers over windows of one arena: the texture path of activations.
TEST_P(ConformanceTest, ImageBufferOverSubBuffer) {
  const ObjectKind kind = ObjectKind::kImageBuffer;
  if (!ImageAbilityOf(device().info(), kind, ScalarType::kF16).write) {
    GTEST_SKIP() << "the device has no such images";
  }
  const int64_t unit = device().info().limits.base_alignment_bytes * 8;
  const int64_t texels = unit / 8;
  auto arena = device().CreateBuffer("arena", 3 * unit);
  ASSERT_TRUE(arena.ok()) << arena.status();
  auto low = device().CreateSubBuffer("low", **arena, unit, unit);
  auto high = device().CreateSubBuffer("high", **arena, 2 * unit, unit);
  ASSERT_TRUE(low.ok() && high.ok()) << low.status() << high.status();
  auto src = device().CreateImageBuffer(
      **low, ImageDesc("src", kind, ScalarType::kF16, texels));
  if (!device().info().abilities.image_over_sub_buffer) {
    EXPECT_TRUE(absl::IsUnimplemented(src.status())) << src.status();
    return;
  }
  auto dst = device().CreateImageBuffer(
      **high, ImageDesc("dst", kind, ScalarType::kF16, texels));
  ASSERT_TRUE(src.ok() && dst.ok()) << src.status() << dst.status();
  low->reset();  // the image keeps the memory
  const std::vector<uint8_t> in = Ramp(ScalarType::kF16, texels * 4, 7);
  ASSERT_TRUE(queue().Write(**arena, unit, in).ok());
  auto kernel =
      MakeKernel(backend().PlusOne(kind, ScalarType::kF16), "plus_one", kind);
  ASSERT_NE(kernel, nullptr);
  ASSERT_TRUE(kernel->SetArg(0, **src).ok());
  ASSERT_TRUE(kernel->SetArg(1, **dst).ok());
  const Size3 groups = {static_cast<uint32_t>(texels), 1, 1};
  ASSERT_TRUE(queue().Dispatch(*kernel, groups, {1, 1, 1}).ok());
  std::vector<uint8_t> out(unit);
  ASSERT_TRUE(queue().ReadAll(**dst, absl::MakeSpan(out)).ok());
  EXPECT_EQ(out, Ramp(ScalarType::kF16, texels * 4, 8));
  ASSERT_TRUE(queue().Read(**arena, 2 * unit, absl::MakeSpan(out)).ok());
  EXPECT_EQ(out, Ramp(ScalarType::kF16, texels * 4, 8));
}

TEST_P(ConformanceTest, ImageBufferOverTheStartOfABuffer) {
  const ObjectKind kind = ObjectKind::kImageBuffer;
  if (!ImageAbilityOf(device().info(), kind, ScalarType::kF32).read) {
    GTEST_SKIP() << "the device has no such images";
  }
  auto buffer = device().CreateBuffer("arena", 4096);
  ASSERT_TRUE(buffer.ok()) << buffer.status();
  auto window = device().CreateSubBuffer("window", **buffer, 0, 1024);
  ASSERT_TRUE(window.ok()) << window.status();
  auto image = device().CreateImageBuffer(
      **window, ImageDesc("image", kind, ScalarType::kF32, 64));
  ASSERT_TRUE(image.ok()) << image.status();
  const std::vector<uint8_t> in = Ramp(ScalarType::kF32, 256, 1);
  ASSERT_TRUE(queue().WriteAll(**image, in).ok());
  std::vector<uint8_t> out(1024);
  ASSERT_TRUE(queue().Read(**buffer, 0, absl::MakeSpan(out)).ok());
  EXPECT_EQ(in, out);
}

TEST_P(ConformanceTest, CountsMemoryOnceAndViewsKeepIt) {
  EXPECT_EQ(device().allocated_bytes(), 0);
  auto parent = device().CreateBuffer("arena", 4096);
  ASSERT_TRUE(parent.ok()) << parent.status();
  auto window = device().CreateSubBuffer("window", **parent, 0, 1024);
  ASSERT_TRUE(window.ok()) << window.status();
  EXPECT_EQ(device().allocated_bytes(), 4096);
  parent->reset();
  EXPECT_EQ(device().allocated_bytes(), 4096);
  ASSERT_TRUE(queue().FillZero(**window).ok());
  window->reset();
  EXPECT_EQ(device().allocated_bytes(), 0);
  EXPECT_EQ(device().peak_bytes(), 4096);
}

}  // namespace
}  // namespace millrace::hal::cts
