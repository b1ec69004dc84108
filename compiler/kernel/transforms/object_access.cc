// SPDX-License-Identifier: Apache-2.0

#include "compiler/kernel/transforms/object_access.h"

#include "compiler/kernel/ir/kernel.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace millrace::kernel {

mlir::SmallVector<mlir::Value> ObjectAccess::Materialize(const Place& place) {
  mlir::SmallVector<mlir::Value> values;
  for (const layout::Expr& expr : place.coordinates) {
    values.push_back(coordinates_.Materialize(expr));
  }
  return values;
}

mlir::Value ObjectAccess::IsObject(mlir::Value object, unsigned index) {
  const mlir::Value number =
      mlir::arith::ConstantIndexOp::create(builder_, loc_, index);
  return mlir::arith::CmpIOp::create(
      builder_, loc_, mlir::arith::CmpIPredicate::eq, object, number);
}

mlir::Value ObjectAccess::Load(const Place& place, mlir::Type type) {
  const mlir::SmallVector<mlir::Value> coordinates = Materialize(place);
  if (place.object.kind() == layout::Expr::Kind::kConstant) {
    return LoadOp::create(builder_, loc_, type,
                          objects_[place.object.constant()], coordinates);
  }
  return LoadAny(coordinates_.Materialize(place.object), 0, coordinates, type);
}

mlir::Value ObjectAccess::LoadAny(mlir::Value object, unsigned first,
                                  mlir::ValueRange coordinates,
                                  mlir::Type type) {
  if (first + 1 == objects_.size()) {
    return LoadOp::create(builder_, loc_, type, objects_[first], coordinates);
  }
  const auto yield = [&](unsigned index, bool rest) {
    return [&, index, rest](mlir::OpBuilder& inner, mlir::Location loc) {
      mlir::OpBuilder::InsertionGuard guard(builder_);
      builder_.restoreInsertionPoint(inner.saveInsertionPoint());
      const mlir::Value value =
          rest ? LoadAny(object, index, coordinates, type)
               : LoadOp::create(builder_, loc, type, objects_[index],
                                coordinates)
                     .getResult();
      mlir::scf::YieldOp::create(builder_, loc, value);
    };
  };
  auto branch =
      mlir::scf::IfOp::create(builder_, loc_, IsObject(object, first),
                              yield(first, false), yield(first + 1, true));
  return branch.getResult(0);
}

void ObjectAccess::Store(const Place& place, mlir::Value value) {
  const mlir::SmallVector<mlir::Value> coordinates = Materialize(place);
  if (place.object.kind() == layout::Expr::Kind::kConstant) {
    StoreOp::create(builder_, loc_, value, objects_[place.object.constant()],
                    coordinates);
    return;
  }
  StoreAny(coordinates_.Materialize(place.object), 0, coordinates, value);
}

void ObjectAccess::StoreAny(mlir::Value object, unsigned first,
                            mlir::ValueRange coordinates, mlir::Value value) {
  if (first + 1 == objects_.size()) {
    StoreOp::create(builder_, loc_, value, objects_[first], coordinates);
    return;
  }
  auto branch = mlir::scf::IfOp::create(builder_, loc_, IsObject(object, first),
                                        /*withElseRegion=*/true);
  mlir::OpBuilder::InsertionGuard guard(builder_);
  builder_.setInsertionPoint(branch.thenYield());
  StoreOp::create(builder_, loc_, value, objects_[first], coordinates);
  builder_.setInsertionPoint(branch.elseYield());
  StoreAny(object, first + 1, coordinates, value);
}

}  // namespace millrace::kernel
