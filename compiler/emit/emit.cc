// SPDX-License-Identifier: Apache-2.0

#include "compiler/emit/emit.h"

#include <set>

#include "absl/strings/string_view.h"
#include "compiler/emit/c_printer.h"
#include "layout/storage.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace millrace::emit {
namespace {

using kernel::Access;
using kernel::HalfSpelling;
using layout::StorageKind;

void AddHalfNeeds(std::optional<HalfSpelling> half, std::set<Need>& needs) {
  if (half == HalfSpelling::kNative) {
    needs.insert(Need::kNativeHalf);
  }
  if (half == HalfSpelling::kBits) {
    needs.insert(Need::kHalfBits);
  }
  if (half == HalfSpelling::kPtx) {
    needs.insert(Need::kHalfPtx);
  }
}

void AddNeeds(kernel::FuncOp func, std::set<Need>& needs) {
  for (mlir::Type type : func.getArgumentTypes()) {
    const auto object = llvm::dyn_cast<kernel::ObjectType>(type);
    if (!object || object.IsBuffer()) {
      continue;
    }
    const StorageKind storage = object.getStorage();
    if (object.getAccess() == Access::kRead) {
      if (storage != StorageKind::kImageBuffer) {
        needs.insert(Need::kSampler);
      }
    } else if (storage == StorageKind::kTexture3d) {
      needs.insert(Need::k3dWrites);
    }
  }
  func.walk([&](mlir::Operation* op) {
    if (auto load = llvm::dyn_cast<kernel::LoadOp>(op)) {
      AddHalfNeeds(load.getHalf(), needs);
    }
    if (auto store = llvm::dyn_cast<kernel::StoreOp>(op)) {
      AddHalfNeeds(store.getHalf(), needs);
    }
    if (llvm::isa<mlir::math::ErfOp>(op)) {
      needs.insert(Need::kErf);
    }
  });
}

}  // namespace

void PrintPrelude(llvm::ArrayRef<kernel::FuncOp> kernels,
                  const Spelling& spelling, llvm::raw_ostream& os) {
  std::set<Need> needs = {Need::kAlways};
  for (kernel::FuncOp func : kernels) {
    AddNeeds(func, needs);
  }
  for (const PreludePart& part : spelling.prelude) {
    if (needs.count(part.need) == 0) {
      continue;
    }
    os << llvm::StringRef(part.text.data(), part.text.size()) << "\n";
  }
}

mlir::LogicalResult PrintKernel(kernel::FuncOp kernel, const Spelling& spelling,
                                llvm::raw_ostream& os) {
  return CPrinter(kernel, spelling, os).Print();
}

}  // namespace millrace::emit
