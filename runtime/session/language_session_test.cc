// SPDX-License-Identifier: Apache-2.0
//
// The sample model, run on the null device and on an OpenCL device where there
// is one, against its five-line definition.
#include "runtime/session/language_session.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "gtest/gtest.h"
#include "models/checkpoints/random_weights.h"
#include "models/checkpoints/testing.h"
#include "runtime/hal/driver.h"
#include "runtime/hal/null/null_device.h"
#include "runtime/plan/reader.h"
#include "runtime/plan/sample_plan_for_test.h"
#include "runtime/session/sample_kernels_for_test.h"
#include "runtime/session/trace.h"

namespace millrace::session {
namespace {

using checkpoints::ExpectOneLineError;
using plan::kSampleVocabulary;

constexpr uint64_t kSeed = 11;

std::vector<float> RandomMatrix(const char* name) {
  const std::vector<int64_t> shape = {kSampleVocabulary, plan::kSampleChannels};
  std::vector<float> values(static_cast<size_t>(shape[0] * shape[1]));
  checkpoints::RandomTensor(kSeed, name, shape).Fill(0, absl::MakeSpan(values));
  return values;
}

std::vector<float> Expected(absl::Span<const int> tokens) {
  return plan::SampleLogits(RandomMatrix("embed.weight"),
                            RandomMatrix("lm_head.weight"), tokens);
}

void ExpectNear(absl::Span<const float> found, absl::Span<const float> wanted) {
  ASSERT_EQ(found.size(), wanted.size());
  for (size_t i = 0; i < found.size(); ++i) {
    EXPECT_NEAR(found[i], wanted[i], 1e-4) << i;
  }
}

// Runs each test on each device.
class LanguageSessionTest : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (std::string(GetParam()) == "null") {
      auto null_device = std::make_unique<hal::NullDevice>();
      DefineSampleKernels(*null_device);
      device_ = std::move(null_device);
    } else {
      auto opened = hal::OpenDevice({});
      if (absl::IsNotFound(opened.status())) {
        GTEST_SKIP() << opened.status();
      }
      ASSERT_TRUE(opened.ok()) << opened.status();
      device_ = *std::move(opened);
    }
    auto plan = plan::Plan::FromBytes(plan::SamplePlan().File());
    ASSERT_TRUE(plan.ok()) << plan.status();
    plan_ = std::make_unique<plan::Plan>(*std::move(plan));
    const auto weights =
        weights::PackOnTheFly(**plan_, weights::RandomSource(kSeed));
    auto session = Session::Open(*device_, **plan_, *weights);
    ASSERT_TRUE(session.ok()) << session.status();
    session_ = *std::move(session);
    auto model = LanguageSession::Create(*session_);
    ASSERT_TRUE(model.ok()) << model.status();
    model_ = *std::move(model);
  }

  // Logits after each token of a fresh sequence.
  std::vector<float> AllLogits(const std::vector<int32_t>& tokens) {
    EXPECT_TRUE(model_->Reset().ok());
    std::vector<float> all;
    const absl::Status status =
        model_->PrefillWithLogits(tokens, [&](absl::Span<const float> logits) {
          all.insert(all.end(), logits.begin(), logits.end());
          return absl::OkStatus();
        });
    EXPECT_TRUE(status.ok()) << status;
    return all;
  }

  std::unique_ptr<hal::Device> device_;
  std::unique_ptr<plan::Plan> plan_;
  std::unique_ptr<Session> session_;
  std::unique_ptr<LanguageSession> model_;
};

TEST_P(LanguageSessionTest, PrefillInChunksThenDecode) {
  const std::vector<int> tokens = {3, 1, 7, 2, 2, 5, 4, 6};
  const std::vector<float> wanted = Expected(tokens);
  // Six tokens: a full chunk and half of one.
  ASSERT_TRUE(model_->Reset().ok());
  auto step = model_->Prefill(absl::MakeConstSpan(tokens).first(6));
  ASSERT_TRUE(step.ok()) << step.status();
  for (size_t position = 5; position < tokens.size(); ++position) {
    const auto logits = model_->Logits();
    ASSERT_TRUE(logits.ok()) << logits.status();
    const auto row = absl::MakeConstSpan(wanted).subspan(
        position * kSampleVocabulary, kSampleVocabulary);
    ExpectNear(*logits, row);
    EXPECT_EQ(step->token,
              std::max_element(row.begin(), row.end()) - row.begin());
    if (position + 1 == tokens.size()) {
      break;
    }
    step = model_->Decode(tokens[position + 1]);
    ASSERT_TRUE(step.ok()) << step.status();
  }
  EXPECT_EQ(model_->length(), 8);
}

