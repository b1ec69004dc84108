// SPDX-License-Identifier: Apache-2.0
//
// Rules of the ops that read and write tensors and objects.

#include <cstdint>

#include "compiler/kernel/ir/kernel.h"
#include "compiler/layout/ir/layout.h"
#include "llvm/ADT/SmallVector.h"

namespace millrace::kernel {
namespace {

using Effects = llvm::SmallVectorImpl<
    mlir::SideEffects::EffectInstance<mlir::MemoryEffects::Effect>>;

// The rules of virtual access; `label` is the letter of the rules.
mlir::LogicalResult VerifyIndices(mlir::Operation* op, llvm::StringRef label,
                                  mlir::Type type, int64_t indices) {
  const auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type);
  if (tensor && tensor.getRank() == indices) {
    return mlir::success();
  }
  return op->emitOpError() << label << "1: wanted one coordinate an axis of "
                           << type << "; found " << indices;
}

mlir::LogicalResult VerifySlice(mlir::Operation* op, llvm::StringRef label,
                                mlir::Type type, int64_t indices,
                                mlir::Type value) {
  if (mlir::failed(VerifyIndices(op, label, type, indices))) {
    return mlir::failure();
  }
  const auto tensor = llvm::cast<mlir::RankedTensorType>(type);
  if (!llvm::isa<mlir::FloatType>(tensor.getElementType())) {
    return op->emitOpError() << label << "2: a slice has float elements; found "
                             << tensor.getElementType();
  }
  const int64_t width = llvm::cast<mlir::VectorType>(value).getDimSize(0);
  const bool is_block =
      width == 16 && (tensor.getRank() == 2 || tensor.getRank() == 3);
  if (width == SliceWidth(tensor) || is_block) {
    return mlir::success();
  }
  return op->emitOpError() << label << "3: a slice of " << tensor << " has "
                           << SliceWidth(tensor) << " elements; found "
                           << width;
}

mlir::LogicalResult VerifyElement(mlir::Operation* op, mlir::Type type,
                                  int64_t indices, mlir::Type value) {
  if (mlir::failed(VerifyIndices(op, "E", type, indices))) {
    return mlir::failure();
  }
  const mlir::Type wanted =
      ValueType(llvm::cast<mlir::RankedTensorType>(type).getElementType());
  if (value == wanted) {
    return mlir::success();
  }
  return op->emitOpError() << "E2: wanted a value of " << wanted << "; found "
                           << value;
}

// The rules of physical access but for the direction.
mlir::LogicalResult VerifyPhysical(mlir::Operation* op, llvm::StringRef label,
                                   ObjectType object, int64_t coordinates,
                                   mlir::Type value) {
  if (coordinates != object.NumCoordinates()) {
    return op->emitOpError()
           << label << "1: wanted " << object.NumCoordinates()
           << " coordinates of " << object << "; found " << coordinates;
  }
  if (mlir::getElementTypeOrSelf(value) != ValueType(object.getElementType())) {
    return op->emitOpError()
           << label << "4: elements of " << object << " are not " << value;
  }
  if (object.IsBuffer() || value == object.LoadedType()) {
    return mlir::success();
  }
  return op->emitOpError() << label << "3: a texel of " << object << " is not "
                           << value;
}

}  // namespace

int64_t SliceWidth(mlir::RankedTensorType type) {
  const mlir::FailureOr<layout::Layout> layout = layout::GetLayout(type);
  if (mlir::failed(layout)) {
    return 4;
  }
  const int64_t lanes = layout->Extent().lanes;
  return lanes == 1 ? 4 : lanes;
}

void ReadOp::build(mlir::OpBuilder& builder, mlir::OperationState& state,
                   mlir::Value source, mlir::ValueRange indices) {
  const auto type = llvm::cast<mlir::RankedTensorType>(source.getType());
  build(builder, state,
        mlir::VectorType::get({SliceWidth(type)}, builder.getF32Type()), source,
        indices);
}

mlir::LogicalResult ReadOp::verify() {
  return VerifySlice(*this, "R", getSource().getType(), getIndices().size(),
                     getResult().getType());
}

mlir::LogicalResult WriteOp::verify() {
  return VerifySlice(*this, "W", getTarget().getType(), getIndices().size(),
                     getValue().getType());
}

void ReadElementOp::build(mlir::OpBuilder& builder, mlir::OperationState& state,
                          mlir::Value source, mlir::ValueRange indices) {
  const auto type = llvm::cast<mlir::RankedTensorType>(source.getType());
  build(builder, state, ValueType(type.getElementType()), source, indices);
}

mlir::LogicalResult ReadElementOp::verify() {
  return VerifyElement(*this, getSource().getType(), getIndices().size(),
                       getResult().getType());
}

mlir::LogicalResult WriteElementOp::verify() {
  return VerifyElement(*this, getTarget().getType(), getIndices().size(),
                       getValue().getType());
}

void LoadOp::build(mlir::OpBuilder& builder, mlir::OperationState& state,
                   mlir::Type result, mlir::Value object,
                   mlir::ValueRange coordinates) {
  build(builder, state, result, object, coordinates, HalfSpellingAttr());
}

mlir::LogicalResult LoadOp::verify() {
  if (getObject().getType().getAccess() == Access::kWrite) {
    return emitOpError("L2: the object is only written");
  }
  return VerifyPhysical(*this, "L", getObject().getType(),
                        getCoordinates().size(), getResult().getType());
}

// What no one writes in this kernel can be read at any time, so that a load of
// it may be shared and hoisted.
void LoadOp::getEffects(Effects& effects) {
  if (getObject().getType().getAccess() == Access::kRead) {
    return;
  }
  effects.emplace_back(mlir::MemoryEffects::Read::get(), &getObjectMutable());
}

mlir::Speculation::Speculatability LoadOp::getSpeculatability() {
  return getObject().getType().getAccess() == Access::kRead
             ? mlir::Speculation::Speculatable
             : mlir::Speculation::NotSpeculatable;
}

void StoreOp::build(mlir::OpBuilder& builder, mlir::OperationState& state,
                    mlir::Value value, mlir::Value object,
                    mlir::ValueRange coordinates) {
  build(builder, state, value, object, coordinates, HalfSpellingAttr());
}

mlir::LogicalResult StoreOp::verify() {
  if (getObject().getType().getAccess() == Access::kRead) {
    return emitOpError("S2: the object is only read");
  }
  return VerifyPhysical(*this, "S", getObject().getType(),
                        getCoordinates().size(), getValue().getType());
}

void StoreOp::getEffects(Effects& effects) {
  effects.emplace_back(mlir::MemoryEffects::Write::get(), &getObjectMutable());
}

}  // namespace millrace::kernel
