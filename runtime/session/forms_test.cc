// SPDX-License-Identifier: Apache-2.0
//
// Which form of an entry point is taken: by needs, by building, by self-check,
// on the null device and, where there is one, on OpenCL.
#include "runtime/session/forms.h"

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "gtest/gtest.h"
#include "models/checkpoints/testing.h"
#include "runtime/hal/driver.h"
#include "runtime/hal/null/null_device.h"
#include "runtime/plan/plan_builder_for_test.h"
#include "runtime/plan/reader.h"
#include "runtime/session/session.h"

namespace millrace::session {
namespace {

using checkpoints::ExpectOneLineError;
using plan::Groups;
using plan::Plan;
using plan::PlanBuilder;
using plan::schema::Memory;
using plan::schema::ObjectKind;
using plan::schema::ScalarType;

constexpr int kCount = 8;

// `name`: y[i] = x[i] FUNCTION.
std::string Source(const std::string& name, const std::string& function) {
  return "kernel void " + name +
         "(global char* xs, long xo, global char* ys, long yo) {\n"
         "  const int i = get_global_id(0);\n"
         "  ((global float*)(ys + yo))[i] = ((global float*)(xs + xo))[i] " +
         function + ";\n}\n";
}

// One entry point, "twice": y = 2 x.
struct Twice {
  PlanBuilder builder;
  uint32_t entry, x, y;

  Twice() {
    x = builder.AddBuffer("x", Memory::Input, ScalarType::F32, kCount);
    y = builder.AddBuffer("y", Memory::Output, ScalarType::F32, kCount);
    entry = builder.AddEntryPoint("twice");
    builder.AddInput(entry, "x", x, {kCount});
    builder.AddOutput(entry, "y", y, {kCount});
    builder.plan().entry_points[entry]->forms.clear();
  }

  // Dispatches kernel `name`, whose source is that of FUNCTION unless given.
  plan::schema::FormT& AddForm(const std::string& name,
                               const std::string& function) {
    return AddFormOfSource(name, Source(name, function));
  }

  plan::schema::FormT& AddFormOfSource(const std::string& name,
                                       const std::string& source) {
    plan::schema::FormT& form = builder.AddForm(entry, name);
    const uint32_t program = builder.AddProgram(name, source);
    const uint32_t kernel =
        builder.AddKernel(name, program, {kCount, 1, 1},
                          {ObjectKind::Buffer, ObjectKind::Buffer});
    builder.AddDispatch(entry, name, kernel, {Groups(1), Groups(1), Groups(1)},
                        {x, y});
    return form;
  }

  // 1, 2, 3, ... must give 2, 4, 6, ...
  void AddCheck(plan::schema::FormT& form) {
    form.check = std::make_unique<plan::schema::SelfCheckT>();
    form.check->tolerance = 1e-6f;
    auto input = std::make_unique<plan::schema::CheckInputT>();
    auto output = std::make_unique<plan::schema::CheckOutputT>();
    input->object = x;
    output->object = y;
    for (int i = 0; i < kCount; ++i) {
      const float value = static_cast<float>(i + 1);
      const auto* bytes = reinterpret_cast<const uint8_t*>(&value);
      input->data.insert(input->data.end(), bytes, bytes + sizeof(value));
      output->values.push_back(2 * value);
    }
    form.check->inputs.push_back(std::move(input));
    form.check->outputs.push_back(std::move(output));
  }
};

class NoWeights : public weights::WeightProvider {
  absl::StatusOr<absl::Span<const uint8_t>> Load(uint32_t) override {
    return absl::InternalError("there are none");
  }
};

// A kernel of the null device: y = x * factor + addend.
void Define(hal::NullDevice& device, const char* name, float factor,
            float addend = 0) {
  hal::NullKernel kernel;
  kernel.num_args = 2;
  kernel.run = [=](absl::Span<const hal::NullArg> args, const hal::Size3&,
                   const hal::Size3&) {
    const auto* x = reinterpret_cast<const float*>(args[0].bytes.data());
    auto* y = reinterpret_cast<float*>(args[1].bytes.data());
    for (int i = 0; i < kCount; ++i) {
      y[i] = x[i] * factor + addend;
    }
  };
  device.DefineKernel(name, std::move(kernel));
}

class FormsTest : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (std::string(GetParam()) == "null") {
      auto null_device = std::make_unique<hal::NullDevice>();
      Define(*null_device, "plain", 2);
      Define(*null_device, "fast", 2);
      Define(*null_device, "wrong", 2, 1);
      Define(*null_device, "unfit", NAN);
      device_ = std::move(null_device);
      return;
    }
    auto opened = hal::OpenDevice({});
    if (absl::IsNotFound(opened.status())) {
      GTEST_SKIP() << opened.status();
    }
    ASSERT_TRUE(opened.ok()) << opened.status();
    device_ = *std::move(opened);
  }