TEST_P(LanguageSessionTest, LogitsOfEveryPosition) {
  const std::vector<int> tokens = {1, 2, 3, 4, 5, 6, 7, 1, 2};
  ExpectNear(AllLogits(tokens), Expected(tokens));
}

TEST_P(LanguageSessionTest, TheSecondQueryEqualsTheFirst) {
  const std::vector<float> first = AllLogits({5, 6, 7, 1, 2});
  AllLogits({1, 1, 1, 1, 1, 1, 1});
  EXPECT_EQ(AllLogits({5, 6, 7, 1, 2}), first);
}

// Two conversations that take turns get what each gets alone.
TEST_P(LanguageSessionTest, SessionsOnOneModelDoNotMix) {
  const std::vector<int> first = {3, 1, 7, 2, 2, 5, 4, 6};
  const std::vector<int> second = {6, 6, 1, 5, 3, 2, 7, 1};
  auto other_session = Session::Open(session_->model());
  ASSERT_TRUE(other_session.ok()) << other_session.status();
  auto other = LanguageSession::Create(**other_session);
  ASSERT_TRUE(other.ok()) << other.status();
  ASSERT_TRUE(model_->Prefill(absl::MakeConstSpan(first).first(3)).ok());
  ASSERT_TRUE((*other)->Prefill(absl::MakeConstSpan(second).first(3)).ok());
  const std::vector<float> first_alone = Expected(first);
  const std::vector<float> second_alone = Expected(second);
  for (size_t position = 3; position < first.size(); ++position) {
    ASSERT_TRUE(model_->Decode(first[position]).ok());
    ASSERT_TRUE((*other)->Decode(second[position]).ok());
    const auto row = [&](const std::vector<float>& all) {
      return absl::MakeConstSpan(all).subspan(position * kSampleVocabulary,
                                              kSampleVocabulary);
    };
    const auto first_logits = model_->Logits();
    const auto second_logits = (*other)->Logits();
    ASSERT_TRUE(first_logits.ok() && second_logits.ok());
    ExpectNear(*first_logits, row(first_alone));
    ExpectNear(*second_logits, row(second_alone));
  }
}

TEST_P(LanguageSessionTest, AWarmUpLeavesNothingBehind) {
  const std::vector<float> cold = AllLogits({5, 6, 7, 1, 2});
  ASSERT_TRUE(model_->WarmUp(3).ok());
  EXPECT_EQ(model_->length(), 0);
  ExpectOneLineError(model_->Logits().status(), "the sequence is empty");
  EXPECT_EQ(AllLogits({5, 6, 7, 1, 2}), cold);
  ExpectOneLineError(model_->WarmUp(8), "token 8 is not in");
}

TEST_P(LanguageSessionTest, TheContextIsBounded) {
  ASSERT_TRUE(model_->Reset().ok());
  ExpectOneLineError(model_->Logits().status(), "the sequence is empty");
  ExpectOneLineError(model_->Prefill({}).status(), "at least one token");
  ExpectOneLineError(model_->Prefill({8}).status(), "token 8 is not in");
  ExpectOneLineError(model_->Decode(-1).status(), "token -1 is not in");
  const std::vector<int32_t> many(plan::kSampleContext + 1, 1);
  ExpectOneLineError(model_->Prefill(many).status(),
                     "wanted at most 16 tokens, found 17");
  EXPECT_EQ(model_->length(), 0);
  ASSERT_TRUE(
      model_->Prefill(absl::MakeConstSpan(many).first(plan::kSampleContext))
          .ok());
  ExpectOneLineError(model_->Decode(1).status(),
                     "wanted at most 16 tokens, found 17");
}

