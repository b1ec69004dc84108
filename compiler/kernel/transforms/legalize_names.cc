// SPDX-License-Identifier: Apache-2.0
//
// kernel-legalize-names: what the kernel languages accept as names.

#include <string>

#include "compiler/kernel/ir/kernel.h"
#include "compiler/kernel/names/name_table.h"
#include "compiler/kernel/transforms/passes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace millrace::kernel {

#define GEN_PASS_DEF_LEGALIZENAMESPASS
#include "compiler/kernel/transforms/passes.h.inc"

namespace {

void LegalizeArguments(FuncOp func) {
  NameTable names;
  mlir::Builder builder(func.getContext());
  llvm::SmallVector<mlir::Attribute> legal;
  for (unsigned i = 0; i < func.getNumArguments(); ++i) {
    legal.push_back(
        builder.getStringAttr(names.Add(func.ArgumentName(i).str())));
  }
  func.setArgNamesAttr(builder.getArrayAttr(legal));
}

class LegalizeNames : public impl::LegalizeNamesPassBase<LegalizeNames> {
  void runOnOperation() override {
    NameTable names;
    llvm::DenseMap<mlir::StringAttr, mlir::StringAttr> renamed;
    // A legal name is kept even if an illegal one before it would become the
    // same.
    for (FuncOp func : getOperation().getOps<FuncOp>()) {
      if (IsLegalName(func.getSymName().str())) {
        names.Add(func.getSymName().str());
      }
    }
    for (FuncOp func : getOperation().getOps<FuncOp>()) {
      LegalizeArguments(func);
      if (IsLegalName(func.getSymName().str())) {
        continue;
      }
      const mlir::StringAttr old = func.getSymNameAttr();
      func.setSymName(names.Add(old.str()));
      renamed[old] = func.getSymNameAttr();
    }
    getOperation().walk([&](DispatchOp dispatch) {
      const auto found = renamed.find(dispatch.getKernelAttr().getAttr());
      if (found != renamed.end()) {
        dispatch.setKernel(found->second);
      }
    });
  }
};

}  // namespace
}  // namespace millrace::kernel
