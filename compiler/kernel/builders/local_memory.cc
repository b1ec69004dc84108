// SPDX-License-Identifier: Apache-2.0
#include "compiler/kernel/builders/local_memory.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace millrace::kernel {

LocalArray::LocalArray(Body& body, int64_t size, int64_t lanes,
                       llvm::StringRef name)
    : body_(&body) {
  mlir::OpBuilder& builder = body.builder();
  mlir::OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(builder.getInsertionBlock());
  mlir::Type element = builder.getF32Type();
  if (lanes > 1) {
    element = mlir::VectorType::get({lanes}, element);
  }
  const auto type =
      mlir::MemRefType::get({size}, element, mlir::MemRefLayoutAttrInterface(),
                            builder.getI64IntegerAttr(kLocalMemorySpace));
  memory_ = LocalAllocOp::create(
      builder, mlir::NameLoc::get(builder.getStringAttr(name)), type);
}

Val LocalArray::Load(Val index) const {
  return body_->Wrap(mlir::memref::LoadOp::create(
      body_->builder(), body_->loc(), memory_, index.value()));
}

void LocalArray::Store(Val value, Val index) const {
  mlir::memref::StoreOp::create(body_->builder(), body_->loc(), value.value(),
                                memory_, index.value());
}

void Barrier(Body& body) { BarrierOp::create(body.builder(), body.loc()); }

}  // namespace millrace::kernel