TEST_P(LanguageSessionTest, ProfilesEveryDispatch) {
  ASSERT_TRUE(model_->Reset().ok());
  ASSERT_TRUE(session_->SetProfiling(true).ok());
  ASSERT_TRUE(model_->Prefill({1, 2}).ok());
  ASSERT_TRUE(model_->Decode(3).ok());
  const auto events = session_->TakeProfile();
  ASSERT_TRUE(events.ok()) << events.status();
  ASSERT_EQ(events->size(), 10u);
  EXPECT_EQ(events->at(0).entry_point, "prefill");
  EXPECT_EQ(events->at(0).label, "embedding");
  EXPECT_EQ(events->at(0).bytes, 2 * 2 * 16);  // two of four tokens
  EXPECT_EQ(events->at(8).label, "lm_head");
  EXPECT_EQ(events->at(8).flops, 64);
  const std::string table = ProfileTable(*events);
  EXPECT_TRUE(absl::StrContains(table, "layers.*.accumulate")) << table;
  EXPECT_TRUE(absl::StrContains(ChromeTrace(*events, "d"), "\"lm_head\""));
  ASSERT_TRUE(session_->SetProfiling(false).ok());
  ASSERT_TRUE(model_->Decode(3).ok());
  EXPECT_TRUE(session_->TakeProfile()->empty());
}

INSTANTIATE_TEST_SUITE_P(Devices, LanguageSessionTest,
                         ::testing::Values("null", "opencl"),
                         [](const auto& info) {
                           return std::string(info.param);
                         });

// A product whose last logit is not finite.
void DefineOverflowingHead(hal::NullDevice& device) {
  hal::NullKernel head;
  head.num_args = 3;
  head.run = [](absl::Span<const hal::NullArg> args, const hal::Size3&,
                const hal::Size3&) {
    auto* logits = reinterpret_cast<float*>(args[2].bytes.data());
    std::fill(logits, logits + kSampleVocabulary, 1.0f);
    logits[kSampleVocabulary - 1] = NAN;
  };
  device.DefineKernel("head", std::move(head));
}

TEST(LanguageSessionOverflowTest, LogitsThatAreNotFiniteAreSeen) {
  hal::NullDevice device;
  DefineSampleKernels(device);
  DefineOverflowingHead(device);
  const auto plan = plan::Plan::FromBytes(plan::SamplePlan().File());
  ASSERT_TRUE(plan.ok()) << plan.status();
  const auto weights = weights::OpenWeights(**plan, "random:1");
  const auto session = Session::Open(device, **plan, **weights);
  ASSERT_TRUE(session.ok()) << session.status();
  const auto model = LanguageSession::Create(**session);
  ASSERT_TRUE(model.ok()) << model.status();
  const char* const wanted = "compile the model with --quant f32";
  ExpectOneLineError((*model)->Prefill({1, 2}).status(), wanted);
  ExpectOneLineError((*model)->Logits().status(), wanted);
  ExpectOneLineError((*model)->Decode(3).status(), wanted);
  const auto visit = [](absl::Span<const float>) { return absl::OkStatus(); };
  ASSERT_TRUE((*model)->Reset().ok());
  ExpectOneLineError((*model)->PrefillWithLogits({1, 2}, visit), wanted);
}

TEST(LanguageSessionCreateTest, OtherPlansAreRefused) {
  const auto refused = [](void (*change)(plan::schema::PlanT&),
                          const char* message) {
    plan::PlanBuilder builder = plan::SamplePlan();
    change(builder.plan());
    const auto plan = plan::Plan::FromBytes(builder.File());
    ASSERT_TRUE(plan.ok()) << plan.status();
    hal::NullDevice device;
    const auto weights = weights::OpenWeights(**plan, "random:1");
    const auto session = Session::Open(device, **plan, **weights);
    ASSERT_TRUE(session.ok()) << session.status();
    ExpectOneLineError(LanguageSession::Create(**session).status(), message);
  };
  refused([](plan::schema::PlanT& p) { p.entry_points[1]->name = "other"; },
          "no entry point 'decode'");
  refused([](plan::schema::PlanT& p) { p.parameters[3] = "other"; },
          "parameter 'other', which no language model has");
  refused([](plan::schema::PlanT& p) { p.model->vocabulary = 9; },
          "port 'logits': wanted 9");
  refused([](plan::schema::PlanT& p) { p.entry_points[2]->outputs.pop_back(); },
          "head: no port 'token'");
}

}  // namespace
}  // namespace millrace::session
