// SPDX-License-Identifier: Apache-2.0
//
// kernel-expand-wide-vectors: for languages whose vectors end at four elements.

#include <cstdint>
#include <utility>

#include "compiler/kernel/ir/kernel.h"
#include "compiler/kernel/transforms/passes.h"
#include "compiler/kernel/transforms/wide_vector_patterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/DialectConversion.h"

namespace millrace::kernel {

#define GEN_PASS_DEF_EXPANDWIDEVECTORSPASS
#include "compiler/kernel/transforms/passes.h.inc"

namespace {

class ExpandWideVectors
    : public impl::ExpandWideVectorsPassBase<ExpandWideVectors> {
 public:
  using ExpandWideVectorsPassBase::ExpandWideVectorsPassBase;

 private:
  void runOnOperation() override {
    if (maxWidth >= 16) {
      return;
    }
    mlir::MLIRContext* context = &getContext();
    mlir::TypeConverter converter;
    converter.addConversion([](mlir::Type type) { return type; });
    converter.addConversion(
        [](mlir::VectorType type, llvm::SmallVectorImpl<mlir::Type>& parts)
            -> std::optional<mlir::LogicalResult> {
          if (!IsWide(type)) {
            return std::nullopt;
          }
          parts.append(NumParts(type), PartType(type));
          return mlir::success();
        });
    mlir::ConversionTarget target(*context);
    target.markUnknownOpDynamicallyLegal(
        [](mlir::Operation* op) { return !TouchesWide(op); });
    mlir::RewritePatternSet patterns(context);
    AddWideVectorPatterns(converter, patterns);
    mlir::scf::populateSCFStructuralTypeConversions(converter, patterns);
    if (mlir::failed(mlir::applyPartialConversion(getOperation(), target,
                                                  std::move(patterns)))) {
      signalPassFailure();
    }
  }
};

}  // namespace
}  // namespace millrace::kernel
