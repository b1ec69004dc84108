// SPDX-License-Identifier: Apache-2.0
#include "compiler/graph/ir/label.h"

#include <algorithm>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace millrace::graph {
namespace {

// Length of the common prefix of all labels that ends with a dot.
size_t CommonPrefix(llvm::ArrayRef<std::string> labels) {
  size_t length = labels.front().rfind('.') + 1;
  for (const std::string& label : labels.drop_front()) {
    const auto [end, unused] =
        std::mismatch(labels.front().begin(), labels.front().begin() + length,
                      label.begin(), label.end());
    const size_t common = end - labels.front().begin();
    length = common == 0 ? 0 : labels.front().rfind('.', common - 1) + 1;
  }
  return length;
}

}  // namespace

std::string LabelIn(mlir::Location location) {
  if (auto name = mlir::dyn_cast<mlir::NameLoc>(location)) {
    return name.getName().str();
  }
  if (auto fused = mlir::dyn_cast<mlir::FusedLoc>(location)) {
    for (mlir::Location part : fused.getLocations()) {
      if (std::string name = LabelIn(part); !name.empty()) {
        return name;
      }
    }
  }
  return "";
}

std::string LabelOf(mlir::Operation* op) {
  std::string name = LabelIn(op->getLoc());
  return name.empty() ? op->getName().stripDialect().str() : name;
}

mlir::Location NamedLocation(mlir::MLIRContext* context,
                             llvm::StringRef label) {
  return mlir::NameLoc::get(mlir::StringAttr::get(context, label));
}

std::string MergeLabels(llvm::ArrayRef<std::string> labels) {
  const size_t prefix = CommonPrefix(labels);
  llvm::SmallVector<llvm::StringRef> rests;
  for (const std::string& label : labels) {
    rests.push_back(llvm::StringRef(label).drop_front(prefix));
  }
  const bool are_letters = llvm::all_of(
      rests, [](llvm::StringRef rest) { return rest.size() == 1; });
  return labels.front().substr(0, prefix) +
         llvm::join(rests, are_letters ? "" : "_");
}

}  // namespace millrace::graph
