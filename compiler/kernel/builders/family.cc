// SPDX-License-Identifier: Apache-2.0
//
// The table of families. Element-wise ops come last: any op that expands itself
// into scalar arithmetic is one, without a row of its own.
#include "compiler/kernel/builders/family.h"

#include "compiler/kernel/builders/families.h"
#include "compiler/kernel/builders/linear.h"

namespace millrace::kernel {
namespace {

// Copies that change the index, the layout or the type of elements.
class MoveFamily : public Family {
 public:
  bool Handles(mlir::Operation* op) const override {
    return mlir::isa<graph::ReshapeOp, graph::TransposeOp, graph::ConcatOp,
                     graph::SliceOp, graph::RelayoutOp, graph::SelectRowOp>(op);
  }
  mlir::LogicalResult Build(mlir::Operation* op, const device::Schedule&,
                            Lowering& lowering) const override {
    return LowerMove(op, lowering);
  }
};

class ElementwiseFamily : public Family {
 public:
  bool Handles(mlir::Operation* op) const override {
    return mlir::isa<graph::ElementwiseOpInterface>(op);
  }
  mlir::LogicalResult Build(mlir::Operation* op, const device::Schedule&,
                            Lowering& lowering) const override {
    return LowerElementwiseOp(mlir::cast<graph::ElementwiseOpInterface>(op),
                              lowering);
  }
};

template <typename Op>
const Family* Only(mlir::LogicalResult (*lower)(Op, Lowering&)) {
  return new OneSchedule<Op>(lower);
}

const std::vector<const Family*>& Families() {
  static const auto& families = *new std::vector<const Family*>{
      // clang-format off: one per line
      new LinearFamily,
      Only(LowerAddBias),
      Only(LowerRmsNorm),
      Only(LowerAddRmsNorm),
      Only(LowerSoftmax),
      Only(LowerRope),
      Only(LowerRopeQkv),
      Only(LowerAttend),
      Only(LowerAttendQkv),
      Only(LowerAppendCache),
      Only(LowerStoreState),
      Only(LowerEmbedding),
      Only(LowerArgmax),
      Only(LowerElementwise),
      new MoveFamily,
      new ElementwiseFamily,
      // clang-format on
  };
  return families;
}

}  // namespace

const Family* FamilyOf(mlir::Operation* op) {
  for (const Family* family : Families()) {
    if (family->Handles(op)) {
      return family;
    }
  }
  return nullptr;
}

}  // namespace millrace::kernel
