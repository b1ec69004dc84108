// SPDX-License-Identifier: Apache-2.0
//
// The session on the null device: what it allocates, binds, skips and refuses.
#include "runtime/session/session.h"

#include <algorithm>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "models/checkpoints/testing.h"
#include "runtime/hal/null/null_device.h"
#include "runtime/plan/reader.h"
#include "runtime/plan/sample_plan_for_test.h"
#include "runtime/session/sample_kernels_for_test.h"

namespace millrace::session {
namespace {

using checkpoints::ExpectOneLineError;
using hal::NullCall;
using plan::Plan;

Plan Loaded(plan::PlanBuilder builder) {
  absl::StatusOr<Plan> plan = Plan::FromBytes(builder.File());
  EXPECT_TRUE(plan.ok()) << plan.status();
  return *std::move(plan);
}

absl::StatusOr<std::unique_ptr<Session>> OpenRandom(hal::Device& device,
                                                    const Plan& plan) {
  auto weights = weights::OpenWeights(*plan, "random:1");
  EXPECT_TRUE(weights.ok()) << weights.status();
  return Session::Open(device, *plan, **weights);
}

// That opening the sample on a device changed by `weaken` fails with `message`,
// before anything is allocated.
void ExpectRefused(void (*weaken)(hal::DeviceInfo&), const char* message) {
  hal::DeviceInfo info = hal::DefaultNullInfo();
  weaken(info);
  hal::NullDevice device(info);
  plan::PlanBuilder builder = plan::SamplePlan();
  builder.plan().needs->max_texture_2d_width = 8;
  builder.plan().needs->max_group_items = 4;
  builder.plan().needs->extensions = {"cl_khr_fp16"};
  const Plan plan = Loaded(builder);
  ExpectOneLineError(OpenRandom(device, plan).status(), message);
  EXPECT_EQ(device.peak_bytes(), 0);
}

TEST(SessionTest, NeedsAreCheckedBeforeAnythingIsAllocated) {
  ExpectRefused([](hal::DeviceInfo&) {}, "cl_khr_fp16");
  ExpectRefused([](hal::DeviceInfo& i) { i.limits.max_image_2d_width = 7; },
                "a texture width of 8, the device");
  ExpectRefused([](hal::DeviceInfo& i) { i.limits.max_work_group_size = 2; },
                "a work-group size of 4");
}

TEST(SessionTest, ObjectsAreCheckedBeforeAnythingIsAllocated) {
  const auto refused = [](hal::DeviceInfo info, const char* message) {
    hal::NullDevice device(info);
    const Plan plan = Loaded(plan::SamplePlan());
    ExpectOneLineError(OpenRandom(device, plan).status(), message);
    EXPECT_EQ(device.peak_bytes(), 0);
  };
  hal::DeviceInfo info = hal::DefaultNullInfo();
  info.limits.max_image_2d_width = 4;
  refused(info, "lm_head");
  info = hal::DefaultNullInfo();
  info.limits.max_alloc_bytes = 575;
  refused(info,
          "the plan wants a buffer of 576 bytes ('Arena'), the device (null "
          "device) allows at most 575 bytes in one piece; compile with a "
          "smaller --prefill-chunk or --context");
  info = hal::DefaultNullInfo();
  info.limits.global_memory_bytes = 100;
  refused(info, "2872 bytes of device memory (Parameters 16 bytes, ");
  refused(info, "has 100 bytes; compile with a smaller --context");
  info = hal::DefaultNullInfo();
  info.backend = "metal";
  refused(info, "the plan is for opencl");
}

// One allocation for each slab and texture, and no object for a tensor in one.
TEST(SessionTest, TensorsAreViewsOfAFewSlabs) {
  hal::NullDevice device;
  const Plan plan = Loaded(plan::SamplePlan());
  ASSERT_TRUE(OpenRandom(device, plan).ok());
  std::vector<std::string> names;
  for (const NullCall& call : device.calls()) {
    EXPECT_NE(call.kind, NullCall::Kind::kCreateSubBuffer) << call.name;
    if (call.kind == NullCall::Kind::kCreateBuffer) {
      names.push_back(call.name);
    }
  }
  EXPECT_EQ(names, (std::vector<std::string>{"Weight", "Parameters", "Input",
                                             "Arena", "State", "Output"}));
  EXPECT_EQ(device.peak_bytes(), 16 + 516 + 576 + 576 + 516 + 528 + 16 + 128);
}

// Another session costs its states, activations and ports, not the weights, and
// the model goes with the last of them.
TEST(SessionTest, AnotherSessionSharesTheWeights) {
  constexpr int64_t kWeights = 528 + 128;
  constexpr int64_t kOwn = 16 + 516 + 576 + 576 + 516 + 16;
  hal::NullDevice device;
  const Plan plan = Loaded(plan::SamplePlan());
  auto weights = weights::OpenWeights(*plan, "random:1");
  ASSERT_TRUE(weights.ok()) << weights.status();
  auto model = LoadedModel::Load(device, *plan, **weights);
  ASSERT_TRUE(model.ok()) << model.status();
  EXPECT_EQ(device.allocated_bytes(), kWeights);
  auto first = Session::Open(*model);
  ASSERT_TRUE(first.ok()) << first.status();
  EXPECT_EQ(device.allocated_bytes(), kWeights + kOwn);
  device.ClearCalls();
  auto second = Session::Open(*model);
  ASSERT_TRUE(second.ok()) << second.status();
  EXPECT_EQ(device.allocated_bytes(), kWeights + 2 * kOwn);
  EXPECT_EQ((*second)->stats().session_bytes, kOwn);
  for (const NullCall& call : device.calls()) {
    EXPECT_NE(call.kind, NullCall::Kind::kBuildProgram) << call.name;
    EXPECT_NE(call.name, "Weight");
  }
  model->reset();
  first->reset();
  EXPECT_EQ(device.allocated_bytes(), kWeights + kOwn);
  second->reset();
  EXPECT_EQ(device.allocated_bytes(), 0);
}

// An image buffer is an image over its part of a slab, or memory of its own
// where the driver has no such images.
TEST(SessionTest, ImageBuffersSitAtTheirOffsets) {
  const auto creations = [](bool over_sub_buffer) {
    hal::DeviceInfo info = hal::DefaultNullInfo();
    info.abilities.image_over_sub_buffer = over_sub_buffer;
    hal::NullDevice device(info);
    plan::PlanBuilder builder = plan::SamplePlan();
    for (int i = 0; i < 2; ++i) {
      builder.AddImage("texels", plan::schema::Memory::Arena,
                       plan::schema::ObjectKind::ImageBuffer,
                       plan::schema::ScalarType::F32, {4, 1, 1}, 1024);
    }
    const Plan plan = Loaded(builder);
    EXPECT_TRUE(OpenRandom(device, plan).ok());
    std::vector<NullCall> calls;
    for (const NullCall& call : device.calls()) {
      if (call.name == "texels" &&
          (call.kind == NullCall::Kind::kCreateSubBuffer ||
           call.kind == NullCall::Kind::kCreateBuffer)) {
        calls.push_back(call);
      }
    }
    return calls;
  };
  const std::vector<NullCall> parts = creations(true);
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[0].kind, NullCall::Kind::kCreateSubBuffer);
  EXPECT_EQ(parts[0].offset, 1024);
  EXPECT_EQ(parts[0].bytes, 64);
  const std::vector<NullCall> own = creations(false);
  ASSERT_EQ(own.size(), 1u) << "objects in one place share it";
  EXPECT_EQ(own[0].kind, NullCall::Kind::kCreateBuffer);
}

std::vector<NullCall> Dispatches(const hal::NullDevice& device) {
  std::vector<NullCall> dispatches;
  for (const NullCall& call : device.calls()) {
    if (call.kind == NullCall::Kind::kDispatch) {
      dispatches.push_back(call);
    }
  }
  return dispatches;
}

TEST(SessionTest, ResolvesGridsAndSkipsEmptyOnes) {
  hal::NullDevice device;
  DefineSampleKernels(device);
  const Plan plan = Loaded(plan::SamplePlan());
  const auto session = OpenRandom(device, plan);
  ASSERT_TRUE(session.ok()) << session.status();
  const int prefill = *(*session)->FindEntryPoint("prefill");
  device.ClearCalls();
  ASSERT_TRUE((*session)->Run(prefill, {2, 3, 5, 2}).ok());
  std::vector<NullCall> calls = Dispatches(device);
  ASSERT_EQ(calls.size(), 5u);
  EXPECT_EQ(calls[0].groups, (hal::Size3{3, 1, 1}));
  EXPECT_EQ(calls[0].args,
            (std::vector<std::string>{"tokens", "embedding", "gain", "x",
                                      "parameters"}));
  EXPECT_EQ(calls[3].groups, (hal::Size3{2, 1, 1}));
  EXPECT_EQ(calls[3].local, (hal::Size3{4, 1, 1}));
  device.ClearCalls();
  ASSERT_TRUE((*session)->Run(prefill, {2, 0, 2, 0}).ok());
  EXPECT_EQ(Dispatches(device).size(), 4u);
}

TEST(SessionTest, BoundsEveryParameter) {
  hal::NullDevice device;
  const Plan plan = Loaded(plan::SamplePlan());
  const auto session = OpenRandom(device, plan);
  ASSERT_TRUE(session.ok()) << session.status();
  device.ClearCalls();
  const auto run = [&](std::vector<int32_t> words) {
    return (*session)->Run(0, words);
  };
  ExpectOneLineError(run({0, 1}), "wanted 4 parameter words, found 2");
  ExpectOneLineError(run({-1, 1, 0, 0}),
                     "prefill: parameter 'position': wanted 0 to 15, found -1");
  ExpectOneLineError(run({14, 3, 17, 0}), "'end': wanted 0 to 16, found 17");
  ExpectOneLineError(run({0, 5, 5, 0}), "'active': wanted 0 to 4");
  ExpectOneLineError(run({0, 4, 4, 4}), "'row': wanted 0 to 3");
  // Another entry point has ranges of its own, and its own parameters only.
  ExpectOneLineError((*session)->Run(1, {0, 2, 2, 0}),
                     "decode: parameter 'active': wanted 0 to 1, found 2");
  ExpectOneLineError((*session)->Run(2, {0, 1, 1, 4}), "head: parameter 'row'");
  ExpectOneLineError((*session)->Run(3, {0, 1, 1, 0}), "entry point number 3");
  EXPECT_TRUE(device.calls().empty());
}

TEST(SessionTest, PortsAreBounded) {
  hal::NullDevice device;
  const Plan plan = Loaded(plan::SamplePlan());
  const auto session = OpenRandom(device, plan);
  ASSERT_TRUE(session.ok()) << session.status();
  std::vector<uint8_t> bytes(17);
  ExpectOneLineError((*session)->SetInput(0, 0, bytes),
                     "'tokens': wanted at most 16 bytes, found 17");
  ExpectOneLineError((*session)->SetInput(0, 1, bytes), "port number 1");
  ExpectOneLineError((*session)->ReadOutput(0, 1, absl::MakeSpan(bytes)),
                     "'token': wanted at most 4");
}

TEST(SessionTest, KernelsMustFitThePlan) {
  hal::NullDevice device;
  DefineSampleKernels(device);
  hal::NullKernel head;
  head.num_args = 3;
  head.max_work_group_size = 2;
  device.DefineKernel("head", head);
  const Plan plan = Loaded(plan::SamplePlan());
  ExpectOneLineError(OpenRandom(device, plan).status(),
                     "kernel 'head': wants work-groups of 4 items, on this "
                     "device it can have 2");
  head.num_args = 2;
  device.DefineKernel("head", head);
  ExpectOneLineError(OpenRandom(device, plan).status(),
                     "kernel 'head': wanted 3 arguments, it has 2");
}

TEST(SessionTest, DamagedWeightsAreNamed) {
  class Broken : public weights::WeightProvider {
    absl::StatusOr<absl::Span<const uint8_t>> Load(uint32_t) override {
      return absl::DataLossError("weight 'w' is damaged");
    }
  };
  hal::NullDevice device;
  Broken broken;
  const Plan plan = Loaded(plan::SamplePlan());
  ExpectOneLineError(Session::Open(device, *plan, broken).status(),
                     "weight 'w' is damaged");
  EXPECT_EQ(device.allocated_bytes(), 0);
}

}  // namespace
}  // namespace millrace::session
