// SPDX-License-Identifier: Apache-2.0
//
// Loops, branches and everything else that is not a value.

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "compiler/emit/c_printer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

namespace millrace::emit {

using Result = std::optional<mlir::LogicalResult>;

std::optional<mlir::LogicalResult> CPrinter::PrintStatement(
    mlir::Operation* op) {
  return llvm::TypeSwitch<mlir::Operation*, Result>(op)
      .Case([&](mlir::scf::ForOp loop) -> Result { return PrintFor(loop); })
      .Case([&](mlir::scf::IfOp branch) -> Result { return PrintIf(branch); })
      .Case(
          [&](mlir::scf::YieldOp yield) -> Result { return PrintYield(yield); })
      .Case([&](kernel::ReturnOp) -> Result { return mlir::success(); })
      .Case([&](kernel::BarrierOp) -> Result {
        Line(spelling_.barrier);
        return mlir::success();
      })
      .Case([&](kernel::StoreOp store) -> Result {
        Line(absl::StrCat(StoreText(store), ";"));
        return mlir::success();
      })
      .Case([&](kernel::LocalAllocOp alloc) -> Result {
        NameLocal(alloc.getMemory());
        Line(LocalArrayText(alloc));
        return mlir::success();
      })
      .Case([&](mlir::memref::StoreOp store) -> Result {
        Line(absl::StrCat(LocalElement(store.getMemRef(), store.getIndices()),
                          " = ", Text(store.getValueToStore()), ";"));
        return mlir::success();
      })
      .Default([](mlir::Operation*) -> Result { return std::nullopt; });
}

// True if the loop's value `index` only carries on a value of the loop around
// it, whose variable serves both then.
bool CPrinter::SharesVariable(mlir::scf::ForOp op, unsigned index) {
  const auto init =
      llvm::dyn_cast<mlir::BlockArgument>(op.getInitArgs()[index]);
  auto outer = llvm::dyn_cast<mlir::scf::ForOp>(op->getParentOp());
  const mlir::Value result = op.getResult(index);
  if (!init || !outer || init.getOwner() != outer.getBody() ||
      init.getArgNumber() == 0 || !init.hasOneUse() || !result.hasOneUse()) {
    return false;
  }
  mlir::OpOperand& use = *result.use_begin();
  return use.getOwner() == outer.getBody()->getTerminator() &&
         use.getOperandNumber() == init.getArgNumber() - 1;
}

void CPrinter::DeclareLoopValues(mlir::scf::ForOp op) {
  for (unsigned i = 0; i < op.getNumResults(); ++i) {
    const mlir::Value variable = op.getRegionIterArgs()[i];
    const mlir::Value init = op.getInitArgs()[i];
    if (SharesVariable(op, i)) {
      // By value: the map may grow while the entry is made.
      const CExpr shared = exprs_.lookup(init);
      exprs_[variable] = shared;
    } else {
      const std::string text = Text(init);
      const std::string name = NameLocal(variable);
      Line(absl::StrCat(TypeName(variable.getType()), " ", name, " = ", text,
                        ";"));
    }
    const CExpr result = exprs_.lookup(variable);
    exprs_[op.getResult(i)] = result;
  }
}

std::string CPrinter::LoopHeader(mlir::scf::ForOp op) {
  const std::string from = Text(op.getLowerBound());
  const std::string to = Operand(op.getUpperBound(), Binding::kAdd);
  const std::string step = Text(op.getStep());
  const std::string i = NameLocal(op.getInductionVar());
  const std::string next =
      step == "1" ? absl::StrCat("++", i) : absl::StrCat(i, " += ", step);
  return absl::StrCat("for (int ", i, " = ", from, "; ", i, " < ", to, "; ",
                      next, ") {");
}

mlir::LogicalResult CPrinter::PrintFor(mlir::scf::ForOp op) {
  DeclareLoopValues(op);
  // The counter is the loop's own.
  const kernel::NameTable outer = names_;
  Line(LoopHeader(op));
  if (mlir::failed(PrintScope(*op.getBody()))) {
    return mlir::failure();
  }
  names_ = outer;
  Line("}");
  return mlir::success();
}

mlir::LogicalResult CPrinter::PrintIf(mlir::scf::IfOp op) {
  for (mlir::Value result : op.getResults()) {
    const std::string name = NameLocal(result);
    Line(absl::StrCat(TypeName(result.getType()), " ", name, ";"));
  }
  Line(absl::StrCat("if (", Text(op.getCondition()), ") {"));
  if (mlir::failed(PrintScope(*op.thenBlock()))) {
    return mlir::failure();
  }
  const bool has_else =
      op.elseBlock() &&
      (op.elseBlock()->getOperations().size() > 1 || op.getNumResults() > 0);
  if (has_else) {
    Line("} else {");
    if (mlir::failed(PrintScope(*op.elseBlock()))) {
      return mlir::failure();
    }
  }
  Line("}");
  return mlir::success();
}

void CPrinter::Assign(const std::string& variable, mlir::Value current,
                      mlir::Value value) {
  if (Text(value) == variable) {
    return;
  }
  // `acc += x` of acc + x, if the sum stands here only.
  mlir::Operation* op = value.getDefiningOp();
  const bool is_sum =
      llvm::isa_and_nonnull<mlir::arith::AddFOp, mlir::arith::AddIOp>(op);
  if (is_sum && current && ExprOf(value).binding == Binding::kAdd) {
    const bool left = op->getOperand(0) == current;
    const bool right = op->getOperand(1) == current;
    if (left != right) {
      Line(absl::StrCat(variable, " += ", Text(op->getOperand(left ? 1 : 0)),
                        ";"));
      return;
    }
  }
  Line(absl::StrCat(variable, " = ", Text(value), ";"));
}

// Values are yielded all at once but assigned one by one: one that mentions a
// variable assigned before it is kept in a local first.
mlir::LogicalResult CPrinter::PrintYield(mlir::scf::YieldOp op) {
  auto loop = llvm::dyn_cast<mlir::scf::ForOp>(op->getParentOp());
  const mlir::ValueRange variables =
      loop ? mlir::ValueRange(loop.getRegionIterArgs())
           : mlir::ValueRange(op->getParentOp()->getResults());
  std::vector<std::string> kept(op.getNumOperands());
  for (unsigned i = 0; i < op.getNumOperands(); ++i) {
    for (unsigned j = 0; loop && j < i; ++j) {
      const bool is_assigned = Text(op.getOperand(j)) != Text(variables[j]);
      if (!is_assigned || !kept[i].empty() ||
          !Mentions(Text(op.getOperand(i)), Text(variables[j]))) {
        continue;
      }
      kept[i] = names_.Add("next_" + Text(variables[i]));
      Line(absl::StrCat("const ", TypeName(variables[i].getType()), " ",
                        kept[i], " = ", Text(op.getOperand(i)), ";"));
    }
  }
  for (unsigned i = 0; i < op.getNumOperands(); ++i) {
    if (kept[i].empty()) {
      Assign(Text(variables[i]), loop ? variables[i] : mlir::Value(),
             op.getOperand(i));
    } else {
      Line(absl::StrCat(Text(variables[i]), " = ", kept[i], ";"));
    }
  }
  return mlir::success();
}

}  // namespace millrace::emit
