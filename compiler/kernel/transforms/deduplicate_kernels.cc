// SPDX-License-Identifier: Apache-2.0
//
// kernel-deduplicate: layers repeat, so do their kernels.

#include <string>

#include "compiler/kernel/ir/kernel.h"
#include "compiler/kernel/transforms/passes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/raw_ostream.h"

namespace millrace::kernel {

#define GEN_PASS_DEF_DEDUPLICATEKERNELSPASS
#include "compiler/kernel/transforms/passes.h.inc"

namespace {

// Text that is equal for kernels that compute the same: the generic form
// numbers all values, and the attributes that only name things are left out.
std::string Key(FuncOp func) {
  FuncOp copy = func.clone();
  copy.setSymName("");
  copy.removeComputesAttr();
  copy.removeArgAttrsAttr();
  mlir::Builder builder(func.getContext());
  copy.setArgNamesAttr(builder.getStrArrayAttr(
      llvm::SmallVector<llvm::StringRef>(func.getNumArguments(), "x")));
  std::string key;
  llvm::raw_string_ostream os(key);
  copy->print(os, mlir::OpPrintingFlags().printGenericOpForm().useLocalScope());
  copy.erase();
  return key;
}

class DeduplicateKernels
    : public impl::DeduplicateKernelsPassBase<DeduplicateKernels> {
 public:
  using DeduplicateKernelsPassBase::DeduplicateKernelsPassBase;

 private:
  void runOnOperation() override {
    llvm::StringMap<FuncOp> first_of;
    llvm::DenseMap<mlir::StringAttr, FuncOp> same_as;
    for (FuncOp func :
         llvm::make_early_inc_range(getOperation().getOps<FuncOp>())) {
      const auto [entry, is_new] = first_of.try_emplace(Key(func), func);
      same_as[func.getSymNameAttr()] = entry->second;
      if (!is_new) {
        func.erase();
      }
    }
    llvm::DenseSet<mlir::StringAttr> used;
    getOperation().walk([&](DispatchOp dispatch) {
      FuncOp func = same_as.lookup(dispatch.getKernelAttr().getAttr());
      if (!func) {
        return;
      }
      dispatch.setKernel(func.getSymName());
      used.insert(func.getSymNameAttr());
    });
    if (!dropUnused) {
      return;
    }
    for (FuncOp func :
         llvm::make_early_inc_range(getOperation().getOps<FuncOp>())) {
      if (!used.contains(func.getSymNameAttr())) {
        func.erase();
      }
    }
  }
};

}  // namespace
}  // namespace millrace::kernel
