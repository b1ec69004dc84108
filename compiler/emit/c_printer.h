// SPDX-License-Identifier: Apache-2.0
//
// Prints one kernel in a C-like language. Private to compiler/emit; emit.h is
// the interface. The class is spread over files by family of ops:
//
//   c_printer.cc    the signature, blocks, and what becomes a local
//   statements.cc   loops, branches, stores, barriers
//   expressions.cc  arith and math
//   vectors.cc      vector
//   objects.cc      arguments, loads and stores, local memory, ids

#ifndef MILLRACE_COMPILER_EMIT_C_PRINTER_H_
#define MILLRACE_COMPILER_EMIT_C_PRINTER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "compiler/emit/c_expr.h"
#include "compiler/emit/spelling.h"
#include "compiler/kernel/ir/kernel.h"
#include "compiler/kernel/names/name_table.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace millrace::emit {

class CPrinter {
 public:
  CPrinter(kernel::FuncOp func, const Spelling& spelling, llvm::raw_ostream& os)
      : func_(func), spelling_(spelling), os_(os) {}

  mlir::LogicalResult Print();

 private:
  // c_printer.cc
  void PrintHeader();
  void PrintSignature();
  mlir::LogicalResult PrintBlock(mlir::Block& block);
  mlir::LogicalResult PrintOp(mlir::Operation* op);
  mlir::LogicalResult PrintValue(mlir::Operation* op, CExpr expr);
  bool IsNested(mlir::Operation* op, const CExpr& expr);
  // True if the expression of `op` reads memory that may change.
  bool IsFragile(mlir::Operation* op);
  // Prints a block of its own, whose names are free again after it.
  mlir::LogicalResult PrintScope(mlir::Block& block);
  void Line(absl::string_view text);
  // A local named after what `value` is; returns its name.
  std::string NameLocal(mlir::Value value);
  void Declare(mlir::Value value, absl::string_view text);

  // statements.cc: true if the op is of the family.
  std::optional<mlir::LogicalResult> PrintStatement(mlir::Operation* op);
  mlir::LogicalResult PrintFor(mlir::scf::ForOp op);
  mlir::LogicalResult PrintIf(mlir::scf::IfOp op);
  mlir::LogicalResult PrintYield(mlir::scf::YieldOp op);
  void DeclareLoopValues(mlir::scf::ForOp op);
  bool SharesVariable(mlir::scf::ForOp op, unsigned index);
  std::string LoopHeader(mlir::scf::ForOp op);
  // `variable = value;`, in the shortest way.
  void Assign(const std::string& variable, mlir::Value current,
              mlir::Value value);

  // expressions.cc
  std::optional<CExpr> ArithExpr(mlir::Operation* op);
  std::optional<CExpr> CastExpr(mlir::Operation* op);
  std::optional<CExpr> UnsignedExpr(mlir::Operation* op);
  std::optional<CExpr> CompareExpr(mlir::Operation* op);
  CExpr Literal(mlir::TypedAttr value);
  // Operand `index` of an operator; a scalar where the vector operand is one
  // broadcast, if the other operand is a vector.
  CExpr OperatorOperand(mlir::Operation* op, unsigned index);
  CExpr Cast(mlir::Type to, const CExpr& operand);

  // vectors.cc
  std::optional<CExpr> VectorExpr(mlir::Operation* op);
  CExpr VectorLiteral(mlir::Type type, absl::string_view elements);
  CExpr Element(mlir::Value vector, int64_t index);
  CExpr Shuffle(mlir::Value first, mlir::Value second,
                llvm::ArrayRef<int64_t> mask, mlir::Type type);
  std::optional<CExpr> ReductionExpr(mlir::Operation* op);

  // objects.cc
  std::optional<CExpr> ObjectExpr(mlir::Operation* op);
  std::string ArgumentText(unsigned index);
  // Makes the buffers of the slabs that are the arguments.
  void PrintViews();
  // A pattern of a buffer argument, filled in.
  std::string FillBuffer(absl::string_view pattern, unsigned index);
  std::vector<std::string> IdArguments();
  CExpr IdExpr(const IdSpelling& id, int64_t dimension);
  CExpr LoadExpr(kernel::LoadOp op);
  std::string StoreText(kernel::StoreOp op);
  const BufferSpelling& SpellingOf(kernel::ObjectType object,
                                   std::optional<kernel::HalfSpelling> half,
                                   mlir::Type value);
  std::string BufferText(kernel::ObjectType object, mlir::Type value,
                         const BufferSpelling& buffer, absl::string_view own,
                         absl::string_view other, absl::string_view neighbours,
                         absl::string_view name, absl::string_view index,
                         absl::string_view stored);
  std::optional<kernel::HalfSpelling> HalfOf(mlir::Value object);
  std::string LocalArrayText(kernel::LocalAllocOp op);
  std::string LocalElement(mlir::Value memory, mlir::ValueRange indices);

  // Types and values.
  std::string TypeName(mlir::Type type);
  CExpr& ExprOf(mlir::Value value) { return exprs_[value]; }
  std::string Operand(mlir::Value value, Binding binding) {
    return AsOperand(ExprOf(value), binding);
  }
  // As an argument of a call, where nothing needs parentheses.
  const std::string& Text(mlir::Value value) { return ExprOf(value).text; }

  // What a buffer is a part of, for languages whose arguments say that.
  struct SlabNames {
    std::string name;
    std::string offset;
  };

  kernel::FuncOp func_;
  const Spelling& spelling_;
  llvm::raw_ostream& os_;
  int indent_ = 0;
  kernel::NameTable names_;
  std::vector<SlabNames> slabs_;  // of each argument
  llvm::DenseMap<mlir::Value, CExpr> exprs_;
};

// A name for a value: of its location, or made up from what it is.
std::string NameHint(mlir::Value value,
                     const llvm::DenseMap<mlir::Value, CExpr>& exprs);

// The name that a location carries, or nothing.
std::string LocationName(mlir::Location loc);

}  // namespace millrace::emit

#endif  // MILLRACE_COMPILER_EMIT_C_PRINTER_H_
