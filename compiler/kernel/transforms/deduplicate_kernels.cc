// SPDX-License-Identifier: Apache-2.0
//
// kernel-deduplicate: layers repeat, so do their kernels.

#include <algorithm>
#include <string>

#include "compiler/kernel/ir/kernel.h"
#include "compiler/kernel/transforms/passes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
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

// What kernels of one kind are named by: "linear_vector" of @linear_vector_12.
// Empty for a name that is not made so.
llvm::StringRef NumberedKind(FuncOp func) {
  llvm::StringRef name = func.getSymName();
  const llvm::StringRef number = name.take_back(
      name.size() -
      std::min(name.size(), name.find_last_not_of("0123456789") + 1));
  if (number.empty() || !name.consume_back(number) || !name.consume_back("_")) {
    return {};
  }
  return name;
}

// Numbers the kernels of each kind from 0 on without gaps, in their order.
void Renumber(mlir::ModuleOp module) {
  llvm::StringMap<int> counts;
  llvm::DenseMap<mlir::StringAttr, std::string> renamed;
  llvm::StringSet<> taken;
  for (FuncOp func : module.getOps<FuncOp>()) {
    if (NumberedKind(func).empty()) {
      taken.insert(func.getSymName());
    }
  }
  for (FuncOp func : module.getOps<FuncOp>()) {
    const llvm::StringRef kind = NumberedKind(func);
    if (kind.empty()) {
      continue;
    }
    std::string name;
    do {
      name = (kind + "_" + llvm::Twine(counts[kind]++)).str();
    } while (taken.contains(name));
    renamed[func.getSymNameAttr()] = name;
  }
  module.walk([&](DispatchOp dispatch) {
    const auto found = renamed.find(dispatch.getKernelAttr().getAttr());
    if (found != renamed.end()) {
      dispatch.setKernel(found->second);
    }
  });
  for (FuncOp func : module.getOps<FuncOp>()) {
    const auto found = renamed.find(func.getSymNameAttr());
    if (found != renamed.end()) {
      func.setSymName(found->second);
    }
  }
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
    for (FuncOp func :
         llvm::make_early_inc_range(getOperation().getOps<FuncOp>())) {
      if (dropUnused && !used.contains(func.getSymNameAttr())) {
        func.erase();
      }
    }
    Renumber(getOperation());
  }
};

}  // namespace
}  // namespace millrace::kernel
