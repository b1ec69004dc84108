// SPDX-License-Identifier: Apache-2.0
//
// Conformance: building, binding, running and timing kernels.
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "runtime/hal/cts/conformance.h"

namespace millrace::hal::cts {
namespace {

constexpr int64_t kCount = 4 * kReverseGroup;

TEST_P(ConformanceTest, LocalMemoryAndBarrier) {
  auto src = device().CreateObject(BufferDesc("src", ScalarType::kF32, kCount));
  auto dst = device().CreateObject(BufferDesc("dst", ScalarType::kF32, kCount));
  ASSERT_TRUE(src.ok() && dst.ok()) << src.status() << dst.status();
  std::vector<float> values(kCount);
  for (int i = 0; i < kCount; ++i) {
    values[i] = static_cast<float>(i);
  }
  ASSERT_TRUE(queue().WriteAll(**src, AsBytes(values)).ok());
  auto kernel = MakeKernel(backend().ReverseGroup(), "reverse_group");
  ASSERT_NE(kernel, nullptr);
  ASSERT_TRUE(kernel->SetArg(0, **src).ok());
  ASSERT_TRUE(kernel->SetArg(1, **dst).ok());
  ASSERT_TRUE(queue().Dispatch(*kernel, {4, 1, 1}, {kReverseGroup, 1, 1}).ok());
  ASSERT_TRUE(queue().Finish().ok());
  std::vector<float> out(kCount);
  ASSERT_TRUE(queue().ReadAll(**dst, AsMutableBytes(out)).ok());
  for (uint32_t i = 0; i < kCount; ++i) {
    const uint32_t group = i / kReverseGroup * kReverseGroup;
    EXPECT_EQ(out[i], values[group + kReverseGroup - 1 - i % kReverseGroup]);
  }
}

// Two kernels of one program keep their own arguments.
TEST_P(ConformanceTest, KernelsAreIndependent) {
  auto a = device().CreateObject(BufferDesc("a", ScalarType::kI32, 1));
  auto b = device().CreateObject(BufferDesc("b", ScalarType::kI32, 1));
  ASSERT_TRUE(a.ok() && b.ok()) << a.status() << b.status();
  auto program = device().BuildProgram(
      "plus_one", backend().PlusOne(ObjectKind::kBuffer, ScalarType::kI32), "");
  ASSERT_TRUE(program.ok()) << program.status();
  const Signature two = TwoOf(ObjectKind::kBuffer);
  auto forth = (*program)->CreateKernel("plus_one", two);
  auto back = (*program)->CreateKernel("plus_one", two);
  ASSERT_TRUE(forth.ok() && back.ok()) << forth.status() << back.status();
  program->reset();  // kernels keep their program
  ASSERT_TRUE((*forth)->SetArg(0, **a).ok() && (*forth)->SetArg(1, **b).ok());
  ASSERT_TRUE((*back)->SetArg(0, **b).ok() && (*back)->SetArg(1, **a).ok());
  ASSERT_TRUE(queue().FillZero(**a).ok());
  for (int i = 0; i < 10; ++i) {
    ASSERT_TRUE(queue().Dispatch(**forth, {1, 1, 1}, {1, 1, 1}).ok());
    ASSERT_TRUE(queue().Dispatch(**back, {1, 1, 1}, {1, 1, 1}).ok());
  }
  ASSERT_TRUE(queue().Flush().ok());
  std::vector<int32_t> out(1);
  ASSERT_TRUE(queue().ReadAll(**a, AsMutableBytes(out)).ok());
  EXPECT_EQ(out[0], 20);
}

TEST_P(ConformanceTest, ProfilingGivesTimes) {
  const int64_t count = 1 << 16;
  auto src = device().CreateObject(BufferDesc("src", ScalarType::kF32, count));
  auto dst = device().CreateObject(BufferDesc("dst", ScalarType::kF32, count));
  ASSERT_TRUE(src.ok() && dst.ok()) << src.status() << dst.status();
  ASSERT_TRUE(queue().FillZero(**src).ok());
  auto kernel = MakeKernel(
      backend().PlusOne(ObjectKind::kBuffer, ScalarType::kF32), "plus_one");
  ASSERT_NE(kernel, nullptr);
  ASSERT_TRUE(kernel->SetArg(0, **src).ok() && kernel->SetArg(1, **dst).ok());
  const Size3 groups = {static_cast<uint32_t>(count / 64), 1, 1};
  ASSERT_TRUE(queue().Dispatch(*kernel, groups, {64, 1, 1}).ok());
  ASSERT_TRUE(queue().SetProfiling(true).ok());
  ASSERT_TRUE(queue().Dispatch(*kernel, groups, {64, 1, 1}).ok());
  ASSERT_TRUE(queue().Dispatch(*kernel, groups, {64, 1, 1}).ok());
  auto times = queue().TakeTimes();
  ASSERT_TRUE(times.ok()) << times.status();
  ASSERT_EQ(times->size(), 2);  // the one before profiling is not among them
  for (const DispatchTime& time : *times) {
    EXPECT_EQ(time.kernel, "plus_one");
    EXPECT_GT(time.end_ns, time.start_ns);
    EXPECT_GE(time.start_ns, time.queued_ns);
  }
  EXPECT_GE((*times)[1].start_ns, (*times)[0].end_ns);
  ASSERT_TRUE(queue().SetProfiling(false).ok());
  ASSERT_TRUE(queue().Dispatch(*kernel, groups, {64, 1, 1}).ok());
  times = queue().TakeTimes();
  ASSERT_TRUE(times.ok()) << times.status();
  EXPECT_TRUE(times->empty());
}

TEST_P(ConformanceTest, BuildErrorNamesProgramAndHoldsLog) {
  const std::string source = backend().Broken();
  if (source.empty()) {
    GTEST_SKIP() << "nothing fails to build here";
  }
  auto program = device().BuildProgram("the_broken_one", source, "");
  ASSERT_FALSE(program.ok());
  EXPECT_TRUE(absl::IsInvalidArgument(program.status())) << program.status();
  const auto message = program.status().message();
  EXPECT_TRUE(absl::StrContains(message, "the_broken_one")) << message;
  EXPECT_TRUE(absl::StrContains(message, "undeclared_thing")) << message;
}

TEST_P(ConformanceTest, ArgumentErrors) {
  auto program = device().BuildProgram(
      "plus_one", backend().PlusOne(ObjectKind::kBuffer, ScalarType::kF32), "");
  ASSERT_TRUE(program.ok()) << program.status();
  const Signature two = TwoOf(ObjectKind::kBuffer);
  auto missing = (*program)->CreateKernel("no_such_kernel", two);
  EXPECT_TRUE(absl::IsNotFound(missing.status())) << missing.status();
  const Signature three(3, ArgKind::kBuffer);
  auto other = (*program)->CreateKernel("plus_one", three);
  EXPECT_TRUE(absl::IsInvalidArgument(other.status())) << other.status();
  const Signature many(kMaxKernelArgs + 1, ArgKind::kBuffer);
  other = (*program)->CreateKernel("plus_one", many);
  EXPECT_TRUE(absl::IsInvalidArgument(other.status())) << other.status();
  auto kernel = (*program)->CreateKernel("plus_one", two);
  ASSERT_TRUE(kernel.ok()) << kernel.status();
  EXPECT_EQ((*kernel)->num_args(), 2);
  auto buffer = device().CreateBuffer("data", 64);
  ASSERT_TRUE(buffer.ok()) << buffer.status();
  EXPECT_TRUE(absl::IsInvalidArgument((*kernel)->SetArg(-1, **buffer)));
  EXPECT_TRUE(absl::IsInvalidArgument((*kernel)->SetArg(2, **buffer)));
  const BufferView bad[] = {{buffer->get(), -kViewAlignment, 64, "minus"},
                            {buffer->get(), 0, 65, "past"},
                            {buffer->get(), 4, 8, "odd"},
                            {buffer->get(), 0, 0, "nothing"},
                            {nullptr, 0, 64, "nowhere"}};
  for (const BufferView& view : bad) {
    const absl::Status refused = (*kernel)->SetArg(0, view);
    EXPECT_TRUE(absl::IsInvalidArgument(refused)) << refused;
    EXPECT_TRUE(absl::StrContains(refused.message(), view.name)) << refused;
  }
  ASSERT_TRUE((*kernel)->SetArg(0, **buffer).ok());
  const absl::Status unset = queue().Dispatch(**kernel, {1, 1, 1}, {1, 1, 1});
  EXPECT_TRUE(absl::IsFailedPrecondition(unset)) << unset;
  EXPECT_TRUE(absl::StrContains(unset.message(), "argument 1")) << unset;
}

}  // namespace
}  // namespace millrace::hal::cts
