// SPDX-License-Identifier: Apache-2.0
#include "compiler/graph/ir/label.h"

#include "gtest/gtest.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

namespace millrace::graph {
namespace {

TEST(MergeLabelsTest, LettersAreJoinedAsTheyAre) {
  EXPECT_EQ(MergeLabels({"l.0.attn.q", "l.0.attn.k", "l.0.attn.v"}),
            "l.0.attn.qkv");
}

TEST(MergeLabelsTest, WordsAreJoinedByUnderscores) {
  EXPECT_EQ(MergeLabels({"mlp.gate", "mlp.up"}), "mlp.gate_up");
  EXPECT_EQ(MergeLabels({"q", "up"}), "q_up");
}

TEST(MergeLabelsTest, ThePrefixEndsWithADot) {
  EXPECT_EQ(MergeLabels({"a.gate", "a.gas"}), "a.gate_gas");
  EXPECT_EQ(MergeLabels({"a.b.x", "a.y"}), "a.b.x_y");
  EXPECT_EQ(MergeLabels({"abc", "abd"}), "abc_abd");
  EXPECT_EQ(MergeLabels({"a.q"}), "a.q");
}

TEST(LabelOfTest, NameElseOp) {
  mlir::MLIRContext context;
  const mlir::Location unknown = mlir::UnknownLoc::get(&context);
  const mlir::Location named = NamedLocation(&context, "a.q");
  mlir::OwningOpRef<mlir::ModuleOp> op = mlir::ModuleOp::create(unknown);
  EXPECT_EQ(LabelOf(*op), "module");
  (*op)->setLoc(named);
  EXPECT_EQ(LabelOf(*op), "a.q");
  (*op)->setLoc(mlir::FusedLoc::get(&context, {unknown, named}));
  EXPECT_EQ(LabelOf(*op), "a.q");
}

}  // namespace
}  // namespace millrace::graph
