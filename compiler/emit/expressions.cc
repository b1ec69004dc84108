// SPDX-License-Identifier: Apache-2.0
//
// arith and math. What has one spelling in both languages is a table here.

#include <cstdint>
#include <optional>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/substitute.h"
#include "compiler/emit/c_printer.h"
#include "compiler/emit/literals.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MathExtras.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

namespace millrace::emit {
namespace {

namespace arith = mlir::arith;

struct InfixOp {
  llvm::StringRef op;
  llvm::StringRef text;
  Binding binding;
};

constexpr InfixOp kInfix[] = {
    {"arith.addf", "+", Binding::kAdd},
    {"arith.subf", "-", Binding::kAdd},
    {"arith.mulf", "*", Binding::kMultiply},
    {"arith.divf", "/", Binding::kMultiply},
    {"arith.addi", "+", Binding::kAdd},
    {"arith.subi", "-", Binding::kAdd},
    {"arith.muli", "*", Binding::kMultiply},
    {"arith.divsi", "/", Binding::kMultiply},
    {"arith.remsi", "%", Binding::kMultiply},
    {"arith.andi", "&", Binding::kBitAnd},
    {"arith.ori", "|", Binding::kBitOr},
    {"arith.xori", "^", Binding::kBitXor},
    {"arith.shli", "<<", Binding::kShift},
    {"arith.shrsi", ">>", Binding::kShift},
};

struct CallOp {
  llvm::StringRef op;
  llvm::StringRef function;
};

constexpr CallOp kCalls[] = {
    {"arith.maximumf", "fmax"}, {"arith.maxnumf", "fmax"},
    {"arith.minimumf", "fmin"}, {"arith.minnumf", "fmin"},
    {"arith.maxsi", "max"},     {"arith.minsi", "min"},
    {"arith.maxui", "max"},     {"arith.minui", "min"},
    {"math.absf", "fabs"},      {"math.ceil", "ceil"},
    {"math.cos", "cos"},        {"math.exp", "exp"},
    {"math.exp2", "exp2"},      {"math.floor", "floor"},
    {"math.fma", "fma"},        {"math.log", "log"},
    {"math.log2", "log2"},      {"math.powf", "pow"},
    {"math.round", "round"},    {"math.rsqrt", "rsqrt"},
    {"math.sin", "sin"},        {"math.sqrt", "sqrt"},
    {"math.tan", "tan"},        {"math.tanh", "tanh"},
    {"kernel.dot", "dot"},      {"vector.fma", "fma"},
};

template <typename Entry, size_t kSize>
const Entry* Find(const Entry (&table)[kSize], llvm::StringRef op) {
  for (const Entry& entry : table) {
    if (entry.op == op) {
      return &entry;
    }
  }
  return nullptr;
}

// True if all elements of a vector are one scalar.
bool IsBroadcast(mlir::Value value) {
  if (value.getDefiningOp<mlir::vector::BroadcastOp>()) {
    return true;
  }
  mlir::DenseElementsAttr dense;
  return mlir::matchPattern(value, mlir::m_Constant(&dense)) && dense.isSplat();
}

// Logic on bool has operators of its own.
std::optional<InfixOp> LogicOp(llvm::StringRef op) {
  if (op == "arith.andi") {
    return InfixOp{op, "&&", Binding::kAnd};
  }
  if (op == "arith.ori") {
    return InfixOp{op, "||", Binding::kOr};
  }
  if (op == "arith.xori") {
    return InfixOp{op, "!=", Binding::kEquality};
  }
  return std::nullopt;
}

absl::string_view ToView(llvm::StringRef text) {
  return {text.data(), text.size()};
}

absl::string_view CompareText(arith::CmpIPredicate predicate) {
  using Predicate = arith::CmpIPredicate;
  switch (predicate) {
    case Predicate::eq:
      return "==";
    case Predicate::ne:
      return "!=";
    case Predicate::slt:
    case Predicate::ult:
      return "<";
    case Predicate::sle:
    case Predicate::ule:
      return "<=";
    case Predicate::sgt:
    case Predicate::ugt:
      return ">";
    case Predicate::sge:
    case Predicate::uge:
      return ">=";
  }
  return "";
}

bool IsUnsigned(arith::CmpIPredicate predicate) {
  return predicate >= arith::CmpIPredicate::ult;
}

// Ordered comparisons are C's, as are those that are true of NaN and !=.
std::optional<absl::string_view> CompareText(arith::CmpFPredicate predicate) {
  using Predicate = arith::CmpFPredicate;
  switch (predicate) {
    case Predicate::OEQ:
      return "==";
    case Predicate::UNE:
      return "!=";
    case Predicate::OLT:
      return "<";
    case Predicate::OLE:
      return "<=";
    case Predicate::OGT:
      return ">";
    case Predicate::OGE:
      return ">=";
    default:
      return std::nullopt;
  }
}

Binding CompareBinding(absl::string_view text) {
  return text == "==" || text == "!=" ? Binding::kEquality : Binding::kRelation;
}

}  // namespace

CExpr CPrinter::Literal(mlir::TypedAttr value) {
  if (auto number = llvm::dyn_cast<mlir::FloatAttr>(value)) {
    return FloatLiteral(number.getValue().convertToFloat());
  }
  if (auto number = llvm::dyn_cast<mlir::IntegerAttr>(value)) {
    if (number.getType().isInteger(1)) {
      return {number.getValue().isZero() ? "false" : "true"};
    }
    return IntLiteral(number.getValue().getSExtValue());
  }
  const auto dense = llvm::cast<mlir::DenseElementsAttr>(value);
  const bool is_mask = dense.getElementType().isInteger(1);
  const auto element = [&](mlir::Attribute attribute) {
    const std::string text =
        Literal(llvm::cast<mlir::TypedAttr>(attribute)).text;
    return is_mask && text == "true" ? std::string(spelling_.true_lane) : text;
  };
  if (dense.isSplat()) {
    return VectorLiteral(dense.getType(),
                         element(dense.getSplatValue<mlir::Attribute>()));
  }
  std::vector<std::string> elements;
  for (mlir::Attribute attribute : dense.getValues<mlir::Attribute>()) {
    elements.push_back(element(attribute));
  }
  return VectorLiteral(dense.getType(), absl::StrJoin(elements, ", "));
}

CExpr CPrinter::OperatorOperand(mlir::Operation* op, unsigned index) {
  const mlir::Value operand = op->getOperand(index);
  const bool other_is_vector = llvm::isa<mlir::VectorType>(operand.getType()) &&
                               !IsBroadcast(op->getOperand(1 - index));
  if (!other_is_vector) {
    return ExprOf(operand);
  }
  if (auto broadcast = operand.getDefiningOp<mlir::vector::BroadcastOp>()) {
    return ExprOf(broadcast.getSource());
  }
  if (IsBroadcast(operand)) {
    auto constant = operand.getDefiningOp<arith::ConstantOp>();
    const auto dense = llvm::cast<mlir::DenseElementsAttr>(constant.getValue());
    return Literal(
        llvm::cast<mlir::TypedAttr>(dense.getSplatValue<mlir::Attribute>()));
  }
  return ExprOf(operand);
}

CExpr CPrinter::Cast(mlir::Type to, const CExpr& operand) {
  if (llvm::isa<mlir::VectorType>(to)) {
    return {
        absl::Substitute(spelling_.vector_cast, TypeName(to), operand.text)};
  }
  const bool is_prefix = absl::EndsWith(spelling_.cast, "$1");
  return {absl::Substitute(
              spelling_.cast, TypeName(to),
              is_prefix ? AsOperand(operand, Binding::kPrimary) : operand.text),
          is_prefix ? Binding::kUnary : Binding::kPrimary};
}

std::optional<CExpr> CPrinter::CastExpr(mlir::Operation* op) {
  if (op->getNumOperands() != 1) {
    return std::nullopt;
  }
  const mlir::Type to = op->getResult(0).getType();
  const CExpr operand = ExprOf(op->getOperand(0));
  // Both are int.
  if (llvm::isa<arith::IndexCastOp, arith::IndexCastUIOp>(op)) {
    return operand;
  }
  if (llvm::isa<arith::BitcastOp>(op)) {
    return CExpr{
        absl::Substitute(spelling_.bit_cast, TypeName(to), operand.text)};
  }
  if (llvm::isa<arith::SIToFPOp, arith::FPToSIOp, arith::ExtSIOp,
                arith::TruncIOp>(op)) {
    return Cast(to, operand);
  }
  // Of a bool only, where the sign is no matter; else the value must not be
  // negative.
  if (llvm::isa<arith::ExtUIOp, arith::UIToFPOp>(op)) {
    const mlir::Type from =
        mlir::getElementTypeOrSelf(op->getOperand(0).getType());
    if (from.isInteger(1)) {
      return Cast(to, operand);
    }
  }
  return std::nullopt;
}

// Indices are never negative: shifts and masks are right for them, and cheaper
// than C's signed division.
std::optional<CExpr> CPrinter::UnsignedExpr(mlir::Operation* op) {
  const bool divides = llvm::isa<arith::DivUIOp, arith::FloorDivSIOp>(op);
  if (!divides && !llvm::isa<arith::RemUIOp>(op)) {
    return std::nullopt;
  }
  if (!op->getResult(0).getType().isIndex()) {
    return std::nullopt;
  }
  const CExpr lhs = ExprOf(op->getOperand(0));
  const CExpr rhs = ExprOf(op->getOperand(1));
  mlir::APInt number;
  if (mlir::matchPattern(op->getOperand(1), mlir::m_ConstantInt(&number)) &&
      number.isPowerOf2()) {
    if (divides) {
      return Infix(lhs, ">>", IntLiteral(number.logBase2()), Binding::kShift);
    }
    return Infix(lhs, "&", IntLiteral(number.getSExtValue() - 1),
                 Binding::kBitAnd);
  }
  return Infix(lhs, divides ? "/" : "%", rhs, Binding::kMultiply);
}

std::optional<CExpr> CPrinter::CompareExpr(mlir::Operation* op) {
  std::optional<absl::string_view> text;
  if (auto compare = llvm::dyn_cast<arith::CmpIOp>(op)) {
    const bool is_index = compare.getLhs().getType().isIndex();
    if (is_index || !IsUnsigned(compare.getPredicate())) {
      text = CompareText(compare.getPredicate());
    }
  } else if (auto compare = llvm::dyn_cast<arith::CmpFOp>(op)) {
    text = CompareText(compare.getPredicate());
  }
  if (!text) {
    return std::nullopt;
  }
  return Infix(ExprOf(op->getOperand(0)), *text, ExprOf(op->getOperand(1)),
               CompareBinding(*text));
}

std::optional<CExpr> CPrinter::ArithExpr(mlir::Operation* op) {
  const llvm::StringRef name = op->getName().getStringRef();
  const mlir::Type type = op->getResult(0).getType();
  if (auto constant = llvm::dyn_cast<arith::ConstantOp>(op)) {
    return Literal(constant.getValue());
  }
  if (auto negate = llvm::dyn_cast<arith::NegFOp>(op)) {
    // "--x" would be another operator.
    CExpr operand = ExprOf(negate.getOperand());
    if (operand.binding == Binding::kUnary) {
      operand.binding = Binding::kAdd;
    }
    return CExpr{"-" + AsOperand(operand, Binding::kPrimary), Binding::kUnary};
  }
  if (auto select = llvm::dyn_cast<arith::SelectOp>(op)) {
    if (llvm::isa<mlir::VectorType>(select.getCondition().getType())) {
      return CExpr{absl::StrCat("select(", Text(select.getFalseValue()), ", ",
                                Text(select.getTrueValue()), ", ",
                                Text(select.getCondition()), ")")};
    }
    return CExpr{
        absl::StrCat(Operand(select.getCondition(), Binding::kOr), " ? ",
                     Operand(select.getTrueValue(), Binding::kOr), " : ",
                     Operand(select.getFalseValue(), Binding::kOr)),
        Binding::kTernary};
  }
  if (auto erf = llvm::dyn_cast<mlir::math::ErfOp>(op)) {
    return CExpr{absl::Substitute(spelling_.erf, Text(erf.getOperand()))};
  }
  if (const CallOp* call = Find(kCalls, name)) {
    std::vector<std::string> arguments;
    for (mlir::Value operand : op->getOperands()) {
      arguments.push_back(Text(operand));
    }
    return CExpr{absl::StrCat(ToView(call->function), "(",
                              absl::StrJoin(arguments, ", "), ")")};
  }
  if (const InfixOp* infix = Find(kInfix, name)) {
    const std::optional<InfixOp> logic =
        type.isInteger(1) ? LogicOp(name) : std::nullopt;
    const InfixOp chosen = logic.value_or(*infix);
    const bool is_sum_of_ints = llvm::isa<arith::AddIOp>(op);
    return Infix(OperatorOperand(op, 0), ToView(chosen.text),
                 OperatorOperand(op, 1), chosen.binding, is_sum_of_ints);
  }
  for (auto family :
       {&CPrinter::UnsignedExpr, &CPrinter::CompareExpr, &CPrinter::CastExpr}) {
    if (std::optional<CExpr> expr = (this->*family)(op)) {
      return expr;
    }
  }
  return std::nullopt;
}

}  // namespace millrace::emit
