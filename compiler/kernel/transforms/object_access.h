// SPDX-License-Identifier: Apache-2.0
//
// Loads and stores at a Place of a tensor that may lie in several objects.

#ifndef MILLRACE_COMPILER_KERNEL_TRANSFORMS_OBJECT_ACCESS_H_
#define MILLRACE_COMPILER_KERNEL_TRANSFORMS_OBJECT_ACCESS_H_

#include "compiler/kernel/transforms/coordinates.h"
#include "llvm/ADT/ArrayRef.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Value.h"

namespace millrace::kernel {

class ObjectAccess {
 public:
  ObjectAccess(mlir::OpBuilder& builder, mlir::Location loc,
               Coordinates& coordinates, llvm::ArrayRef<mlir::Value> objects)
      : builder_(builder),
        loc_(loc),
        coordinates_(coordinates),
        objects_(objects) {}

  // Which object it is is decided here if it is known, else by branches.
  mlir::Value Load(const Place& place, mlir::Type type);
  void Store(const Place& place, mlir::Value value);

 private:
  mlir::SmallVector<mlir::Value> Materialize(const Place& place);
  // True if objects_[index] is `object`; no test is made of the last one.
  mlir::Value IsObject(mlir::Value object, unsigned index);
  mlir::Value LoadAny(mlir::Value object, unsigned first,
                      mlir::ValueRange coordinates, mlir::Type type);
  void StoreAny(mlir::Value object, unsigned first,
                mlir::ValueRange coordinates, mlir::Value value);

  mlir::OpBuilder& builder_;
  mlir::Location loc_;
  Coordinates& coordinates_;
  llvm::ArrayRef<mlir::Value> objects_;
};

}  // namespace millrace::kernel

#endif  // MILLRACE_COMPILER_KERNEL_TRANSFORMS_OBJECT_ACCESS_H_