  // What was chosen, as text; it must compute 2 x.
  std::string Chosen(Twice& twice) {
    plan_ = Loaded(twice);
    NoWeights weights;
    auto session = Session::Open(*device_, **plan_, weights);
    EXPECT_TRUE(session.ok()) << session.status();
    if (!session.ok()) {
      return "";
    }
    const std::vector<float> x(kCount, 21.0f);
    std::vector<float> y(kCount);
    const auto bytes = kCount * sizeof(float);
    EXPECT_TRUE(
        (*session)
            ->SetInput(0, 0,
                       {reinterpret_cast<const uint8_t*>(x.data()), bytes})
            .ok());
    EXPECT_TRUE((*session)->Run(0, {}).ok());
    EXPECT_TRUE(
        (*session)
            ->ReadOutput(0, 0, {reinterpret_cast<uint8_t*>(y.data()), bytes})
            .ok());
    EXPECT_EQ(y, std::vector<float>(kCount, 42.0f));
    return DescribeForms(**plan_, (*session)->model()->forms());
  }

  absl::Status OpenError(Twice& twice) {
    plan_ = Loaded(twice);
    NoWeights weights;
    return Session::Open(*device_, **plan_, weights).status();
  }

  static std::unique_ptr<Plan> Loaded(Twice& twice) {
    auto plan = Plan::FromBytes(twice.builder.File());
    EXPECT_TRUE(plan.ok()) << plan.status();
    return std::make_unique<Plan>(*std::move(plan));
  }

  std::unique_ptr<hal::Device> device_;
  std::unique_ptr<Plan> plan_;
};

TEST_P(FormsTest, TheOnlyFormIsNotWorthAWord) {
  Twice twice;
  twice.AddForm("plain", "* 2");
  EXPECT_EQ(Chosen(twice), "");
}

TEST_P(FormsTest, TheFirstIsTakenAndOthersAreNotBuilt) {
  Twice twice;
  twice.AddForm("fast", "+ 21");
  twice.AddFormOfSource("plain", "this does not compile");
  // On the null device "fast" is 2 x, as its definition says.
  EXPECT_EQ(Chosen(twice), "twice: form 'fast'\n");
}

TEST_P(FormsTest, NeedsDecide) {
  Twice twice;
  twice.AddForm("fast", "* 2").needs->extensions = {"cl_none_such"};
  twice.AddForm("wrong", "* 2").needs->local_bytes = int64_t{1} << 40;
  twice.AddForm("plain", "* 2");
  const std::string text = Chosen(twice);
  EXPECT_TRUE(absl::StartsWith(
      text,
      "twice: form 'plain', not fast: the plan wants the extension "
      "cl_none_such"))
      << text;
  EXPECT_TRUE(absl::StrContains(text, "; wrong: the plan wants local memory"))
      << text;
}

TEST_P(FormsTest, ASelfCheckThatPassesDecides) {
  Twice twice;
  twice.AddCheck(twice.AddForm("fast", "* 2"));
  twice.AddForm("plain", "* 2");
  EXPECT_EQ(Chosen(twice), "twice: form 'fast'\n");
  EXPECT_EQ(device_->allocated_bytes(), 0);
}

TEST_P(FormsTest, ASelfCheckThatFailsGoesOn) {
  Twice twice;
  twice.AddCheck(twice.AddForm("unfit", "* NAN"));
  twice.AddCheck(twice.AddForm("wrong", "* 2 + 1"));
  twice.AddCheck(twice.AddForm("plain", "* 2"));
  const std::string text = Chosen(twice);
  EXPECT_TRUE(
      absl::StartsWith(text, "twice: form 'plain', not unfit: self-check"))
      << text;
  EXPECT_TRUE(absl::StrContains(
      text, "wrong: self-check: 'y' [0]: wanted 2 within 1e-06, found 3"))
      << text;
}

TEST_P(FormsTest, WithoutAFormThatRunsThereIsOneLine) {
  Twice twice;
  twice.AddForm("fast", "* 2").needs->extensions = {"cl_none_such"};
  twice.AddCheck(twice.AddForm("wrong", "* 2 + 1"));
  const absl::Status status = OpenError(twice);
  ExpectOneLineError(status, "runs none of its forms: fast: the plan wants");
  ExpectOneLineError(status, "; wrong: self-check");
  EXPECT_EQ(device_->allocated_bytes(), 0);
}

TEST_P(FormsTest, AProgramThatDoesNotBuildGoesOn) {
  if (std::string(GetParam()) == "null") {
    GTEST_SKIP() << "nothing fails to build here";
  }
  Twice twice;
  twice.AddFormOfSource("fast", "this does not compile");
  twice.AddForm("plain", "* 2");
  const std::string text = Chosen(twice);
  EXPECT_TRUE(absl::StrContains(text, "'plain', not fast: program 'fast'"))
      << text;
}

INSTANTIATE_TEST_SUITE_P(Devices, FormsTest,
                         ::testing::Values("null", "opencl"),
                         [](const auto& info) {
                           return std::string(info.param);
                         });

}  // namespace
}  // namespace millrace::session
