// SPDX-License-Identifier: Apache-2.0
#include "compiler/pipeline/phase.h"

#include "gtest/gtest.h"

namespace millrace::pipeline {
namespace {

TEST(Phase, NamesAreParsedBack) {
  for (size_t i = 0; i < Phases().size(); ++i) {
    const PhaseInfo& info = Phases()[i];
    EXPECT_EQ(static_cast<size_t>(info.phase), i);  // in order
    EXPECT_EQ(PhaseName(info.phase), info.name);
    ASSERT_TRUE(ParsePhase(info.name).ok());
    EXPECT_EQ(*ParsePhase(info.name), info.phase);
    EXPECT_FALSE(info.summary.empty());
  }
}

TEST(Phase, OthersAreRefused) {
  EXPECT_EQ(
      ParsePhase("asm").status().message(),
      "no phase 'asm'; there are graph, fused, layout, kernel, source, plan");
}

}  // namespace
}  // namespace millrace::pipeline
