// SPDX-License-Identifier: Apache-2.0
//
// Values that a hostile or broken compiler could put in a plan: each is refused
// with a line that names it.
#include "runtime/plan/verifier.h"

#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "runtime/plan/reader.h"
#include "runtime/plan/sample_plan_for_test.h"

namespace millrace::plan {
namespace {

using schema::Axis;
using schema::Digit;
using schema::GridDim;
using schema::Memory;
using schema::ObjectKind;
using schema::ParameterRange;
using schema::PlanT;
using schema::ScalarType;

constexpr int64_t kHuge = INT64_MAX;

struct Case {
  const char* name;
  std::function<void(PlanT&)> breaks;
  const char* message;  // a part of it
};

std::vector<Case> ModelCases() {
  return {
      {"Version", [](PlanT& p) { p.version = 99; }, "version"},
      {"EmptyName", [](PlanT& p) { p.model->name = ""; }, "name"},
      {"LongName", [](PlanT& p) { p.model->name = std::string(500, 'x'); },
       "wanted a name of 1 to 200"},
      {"Escape", [](PlanT& p) { p.model->name = "\x1b[2J"; }, "control"},
      {"Eos", [](PlanT& p) { p.model->eos = {-1}; }, "eos token"},
      {"Context", [](PlanT& p) { p.model->context = -1; }, "context"},
      {"Need", [](PlanT& p) { p.needs->local_bytes = -5; }, "needs"},
      {"Report", [](PlanT& p) { p.memory->arena_bytes = 1; }, "memory report"},
      {"Parameter", [](PlanT& p) { p.parameters[1] = "a\nb"; }, "parameter 1"},
  };
}

std::vector<Case> ObjectCases() {
  return {
      {"Kind", [](PlanT& p) { p.objects[0]->kind = ObjectKind(9); }, "kind"},
      {"Scalar", [](PlanT& p) { p.objects[0]->scalar = ScalarType(-1); },
       "scalar type"},
      {"Memory", [](PlanT& p) { p.objects[3]->memory = Memory(77); }, "memory"},
      {"Slab", [](PlanT& p) { p.objects[3]->slab = 50; }, "slab: wanted 0"},
      {"NoSlab", [](PlanT& p) { p.objects[3]->slab = -1; }, "slab: wanted 0"},
      {"OtherSlab", [](PlanT& p) { p.objects[3]->slab = 0; },
       "is in Arena memory, its slab in Parameters"},
      {"SlabOfTexture", [](PlanT& p) { p.objects[6]->slab = 0; },
       "slab of a texture"},
      {"SlabMemory", [](PlanT& p) { p.slabs[0]->memory = Memory(77); },
       "memory"},
      {"SlabOfPool", [](PlanT& p) { p.slabs[0]->memory = Memory::Pool; },
       "the pool is of textures"},
      {"SlabBytes", [](PlanT& p) { p.slabs[0]->bytes = 0; }, "bytes"},
      {"SlabSum",
       [](PlanT& p) {
         p.slabs[0]->bytes = p.slabs[1]->bytes = int64_t{1} << 48;
       },
       "too large"},
      {"SlabName", [](PlanT& p) { p.slabs[0]->name = "a\nb"; }, "control"},
      {"Shared", [](PlanT& p) { p.objects[8]->offset = p.objects[7]->offset; },
       "shares memory with"},
      {"Width", [](PlanT& p) { p.objects[3]->width = 0; }, "width"},
      {"Overflow", [](PlanT& p) { p.objects[3]->width = kHuge / 2; }, "width"},
      {"Product",
       [](PlanT& p) {
         p.objects[6]->width = p.objects[6]->height = int64_t{1} << 40;
       },
       "too large"},
      {"BufferHeight", [](PlanT& p) { p.objects[3]->height = 2; }, "height"},
      {"TextureDepth", [](PlanT& p) { p.objects[6]->depth = 2; }, "depth"},
      {"Lanes", [](PlanT& p) { p.objects[3]->lanes = 3; }, "lanes"},
      {"ImageLanes", [](PlanT& p) { p.objects[6]->lanes = 1; }, "lanes"},
      {"Bytes", [](PlanT& p) { p.objects[3]->bytes += 1; }, "bytes"},
      {"ArenaEnd", [](PlanT& p) { p.objects[3]->offset += 64; }, "offset"},
      {"ArenaNegative", [](PlanT& p) { p.objects[3]->offset = -64; }, "offset"},
      {"ArenaOverflow", [](PlanT& p) { p.objects[3]->offset = kHuge - 15; },
       "offset"},
      {"ArenaMisaligned", [](PlanT& p) { p.objects[3]->offset = 4; },
       "multiple of 64"},
      {"ArenaTexture", [](PlanT& p) { p.objects[6]->memory = Memory::Arena; },
       "texture cannot be in Arena memory"},
      {"PoolIndex", [](PlanT& p) { p.objects[6]->offset = 1; },
       "pool texture number 1, but there are 1"},
      {"PoolNegative", [](PlanT& p) { p.objects[6]->offset = -1; }, "pool"},
      {"PoolKind", [](PlanT& p) { p.pool[0]->scalar = ScalarType::F16; },
       "another kind or type"},
      {"PoolSize", [](PlanT& p) { p.pool[0]->width = 0; }, "pool texture 0"},
      {"PoolBuffer", [](PlanT& p) { p.pool[0]->kind = ObjectKind::Buffer; },
       "wanted a texture"},
      {"TwoParameterBuffers",
       [](PlanT& p) {
         p.objects[1]->memory = Memory::Parameters;
         p.objects[1]->slab = p.objects[0]->slab;
       },
       "parameter buffers"},
      {"ShortParameters", [](PlanT& p) { p.parameters.resize(5, "more"); },
       "words"},
  };
}

std::vector<Case> WeightCases() {
  return {
      {"ObjectIndex", [](PlanT& p) { p.weights[0]->objects[0] = 1000; },
       "object number 1000"},
      {"OtherMemory", [](PlanT& p) { p.weights[0]->objects[0] = 3; },
       "other memory"},
      {"Twice", [](PlanT& p) { p.weights[1]->objects = p.weights[0]->objects; },
       "belongs to another"},
      {"NoObject", [](PlanT& p) { p.weights[0]->objects.clear(); }, "objects"},
      {"Offset", [](PlanT& p) { p.weights[0]->offset = -256; }, "offset"},
      {"Overlap", [](PlanT& p) { p.weights[1]->offset = 0; }, "offset"},
      {"Misaligned", [](PlanT& p) { p.weights[1]->offset += 16; },
       "multiple of 256"},
      {"PastTheEnd", [](PlanT& p) { p.weight_file_bytes = 256; },
       "bytes of the weights file"},
      {"Bytes", [](PlanT& p) { p.weights[0]->bytes = 1; }, "bytes"},
      {"Scalar", [](PlanT& p) { p.weights[0]->scalar = ScalarType::I32; },
       "wanted f32 or f16"},
      {"SourceShape",
       [](PlanT& p) { p.weights[0]->sources[0]->shape = {7, 4}; },
       "elements of all sources"},
      {"SourceOverflow",
       [](PlanT& p) {
         p.weights[0]->sources[0]->shape = {int64_t{1} << 40, 1 << 30};
       },
       "too large"},
      {"SourceNegative",
       [](PlanT& p) { p.weights[0]->sources[0]->shape = {-8, -4}; },
       "above zero"},
      {"NoSource", [](PlanT& p) { p.weights[0]->sources.clear(); },
       "either sources or constant"},
      {"Constant", [](PlanT& p) { p.weights[2]->constant.pop_back(); },
       "elements"},
      {"Gap",
       [](PlanT& p) { p.weights[0]->layout->x = {Digit(Axis::O, 2, 8)}; },
       "wanted one of divisor 1"},
      {"Short",
       [](PlanT& p) { p.weights[0]->layout->x = {Digit(Axis::O, 1, 4)}; },
       "cover 4 of 8"},
      {"ZeroDigit",
       [](PlanT& p) { p.weights[0]->layout->x = {Digit(Axis::O, 1, 0)}; },
       "bad extent of a digit: 0"},
      {"HugeDigit",
       [](PlanT& p) { p.weights[0]->layout->x = {Digit(Axis::O, 1, kHuge)}; },
       "bad extent of a digit"},
      {"Padding",
       [](PlanT& p) {
         p.weights[0]->layout->x = {Digit(Axis::O, 1, int64_t{1} << 28)};
       },
       "elements with padding"},
      {"GapInFile",
       [](PlanT& p) {
         p.weights[1]->offset += 256;
         p.weights[2]->offset += 256;
         p.weight_file_bytes += 256;
       },
       "offset"},
      {"TailOfFile", [](PlanT& p) { p.weight_file_bytes = 5000000000; },
       "bytes of the weights file"},
      {"ManyAxes",
       [](PlanT& p) {
         p.weights[0]->layout->axes.assign(9, Axis::O);
         p.weights[0]->layout->shape.assign(9, 1);
       },
       "1 to 8 axes"},
      {"LongShape",
       [](PlanT& p) { p.weights[0]->sources[0]->shape.assign(9, 1); },
       "extents"},
      {"BadAxis",
       [](PlanT& p) { p.weights[0]->layout->x = {Digit(Axis(50), 1, 8)}; },
       "axis"},
      {"ForeignAxis",
       [](PlanT& p) { p.weights[0]->layout->y = {Digit(Axis::W, 1, 1)}; },
       "which the tensor lacks"},
      {"AxisTwice",
       [](PlanT& p) { p.weights[0]->layout->axes = {Axis::O, Axis::O}; },
       "more than once"},
      {"AxesAndShape", [](PlanT& p) { p.weights[0]->layout->shape = {8}; },
       "extents"},
      {"LayoutSize",
       [](PlanT& p) { p.weights[0]->layout->x = {Digit(Axis::O, 1, 16)}; },
       "its layout makes 16"},
      {"StateBytes", [](PlanT& p) { p.states[0]->bytes = 3; }, "bytes"},
      {"StateObject", [](PlanT& p) { p.states[0]->objects = {0}; },
       "other memory"},
      {"StateUnowned", [](PlanT& p) { p.states.pop_back(); },
       "nothing owns it"},
  };
}

std::vector<Case> DispatchCases() {
  return {
      {"Program", [](PlanT& p) { p.kernels[0]->program = 7; },
       "program number 7, but there are 2"},
      {"Source", [](PlanT& p) { p.programs[0]->source = ""; }, "source"},
      {"NullInSource",
       [](PlanT& p) { p.programs[0]->source = std::string("a\0b", 3); },
       "null character"},
      {"KernelName", [](PlanT& p) { p.kernels[0]->name = "a b"; },
       "no identifier"},
      {"Group", [](PlanT& p) { p.kernels[0]->group = {1, 1}; }, "group"},
      {"GroupZero", [](PlanT& p) { p.kernels[0]->group = {0, 1, 1}; }, "group"},
      {"GroupProduct",
       [](PlanT& p) { p.kernels[0]->group = {4096, 4096, 4096}; }, "group"},
      {"Arguments",
       [](PlanT& p) { p.kernels[0]->arguments.push_back(ObjectKind::Buffer); },
       "bindings"},
      {"NoArgument", [](PlanT& p) { p.kernels[0]->arguments.clear(); },
       "arguments"},
      {"ArgumentKind",
       [](PlanT& p) { p.kernels[0]->arguments[1] = ObjectKind(9); },
       "kind of an argument"},
      {"BindingKind",
       [](PlanT& p) { p.kernels[0]->arguments[1] = ObjectKind::Texture2d; },
       "argument 1: wanted Texture2d, found object"},
      {"Kernel",
       [](PlanT& p) {
         p.entry_points[0]->forms[0]->dispatches[0]->kernel = 99;
       },
       "kernel number 99"},
      {"Binding",
       [](PlanT& p) {
         p.entry_points[0]->forms[0]->dispatches[0]->bindings[2] = 99;
       },
       "object number 99"},
      {"Grid",
       [](PlanT& p) {
         p.entry_points[0]->forms[0]->dispatches[0]->grid.pop_back();
       },
       "grid"},
      {"GridBase",
       [](PlanT& p) {
         p.entry_points[0]->forms[0]->dispatches[0]->grid[0] =
             GridDim(kHuge, 1, 0);
       },
       "grid base"},
      {"GridDivisor",
       [](PlanT& p) {
         p.entry_points[0]->forms[0]->dispatches[0]->grid[0] = GridDim(1, 0, 0);
       },
       "grid divisor"},
      {"GridParameter",
       [](PlanT& p) {
         p.entry_points[0]->forms[0]->dispatches[0]->grid[0] = GridDim(1, 1, 4);
       },
       "parameter"},
      {"GridTooLarge",
       [](PlanT& p) {
         p.entry_points[0]->forms[0]->dispatches[0]->grid[0] =
             GridDim(1000000000, 1, -1);
       },
       "work-items"},
      {"GridTooLargeInZ",
       [](PlanT& p) {
         p.entry_points[0]->forms[0]->dispatches[0]->grid[2] =
             GridDim(INT32_MAX, 1, -1);
       },
       "work-items"},
      {"GridTooLargeByParameter",
       [](PlanT& p) {
         p.entry_points[0]->forms[0]->dispatches[0]->grid[0] =
             GridDim(100000, 1, 2);
       },
       "work-items"},
      {"GridParameterOfOthers",
       [](PlanT& p) {
         p.entry_points[2]->forms[0]->dispatches[0]->grid[0] = GridDim(1, 1, 1);
       },
       "wanted one of the entry point, found number 1"},
      {"ParameterWord",
       [](PlanT& p) {
         p.entry_points[0]->parameters[0] = ParameterRange(4, 0, 1);
       },
       "parameter number 4"},
      {"ParameterMin",
       [](PlanT& p) {
         p.entry_points[0]->parameters[0] = ParameterRange(0, -1, 1);
       },
       "smallest value"},
      {"ParameterMax",
       [](PlanT& p) {
         p.entry_points[0]->parameters[0] = ParameterRange(0, 2, 1);
       },
       "largest value"},
      {"ParameterTwice",
       [](PlanT& p) {
         p.entry_points[0]->parameters[0] = ParameterRange(1, 0, 1);
       },
       "parameter number 1 is there twice"},
      {"CostFull",
       [](PlanT& p) {
         p.entry_points[0]->forms[0]->dispatches[0]->cost_full = 0;
       },
       "cost_full"},
      {"PortObject",
       [](PlanT& p) { p.entry_points[0]->inputs[0]->object = 99; },
       "object number 99"},
      {"PortMemory", [](PlanT& p) { p.entry_points[0]->inputs[0]->object = 3; },
       "Arena memory"},
      {"PortShape", [](PlanT& p) { p.entry_points[0]->inputs[0]->shape = {5}; },
       "elements"},
      {"PortType",
       [](PlanT& p) { p.entry_points[0]->inputs[0]->scalar = ScalarType::F32; },
       "another type"},
      {"PortsAlike",
       [](PlanT& p) { p.entry_points[0]->outputs[1]->name = "logits"; },
       "two ports"},
      {"EntriesAlike", [](PlanT& p) { p.entry_points[1]->name = "prefill"; },
       "same name"},
  };
}

// A sound self-check of the form "fast", for the cases to break.
void AddCheckedForm(PlanT& plan) {
  auto& forms = plan.entry_points[2]->forms;
  forms.push_back(std::make_unique<schema::FormT>(*forms[0]));
  forms[1]->name = "fast";
  forms[1]->check = std::make_unique<schema::SelfCheckT>();
  schema::SelfCheckT& check = *forms[1]->check;
  check.parameters = {0, 0, 0, 0};
  check.inputs.push_back(std::make_unique<schema::CheckInputT>());
  check.inputs[0]->object = 5;  // hidden
  check.inputs[0]->data.assign(64, 0);
  check.outputs.push_back(std::make_unique<schema::CheckOutputT>());
  check.outputs[0]->object = 7;  // logits
  check.outputs[0]->values.assign(8, 0.0f);
}

std::vector<Case> FormCases() {
  return {
      {"None", [](PlanT& p) { p.entry_points[2]->forms.clear(); },
       "forms: wanted 1 to"},
      {"NamesAlike",
       [](PlanT& p) { p.entry_points[2]->forms[1]->name = "only"; },
       "two forms are called 'only'"},
      {"Needs",
       [](PlanT& p) { p.entry_points[2]->forms[1]->needs->local_bytes = -1; },
       "form 1 'fast': needs"},
      {"Kernel",
       [](PlanT& p) {
         p.entry_points[2]->forms[1]->dispatches[0]->kernel = 99;
       },
       "kernel number 99"},
      {"Words",
       [](PlanT& p) {
         p.entry_points[2]->forms[1]->check->parameters.pop_back();
       },
       "parameter words"},
      {"Word",
       [](PlanT& p) { p.entry_points[2]->forms[1]->check->parameters[0] = -1; },
       "a parameter word"},
      {"NoOutput",
       [](PlanT& p) { p.entry_points[2]->forms[1]->check->outputs.clear(); },
       "it has no output"},
      {"InputObject",
       [](PlanT& p) {
         p.entry_points[2]->forms[1]->check->inputs[0]->object = 99;
       },
       "object number 99"},
      {"InputIsWeight",
       [](PlanT& p) {
         p.entry_points[2]->forms[1]->check->inputs[0]->object = 9;
       },
       "wanted a buffer of the session's"},
      {"InputTooLong",
       [](PlanT& p) {
         p.entry_points[2]->forms[1]->check->inputs[0]->data.resize(65);
       },
       "bytes: wanted 1 to 64"},
      {"OutputTooLong",
       [](PlanT& p) {
         p.entry_points[2]->forms[1]->check->outputs[0]->values.resize(9);
       },
       "bytes: wanted 1 to 32"},
      {"NotFinite",
       [](PlanT& p) {
         p.entry_points[2]->forms[1]->check->outputs[0]->values[3] = NAN;
       },
       "finite"},
      {"Tolerance",
       [](PlanT& p) { p.entry_points[2]->forms[1]->check->tolerance = -1.0f; },
       "tolerance"},
  };
}

void Check(const Case& test) {
  SCOPED_TRACE(test.name);
  PlanBuilder builder = SamplePlan();
  test.breaks(builder.plan());
  const absl::StatusOr<Plan> plan = Plan::FromBytes(builder.File());
  ASSERT_FALSE(plan.ok());
  EXPECT_TRUE(absl::StrContains(plan.status().message(), test.message))
      << plan.status();
  EXPECT_FALSE(absl::StrContains(plan.status().message(), "\n"));
}

TEST(VerifierTest, TakesTheSample) {
  const absl::StatusOr<Plan> plan = Plan::FromBytes(SamplePlan().File());
  EXPECT_TRUE(plan.ok()) << plan.status();
}

TEST(VerifierTest, RefusesBadModels) {
  for (const Case& test : ModelCases()) {
    Check(test);
  }
}

TEST(VerifierTest, RefusesBadObjects) {
  for (const Case& test : ObjectCases()) {
    Check(test);
  }
}

TEST(VerifierTest, RefusesBadWeightsAndStates) {
  for (const Case& test : WeightCases()) {
    Check(test);
  }
}

TEST(VerifierTest, RefusesBadForms) {
  PlanBuilder builder = SamplePlan();
  AddCheckedForm(builder.plan());
  const absl::Status sound = Plan::FromBytes(builder.File()).status();
  ASSERT_TRUE(sound.ok()) << sound;
  for (Case& test : FormCases()) {
    const auto breaks = test.breaks;
    test.breaks = [&](PlanT& plan) {
      AddCheckedForm(plan);
      breaks(plan);
    };
    Check(test);
  }
}

TEST(VerifierTest, RefusesBadDispatches) {
  for (const Case& test : DispatchCases()) {
    Check(test);
  }
}

// Two tensors that one dispatch binds cannot share memory; views of the same
// bytes, and tensors that are never alive together, can.
TEST(VerifierTest, LiveTensorsAreApart) {
  const auto with_second_at = [](int64_t offset, int64_t vectors) {
    PlanBuilder builder = SamplePlan();
    const uint32_t second = builder.AddBuffer(
        "second", Memory::Arena, ScalarType::F32, vectors, 4, offset);
    builder.plan().entry_points[0]->forms[0]->dispatches[1]->bindings[1] =
        second;
    return Plan::FromBytes(builder.File()).status();
  };
  EXPECT_TRUE(with_second_at(0, kSampleChunk).ok());
  EXPECT_TRUE(with_second_at(512, kSampleChunk).ok());
  EXPECT_TRUE(with_second_at(576, kSampleChunk).ok());
  EXPECT_FALSE(with_second_at(512, 2 * kSampleChunk).ok());
  const absl::Status status = with_second_at(448, 2 * kSampleChunk);
  EXPECT_TRUE(
      absl::StrContains(status.message(), "alive at once and share memory"))
      << status;
}

// As many views of one place as a plan likes, all alive at once: the time grows
// with their number, not with its square.
TEST(VerifierTest, ManyViewsOfOnePlaceAreQuick) {
  PlanBuilder builder = SamplePlan();
  constexpr int kViews = 100000;
  std::vector<uint32_t> views;
  for (int i = 0; i < kViews; ++i) {
    views.push_back(builder.AddBuffer("v", Memory::Arena, ScalarType::F32,
                                      kSampleChunk, 4, 512));
  }
  auto& dispatches = builder.plan().entry_points[0]->forms[0]->dispatches;
  const schema::DispatchT copy = *dispatches[1];
  for (int round = 0; round < 2; ++round) {
    for (uint32_t view : views) {
      dispatches.push_back(std::make_unique<schema::DispatchT>(copy));
      dispatches.back()->bindings[0] = view;
    }
  }
  const absl::Time start = absl::Now();
  const absl::Status status = Plan::FromBytes(builder.File()).status();
  EXPECT_TRUE(status.ok()) << status;
  EXPECT_LT(absl::Now() - start, absl::Seconds(10));
}

TEST(VerifierTest, PoolTexturesAreTakenInTurns) {
  PlanBuilder builder = SamplePlan();
  const uint32_t second =
      builder.AddImage("second", Memory::Pool, ObjectKind::Texture2d,
                       ScalarType::F32, {1, 1, 1}, /*offset=*/0);
  builder.plan().entry_points[0]->forms[0]->dispatches[3]->bindings[1] = second;
  const absl::Status status = Plan::FromBytes(builder.File()).status();
  EXPECT_TRUE(absl::StrContains(status.message(), "share memory")) << status;
}

}  // namespace
}  // namespace millrace::plan
