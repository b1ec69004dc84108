// SPDX-License-Identifier: Apache-2.0
//
// Operators and functions on Val.
#include "compiler/kernel/builders/body.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace millrace::kernel {
namespace {

namespace arith = mlir::arith;
namespace math = mlir::math;
namespace vector = mlir::vector;

// Appends `Op`, or the constant that it folds to.
template <typename Op, typename... Args>
Val Append(Val like, Args... args) {
  Body* body = like.body();
  return body->Wrap(
      body->builder().createOrFold<Op>(body->loc(), mlir::Value(args)...));
}

template <typename FloatOp, typename IntOp>
Val Arithmetic(Val a, Val b) {
  return a.IsFloat() ? Append<FloatOp>(a, a, b) : Append<IntOp>(a, a, b);
}

Val Compare(arith::CmpIPredicate predicate, Val a, Val b) {
  Body* body = a.body();
  return body->Wrap(body->builder().createOrFold<arith::CmpIOp>(
      body->loc(), predicate, a.value(), b.value()));
}

}  // namespace

bool Val::IsFloat() const {
  return mlir::isa<mlir::FloatType>(mlir::getElementTypeOrSelf(value_));
}

Val operator+(Val a, Val b) {
  return Arithmetic<arith::AddFOp, arith::AddIOp>(a, b);
}
Val operator-(Val a, Val b) {
  return Arithmetic<arith::SubFOp, arith::SubIOp>(a, b);
}
Val operator*(Val a, Val b) {
  return Arithmetic<arith::MulFOp, arith::MulIOp>(a, b);
}
Val operator/(Val a, Val b) {
  return Arithmetic<arith::DivFOp, arith::DivUIOp>(a, b);
}
Val operator%(Val a, Val b) { return Append<arith::RemUIOp>(a, a, b); }
Val operator+(Val a, int64_t b) { return b == 0 ? a : a + a.body()->Index(b); }
Val operator-(Val a, int64_t b) { return b == 0 ? a : a - a.body()->Index(b); }
Val operator*(Val a, int64_t b) { return b == 1 ? a : a * a.body()->Index(b); }
Val operator/(Val a, int64_t b) { return b == 1 ? a : a / a.body()->Index(b); }
Val operator%(Val a, int64_t b) {
  return b == 1 ? a.body()->Index(0) : a % a.body()->Index(b);
}

Val Less(Val a, Val b) { return Compare(arith::CmpIPredicate::slt, a, b); }
Val LessEqual(Val a, Val b) { return Compare(arith::CmpIPredicate::sle, a, b); }
Val Equal(Val a, Val b) { return Compare(arith::CmpIPredicate::eq, a, b); }
Val EqualFloat(Val a, Val b) {
  Body* body = a.body();
  return body->Wrap(body->builder().createOrFold<arith::CmpFOp>(
      body->loc(), arith::CmpFPredicate::OEQ, a.value(), b.value()));
}
Val LessFloat(Val a, Val b) {
  Body* body = a.body();
  return body->Wrap(body->builder().createOrFold<arith::CmpFOp>(
      body->loc(), arith::CmpFPredicate::OLT, a.value(), b.value()));
}

Val IsNotFinite(Val value) {
  // The exponent has all bits set.
  constexpr int32_t kExponent = 0x7f800000;
  Body* body = value.body();
  mlir::OpBuilder& builder = body->builder();
  mlir::Type type = builder.getI32Type();
  mlir::TypedAttr exponent = builder.getI32IntegerAttr(kExponent);
  if (auto vector = mlir::dyn_cast<mlir::VectorType>(value.value().getType())) {
    auto integers = mlir::VectorType::get(vector.getShape(), type);
    exponent = mlir::DenseElementsAttr::get(integers, exponent);
    type = integers;
  }
  Val mask =
      body->Wrap(arith::ConstantOp::create(builder, body->loc(), exponent));
  Val bits = body->Wrap(
      arith::BitcastOp::create(builder, body->loc(), type, value.value()));
  return Equal(And(bits, mask), mask);
}

Val And(Val a, Val b) { return Append<arith::AndIOp>(a, a, b); }
Val Select(Val condition, Val yes, Val no) {
  return Append<arith::SelectOp>(condition, condition, yes, no);
}

