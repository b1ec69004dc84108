// SPDX-License-Identifier: Apache-2.0
#include "compiler/kernel/builders/body.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace millrace::kernel {
namespace {

namespace arith = mlir::arith;
namespace scf = mlir::scf;

llvm::SmallVector<mlir::Value> Values(const std::vector<Val>& vals) {
  return llvm::SmallVector<mlir::Value>(vals.begin(), vals.end());
}

std::vector<Val> Wrapped(Body* body, mlir::ValueRange values) {
  std::vector<Val> vals;
  for (mlir::Value value : values) {
    vals.push_back(body->Wrap(value));
  }
  return vals;
}

}  // namespace

Val Body::Index(int64_t value) {
  return Wrap(arith::ConstantIndexOp::create(builder_, loc_, value));
}

Val Body::Float(double value) {
  return Wrap(arith::ConstantOp::create(
      builder_, loc_, builder_.getF32FloatAttr(static_cast<float>(value))));
}

Val Body::FloatVector(double value, int64_t lanes) {
  auto type = mlir::VectorType::get({lanes}, builder_.getF32Type());
  return Wrap(arith::ConstantOp::create(
      builder_, loc_,
      mlir::DenseElementsAttr::get(type, static_cast<float>(value))));
}

Val Body::IntVector(std::vector<int32_t> values) {
  auto type = mlir::VectorType::get({static_cast<int64_t>(values.size())},
                                    builder_.getI32Type());
  return Wrap(arith::ConstantOp::create(
      builder_, loc_,
      mlir::DenseElementsAttr::get(type, llvm::ArrayRef<int32_t>(values))));
}

Val Body::ToInt(Val index) {
  return Wrap(builder_.createOrFold<arith::IndexCastOp>(
      loc_, builder_.getI32Type(), index.value()));
}

Val Body::ToIndex(Val i32) {
  return Wrap(builder_.createOrFold<arith::IndexCastOp>(
      loc_, builder_.getIndexType(), i32.value()));
}

Val Body::ToFloat(Val integer) {
  Val i32 = integer.value().getType().isIndex() ? ToInt(integer) : integer;
  return Wrap(builder_.createOrFold<arith::SIToFPOp>(
      loc_, builder_.getF32Type(), i32.value()));
}

Val Body::GlobalId(int64_t dimension) {
  return Wrap(GlobalIdOp::create(builder_, loc_, builder_.getIndexType(),
                                 static_cast<uint64_t>(dimension)));
}

Val Body::LocalId(int64_t dimension) {
  return Wrap(LocalIdOp::create(builder_, loc_, builder_.getIndexType(),
                                static_cast<uint64_t>(dimension)));
}

Val Body::GroupId(int64_t dimension) {
  return Wrap(GroupIdOp::create(builder_, loc_, builder_.getIndexType(),
                                static_cast<uint64_t>(dimension)));
}

Val Body::Param(mlir::FlatSymbolRefAttr parameter) {
  return Wrap(
      ParamOp::create(builder_, loc_, builder_.getIndexType(), parameter));
}

Val Body::Read(mlir::Value tensor, std::vector<Val> at) {
  return Wrap(ReadOp::create(builder_, loc_, tensor, Values(at)));
}

Val Body::ReadBlock(mlir::Value tensor, std::vector<Val> at) {
  auto type = mlir::VectorType::get({16}, builder_.getF32Type());
  return Wrap(ReadOp::create(builder_, loc_, type, tensor, Values(at)));
}

void Body::Write(Val value, mlir::Value tensor, std::vector<Val> at) {
  WriteOp::create(builder_, loc_, value.value(), tensor, Values(at));
}

Val Body::ReadElement(mlir::Value tensor, std::vector<Val> at) {
  return Wrap(ReadElementOp::create(builder_, loc_, tensor, Values(at)));
}

void Body::WriteElement(Val value, mlir::Value tensor, std::vector<Val> at) {
  WriteElementOp::create(builder_, loc_, value.value(), tensor, Values(at));
}

static Val GroupReduce(Body* body, ReduceKind kind, Val value,
                       const std::vector<int64_t>& over) {
  mlir::DenseI64ArrayAttr dimensions;
  if (!over.empty()) {
    dimensions = body->builder().getDenseI64ArrayAttr(over);
  }
  return body->Wrap(GroupReduceOp::create(body->builder(), body->loc(),
                                          value.value().getType(), kind,
                                          value.value(), dimensions));
}

Val Body::GroupSum(Val value, std::vector<int64_t> over) {
  return GroupReduce(this, ReduceKind::kAdd, value, over);
}

Val Body::GroupMax(Val value, std::vector<int64_t> over) {
  return GroupReduce(this, ReduceKind::kMax, value, over);
}

std::vector<Val> Body::For(Val from, Val to, int64_t step,
                           std::vector<Val> carried, LoopBody body) {
  Val stride = Index(step);
  auto loop = scf::ForOp::create(
      builder_, loc_, from, to, stride, Values(carried),
      [&](mlir::OpBuilder& inner, mlir::Location loc, mlir::Value i,
          mlir::ValueRange arguments) {
        mlir::OpBuilder::InsertionGuard guard(builder_);
        builder_.setInsertionPointToEnd(inner.getInsertionBlock());
        std::vector<Val> next = body(Wrap(i), Wrapped(this, arguments));
        scf::YieldOp::create(builder_, loc, Values(next));
      });
  return Wrapped(this, loop.getResults());
}

void Body::For(Val from, Val to, int64_t step,
               llvm::function_ref<void(Val i)> body) {
  For(from, to, step, {}, [&](Val i, std::vector<Val>) {
    body(i);
    return std::vector<Val>{};
  });
}

void Body::If(Val condition, llvm::function_ref<void()> then) {
  scf::IfOp::create(
      builder_, loc_, condition.value(),
      [&](mlir::OpBuilder& inner, mlir::Location loc) {
        mlir::OpBuilder::InsertionGuard guard(builder_);
        builder_.setInsertionPointToEnd(inner.getInsertionBlock());
        then();
        scf::YieldOp::create(builder_, loc);
      });
}

}  // namespace millrace::kernel
