// SPDX-License-Identifier: Apache-2.0
//
// kernel-expand-half-access: how f16 in buffers is read and written on a device
// that may lack half precision arithmetic.

#include <optional>

#include "compiler/kernel/ir/kernel.h"
#include "compiler/kernel/transforms/passes.h"

namespace millrace::kernel {

#define GEN_PASS_DEF_EXPANDHALFACCESSPASS
#include "compiler/kernel/transforms/passes.h.inc"

namespace {

bool IsHalfBuffer(ObjectType type) {
  return type.IsBuffer() && type.getElementType().isF16();
}

class ExpandHalfAccess
    : public impl::ExpandHalfAccessPassBase<ExpandHalfAccess> {
 public:
  using ExpandHalfAccessPassBase::ExpandHalfAccessPassBase;

 private:
  void runOnOperation() override {
    const std::optional<HalfSpelling> half = symbolizeHalfSpelling(half_);
    if (!half) {
      getOperation().emitError(
          "half wants native, vload, vloada, bits or ptx; found ")
          << half_;
      signalPassFailure();
      return;
    }
    const auto spelling = HalfSpellingAttr::get(&getContext(), *half);
    getOperation().walk([&](mlir::Operation* op) {
      auto load = llvm::dyn_cast<LoadOp>(op);
      auto store = llvm::dyn_cast<StoreOp>(op);
      if (load && IsHalfBuffer(load.getObject().getType())) {
        load.setHalfAttr(spelling);
      }
      if (store && IsHalfBuffer(store.getObject().getType())) {
        store.setHalfAttr(spelling);
      }
    });
  }
};

}  // namespace
}  // namespace millrace::kernel