Val MultiplyAdd(Val a, Val b, Val c) { return Append<math::FmaOp>(a, a, b, c); }
Val Max(Val a, Val b) { return Append<arith::MaximumFOp>(a, a, b); }
Val Min(Val a, Val b) { return Append<arith::MinSIOp>(a, a, b); }
Val Exp(Val a) { return Append<math::ExpOp>(a, a); }
Val Rsqrt(Val a) { return Append<math::RsqrtOp>(a, a); }
Val FloatToInt(Val a) {
  Body* body = a.body();
  return body->Wrap(body->builder().createOrFold<arith::FPToSIOp>(
      body->loc(), body->builder().getI32Type(), a.value()));
}
Val Sin(Val a) { return Append<math::SinOp>(a, a); }
Val Cos(Val a) { return Append<math::CosOp>(a, a); }
Val Tanh(Val a) { return Append<math::TanhOp>(a, a); }

Val Named(Val value, llvm::StringRef name) {
  mlir::Operation* op = value.value().getDefiningOp();
  if (op != nullptr && op->getNumResults() == 1 &&
      !op->hasTrait<mlir::OpTrait::ConstantLike>()) {
    op->setLoc(mlir::NameLoc::get(value.body()->builder().getStringAttr(name)));
  }
  return value;
}

Val Lane(Val vector, int64_t lane) {
  Body* body = vector.body();
  return body->Wrap(body->builder().createOrFold<vector::ExtractOp>(
      body->loc(), vector.value(), lane));
}

Val Broadcast(Val scalar, int64_t lanes) {
  Body* body = scalar.body();
  auto type = mlir::VectorType::get({lanes}, scalar.value().getType());
  return body->Wrap(body->builder().createOrFold<vector::BroadcastOp>(
      body->loc(), type, scalar.value()));
}

Val Pack(std::vector<Val> scalars) {
  Body* body = scalars.front().body();
  llvm::SmallVector<mlir::Value> values(scalars.begin(), scalars.end());
  auto type = mlir::VectorType::get({static_cast<int64_t>(values.size())},
                                    values.front().getType());
  return body->Wrap(body->builder().createOrFold<vector::FromElementsOp>(
      body->loc(), type, mlir::ValueRange(values)));
}

Val Shuffle(Val vector, std::vector<int64_t> lanes) {
  Body* body = vector.body();
  return body->Wrap(body->builder().createOrFold<vector::ShuffleOp>(
      body->loc(), vector.value(), vector.value(),
      llvm::ArrayRef<int64_t>(lanes)));
}

// Pairs first, so that each shuffle has two operands of one width.
Val Join(const std::vector<Val>& vectors) {
  std::vector<Val> now = vectors;
  while (now.size() > 1) {
    std::vector<Val> next;
    for (size_t i = 0; i + 1 < now.size(); i += 2) {
      const int64_t width =
          mlir::cast<mlir::VectorType>(now[i].value().getType()).getDimSize(0);
      std::vector<int64_t> lanes;
      for (int64_t lane = 0; lane < 2 * width; ++lane) {
        lanes.push_back(lane);
      }
      Body* body = now[i].body();
      next.push_back(body->Wrap(body->builder().createOrFold<vector::ShuffleOp>(
          body->loc(), now[i].value(), now[i + 1].value(),
          llvm::ArrayRef<int64_t>(lanes))));
    }
    now = next;
  }
  return now.front();
}

Val Part(Val vector, int64_t index, int64_t lanes) {
  const auto type = mlir::cast<mlir::VectorType>(vector.value().getType());
  if (type.getDimSize(0) == lanes) {
    return vector;
  }
  std::vector<int64_t> chosen;
  for (int64_t lane = 0; lane < lanes; ++lane) {
    chosen.push_back(index * lanes + lane);
  }
  return Shuffle(vector, chosen);
}

Val SumLanes(Val vector) {
  Body* body = vector.body();
  return body->Wrap(vector::ReductionOp::create(body->builder(), body->loc(),
                                                vector::CombiningKind::ADD,
                                                vector.value()));
}

Val SumFours(Val vector) {
  Val sum = Shuffle(vector, {0, 4, 8, 12});
  for (int64_t i = 1; i < 4; ++i) {
    sum = sum + Shuffle(vector, {i, i + 4, i + 8, i + 12});
  }
  return sum;
}

Val MaxLanes(Val vector) {
  Body* body = vector.body();
  return body->Wrap(vector::ReductionOp::create(body->builder(), body->loc(),
                                                vector::CombiningKind::MAXIMUMF,
                                                vector.value()));
}

}  // namespace millrace::kernel
