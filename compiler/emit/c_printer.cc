// SPDX-License-Identifier: Apache-2.0

#include "compiler/emit/c_printer.h"

#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/strings/substitute.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace millrace::emit {
namespace {

// Longer expressions get a line of their own.
constexpr size_t kLongestNested = 60;
constexpr size_t kLongestStored = 80;
constexpr size_t kLineWidth = 80;

std::string ToString(llvm::StringRef text) { return text.str(); }

bool IsMember(const CExpr& expr) {
  return expr.binding == Binding::kPrimary &&
         expr.text.find_first_of("([") == std::string::npos;
}

// True if the text of `op` may have that of an operand several times.
bool RepeatsOperands(mlir::Operation* op) {
  namespace vector = mlir::vector;
  return llvm::isa<vector::InsertOp, vector::InsertStridedSliceOp,
                   vector::ShuffleOp, vector::ReductionOp, vector::BroadcastOp>(
      op);
}

// True if memory may change from `op` up to `user`, in the same block.
bool WritesBetween(mlir::Operation* op, mlir::Operation* user) {
  for (mlir::Operation* next = op->getNextNode(); next != user;
       next = next->getNextNode()) {
    const bool only_reads =
        mlir::isMemoryEffectFree(next) ||
        llvm::isa<mlir::memref::LoadOp, kernel::LoadOp>(next);
    if (!only_reads) {
      return true;
    }
  }
  return false;
}

}  // namespace

mlir::LogicalResult CPrinter::Print() {
  if (!func_.IsPhysical()) {
    return func_.emitOpError(
        "has tensors as arguments; kernel-resolve-access comes before "
        "printing");
  }
  for (absl::string_view id : {"global_id", "local_id", "group_id"}) {
    names_.Add(id);
  }
  names_.Add(ToString(func_.getSymName()));
  for (unsigned i = 0; i < func_.getNumArguments(); ++i) {
    exprs_[func_.getArgument(i)] = {
        names_.Add(ToString(func_.ArgumentName(i)))};
  }
  for (unsigned i = 0; i < func_.getNumArguments(); ++i) {
    const std::string& name = Text(func_.getArgument(i));
    slabs_.push_back({names_.Add(absl::StrCat(name, "_slab")),
                      names_.Add(absl::StrCat(name, "_offset"))});
  }
  PrintHeader();
  PrintSignature();
  indent_ = 1;
  PrintViews();
  if (mlir::failed(PrintBlock(func_.getBody().front()))) {
    return mlir::failure();
  }
  os_ << "}\n";
  return mlir::success();
}

// What it computes and where its tensors lie.
void CPrinter::PrintHeader() {
  if (func_.getComputes()) {
    os_ << "// " << *func_.getComputes() << "\n";
  }
  for (unsigned i = 0; i < func_.getNumArguments(); ++i) {
    const auto note =
        func_.getArgAttrOfType<mlir::StringAttr>(i, "kernel.note");
    if (!note) {
      continue;
    }
    os_ << "//   " << Text(func_.getArgument(i)) << ": " << note.getValue()
        << "\n";
  }
}

void CPrinter::PrintSignature() {
  if (func_.GroupItems() <= spelling_.max_attribute_items) {
    const auto size = func_.getGroupSize();
    os_ << absl::Substitute(spelling_.group_attribute, size[0], size[1],
                            size[2], func_.GroupItems())
        << "\n";
  }
  const std::string start =
      absl::StrCat("kernel void ", ToString(func_.getSymName()), "(");
  std::vector<std::string> arguments;
  size_t width = start.size() + 3;
  for (unsigned i = 0; i < func_.getNumArguments(); ++i) {
    arguments.push_back(ArgumentText(i));
    width += arguments.back().size() + 2;
  }
  for (const std::string& id : IdArguments()) {
    arguments.push_back(id);
    width += id.size() + 2;
  }
  const bool fits = width <= kLineWidth;
  const std::string separator =
      fits ? ", " : absl::StrCat(",\n", std::string(start.size(), ' '));
  os_ << start << absl::StrJoin(arguments, separator) << ") {\n";
}

void CPrinter::Line(absl::string_view text) {
  os_.indent(2 * indent_) << llvm::StringRef(text.data(), text.size()) << "\n";
}

std::string CPrinter::NameLocal(mlir::Value value) {
  std::string name = names_.Add(NameHint(value, exprs_));
  exprs_[value] = {name};
  return name;
}

