// SPDX-License-Identifier: Apache-2.0
//
// Names that tell a reader what a local is.

#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "compiler/emit/c_printer.h"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Location.h"

namespace millrace::emit {
namespace {

using Exprs = llvm::DenseMap<mlir::Value, CExpr>;

constexpr size_t kLongestName = 20;

// The operand's text if it is a word, else nothing.
std::string WordOf(mlir::Value value, const Exprs& exprs) {
  const auto found = exprs.find(value);
  if (found == exprs.end() || found->second.text.size() > kLongestName) {
    return "";
  }
  for (char c : found->second.text) {
    if (!absl::ascii_isalnum(c) && c != '_') {
      return "";
    }
  }
  return found->second.text;
}

// "w_times_24" of w * 24: such locals are parts of coordinates.
std::string IndexName(mlir::Operation* op, absl::string_view verb,
                      const Exprs& exprs) {
  const std::string lhs = WordOf(op->getOperand(0), exprs);
  const std::string rhs = WordOf(op->getOperand(1), exprs);
  const bool starts_with_letter = !lhs.empty() && absl::ascii_isalpha(lhs[0]);
  if (!starts_with_letter || rhs.empty() ||
      lhs.size() + rhs.size() > kLongestName) {
    return "at";
  }
  return absl::StrCat(lhs, "_", verb, "_", rhs);
}

std::string NameOfOp(mlir::Operation* op, const Exprs& exprs) {
  using Case = std::string;
  const bool is_index =
      op->getNumResults() == 1 && op->getResult(0).getType().isIndex();
  return llvm::TypeSwitch<mlir::Operation*, std::string>(op)
      .Case([&](kernel::GlobalIdOp id) -> Case {
        return absl::StrCat("gid", id.getDimension());
      })
      .Case([&](kernel::LocalIdOp id) -> Case {
        return absl::StrCat("lid", id.getDimension());
      })
      .Case([&](kernel::GroupIdOp id) -> Case {
        return absl::StrCat("group", id.getDimension());
      })
      .Case([&](kernel::LoadOp load) -> Case {
        return absl::StrCat(WordOf(load.getObject(), exprs), "_v");
      })
      .Case([](kernel::LocalAllocOp) -> Case { return "shared"; })
      .Case([](mlir::memref::LoadOp) -> Case { return "partial_v"; })
      .Case([](mlir::arith::CmpIOp) -> Case { return "is"; })
      .Case([](mlir::arith::CmpFOp) -> Case { return "is"; })
      .Case<kernel::DotOp, mlir::vector::ReductionOp>(
          [](auto) -> Case { return "sum"; })
      .Case([&](mlir::arith::AddIOp) -> Case {
        return is_index ? IndexName(op, "plus", exprs) : "i";
      })
      .Case([&](mlir::arith::MulIOp) -> Case {
        return is_index ? IndexName(op, "times", exprs) : "i";
      })
      .Case([&](mlir::arith::DivUIOp) -> Case {
        return is_index ? IndexName(op, "div", exprs) : "i";
      })
      .Case([&](mlir::arith::RemUIOp) -> Case {
        return is_index ? IndexName(op, "mod", exprs) : "i";
      })
      .Default([&](mlir::Operation*) -> Case { return is_index ? "at" : "v"; });
}

std::string NameOfBlockArgument(mlir::BlockArgument argument,
                                const Exprs& exprs) {
  const std::string own = LocationName(argument.getLoc());
  if (!own.empty()) {
    return own;
  }
  auto loop =
      llvm::dyn_cast<mlir::scf::ForOp>(argument.getOwner()->getParentOp());
  if (!loop) {
    return "i";
  }
  if (argument.getArgNumber() == 0) {
    const std::string name = LocationName(loop.getLoc());
    return name.empty() ? "i" : name;
  }
  const mlir::Value init = loop.getInitArgs()[argument.getArgNumber() - 1];
  const std::string word = WordOf(init, exprs);
  return word.empty() || !absl::ascii_isalpha(word[0]) ? "acc" : word;
}

}  // namespace

std::string LocationName(mlir::Location loc) {
  if (auto name = llvm::dyn_cast<mlir::NameLoc>(loc)) {
    return name.getName().str();
  }
  if (auto fused = llvm::dyn_cast<mlir::FusedLoc>(loc)) {
    for (mlir::Location part : fused.getLocations()) {
      const std::string name = LocationName(part);
      if (!name.empty()) {
        return name;
      }
    }
  }
  return "";
}

std::string NameHint(mlir::Value value, const Exprs& exprs) {
  if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(value)) {
    return NameOfBlockArgument(argument, exprs);
  }
  const std::string own = LocationName(value.getLoc());
  return own.empty() ? NameOfOp(value.getDefiningOp(), exprs) : own;
}

}  // namespace millrace::emit
