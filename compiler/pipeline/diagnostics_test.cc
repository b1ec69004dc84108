// SPDX-License-Identifier: Apache-2.0
#include "compiler/pipeline/diagnostics.h"

#include "compiler/graph/ir/label.h"
#include "gtest/gtest.h"
#include "mlir/IR/MLIRContext.h"

namespace millrace::pipeline {
namespace {

TEST(DiagnosticCollector, IsOneLineWithALabel) {
  mlir::MLIRContext context;
  DiagnosticCollector collector(&context);
  const mlir::Location q = graph::NamedLocation(&context, "layers.0.attn.q");
  mlir::emitRemark(q) << "is placed in a buffer";
  mlir::emitRemark(q) << "is placed in a buffer";
  mlir::emitWarning(mlir::UnknownLoc::get(&context)) << "two\nlines";
  mlir::emitRemark(q) << "layers.0.attn.q is wide";
  EXPECT_EQ(collector.TakeRemarks(),
            (std::vector<std::string>{"layers.0.attn.q: is placed in a buffer",
                                      "two", "layers.0.attn.q is wide"}));
}

TEST(DiagnosticCollector, KeepsTheFirstError) {
  mlir::MLIRContext context;
  DiagnosticCollector collector(&context);
  EXPECT_EQ(collector.FirstError("nobody said why").message(),
            "nobody said why");
  const mlir::Location q = graph::NamedLocation(&context, "layers.0.attn.q");
  mlir::emitError(q) << "has no kernel";
  mlir::emitError(q) << "follows from that";
  EXPECT_EQ(collector.FirstError("nobody said why").message(),
            "layers.0.attn.q: has no kernel");
}

}  // namespace
}  // namespace millrace::pipeline