void CPrinter::Declare(mlir::Value value, absl::string_view text) {
  const std::string name = NameLocal(value);
  Line(absl::StrCat("const ", TypeName(value.getType()), " ", name, " = ", text,
                    ";"));
}

mlir::LogicalResult CPrinter::PrintBlock(mlir::Block& block) {
  for (mlir::Operation& op : block) {
    if (mlir::failed(PrintOp(&op))) {
      return mlir::failure();
    }
  }
  return mlir::success();
}

mlir::LogicalResult CPrinter::PrintScope(mlir::Block& block) {
  const kernel::NameTable outer = names_;
  ++indent_;
  const mlir::LogicalResult result = PrintBlock(block);
  --indent_;
  names_ = outer;
  return result;
}

mlir::LogicalResult CPrinter::PrintOp(mlir::Operation* op) {
  if (auto done = PrintStatement(op)) {
    return *done;
  }
  if (op->getNumResults() == 1) {
    for (auto family :
         {&CPrinter::ArithExpr, &CPrinter::VectorExpr, &CPrinter::ObjectExpr}) {
      if (std::optional<CExpr> expr = (this->*family)(op)) {
        return PrintValue(op, *expr);
      }
    }
  }
  return op->emitOpError("cannot be printed as ")
         << llvm::StringRef(spelling_.name.data(), spelling_.name.size());
}

bool CPrinter::IsFragile(mlir::Operation* op) {
  if (!mlir::isMemoryEffectFree(op)) {
    return true;
  }
  return llvm::any_of(op->getOperands(), [&](mlir::Value operand) {
    return ExprOf(operand).is_fragile;
  });
}

// A value used in one place stands there; others, and long ones, become locals.
bool CPrinter::IsNested(mlir::Operation* op, const CExpr& expr) {
  const mlir::Value value = op->getResult(0);
  if (llvm::isa<mlir::arith::ConstantOp>(op)) {
    return true;
  }
  // Members of vectors and plain names cost nothing to repeat.
  if (IsMember(expr) && !expr.is_fragile) {
    return true;
  }
  if (auto broadcast = llvm::dyn_cast<mlir::vector::BroadcastOp>(op)) {
    if (IsMember(ExprOf(broadcast.getSource()))) {
      return true;
    }
  }
  if (!LocationName(op->getLoc()).empty()) {
    return false;
  }
  if (!value.hasOneUse()) {
    return false;
  }
  mlir::Operation* user = *value.getUsers().begin();
  const bool is_stored =
      llvm::isa<kernel::StoreOp, mlir::memref::StoreOp, mlir::scf::YieldOp>(
          user);
  if (expr.text.size() > (is_stored ? kLongestStored : kLongestNested) ||
      RepeatsOperands(user)) {
    return false;
  }
  // Deeper blocks may run more often, and the bound of a loop does.
  if (user->getBlock() != op->getBlock()) {
    return false;
  }
  if (llvm::isa<mlir::scf::ForOp>(user)) {
    return false;
  }
  return !expr.is_fragile || !WritesBetween(op, user);
}

mlir::LogicalResult CPrinter::PrintValue(mlir::Operation* op, CExpr expr) {
  const mlir::Value value = op->getResult(0);
  expr.is_fragile = IsFragile(op);
  if (value.use_empty() && mlir::isMemoryEffectFree(op)) {
    return mlir::success();
  }
  if (IsNested(op, expr)) {
    exprs_[value] = expr;
  } else {
    Declare(value, expr.text);
  }
  return mlir::success();
}

std::string CPrinter::TypeName(mlir::Type type) {
  const auto scalar_name = [](mlir::Type scalar) -> absl::string_view {
    if (scalar.isF32()) {
      return "float";
    }
    if (scalar.isF16()) {
      return "half";
    }
    if (scalar.isInteger(1)) {
      return "bool";
    }
    if (scalar.isInteger(8)) {
      return "char";
    }
    if (scalar.isInteger(16)) {
      return "short";
    }
    return "int";
  };
  const auto vector = llvm::dyn_cast<mlir::VectorType>(type);
  if (!vector) {
    return std::string(scalar_name(type));
  }
  if (vector.getElementType().isInteger(1)) {
    return absl::Substitute(spelling_.bool_vector, vector.getDimSize(0));
  }
  return absl::StrCat(scalar_name(vector.getElementType()),
                      vector.getDimSize(0));
}

}  // namespace millrace::emit
