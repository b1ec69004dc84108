// SPDX-License-Identifier: Apache-2.0

#include "compiler/kernel/transforms/wide_vector_patterns.h"

#include <cstdint>

#include "compiler/kernel/ir/kernel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace millrace::kernel {
namespace {

namespace arith = mlir::arith;
namespace vector = mlir::vector;
using mlir::Value;
using mlir::ValueRange;
using Rewriter = mlir::ConversionPatternRewriter;
using Parts = llvm::SmallVector<Value>;

constexpr int64_t kPart = 4;

template <typename Op>
class WidePattern : public mlir::OpConversionPattern<Op> {
 public:
  using mlir::OpConversionPattern<Op>::OpConversionPattern;
  using Adaptor = typename mlir::OpConversionPattern<Op>::OneToNOpAdaptor;
};

// Element `index` of a vector in parts (or whole, if it is not wide).
Value ElementOf(Rewriter& rewriter, mlir::Location loc, ValueRange parts,
                int64_t index) {
  const Value part = parts.size() == 1 ? parts[0] : parts[index / kPart];
  return vector::ExtractOp::create(rewriter, loc, part,
                                   parts.size() == 1 ? index : index % kPart);
}

// A vector of `type`, in parts if it is wide, of `elements`.
Parts FromElements(Rewriter& rewriter, mlir::Location loc,
                   mlir::VectorType type, ValueRange elements) {
  if (!IsWide(type)) {
    return {vector::FromElementsOp::create(rewriter, loc, type, elements)};
  }
  Parts parts;
  for (int64_t i = 0; i < NumParts(type); ++i) {
    parts.push_back(vector::FromElementsOp::create(
        rewriter, loc, PartType(type), elements.slice(i * kPart, kPart)));
  }
  return parts;
}

// The coordinates of part `index` of a vector of which one starts at `first`.
Parts PartCoordinates(Rewriter& rewriter, mlir::Location loc, ObjectType object,
                      mlir::VectorType type, ValueRange first, int64_t index) {
  // Of a buffer of scalars a coordinate counts those, else vectors of `type`.
  const bool counts_scalars = object.getLanes() == 1;
  const auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(rewriter, loc, value);
  };
  Value base = first[0];
  if (!counts_scalars) {
    base = arith::MulIOp::create(rewriter, loc, base, constant(NumParts(type)));
  }
  const int64_t offset = counts_scalars ? index * kPart : index;
  return {arith::AddIOp::create(rewriter, loc, base, constant(offset))};
}

struct ExpandLoad : WidePattern<LoadOp> {
  using WidePattern::WidePattern;
  mlir::LogicalResult matchAndRewrite(LoadOp op, OneToNOpAdaptor adaptor,
                                      Rewriter& rewriter) const override {
    const auto type =
        llvm::dyn_cast<mlir::VectorType>(op.getResult().getType());
    if (!type || !IsWide(type)) {
      return mlir::failure();
    }
    Parts parts;
    for (int64_t i = 0; i < NumParts(type); ++i) {
      const Parts coordinates =
          PartCoordinates(rewriter, op.getLoc(), op.getObject().getType(), type,
                          op.getCoordinates(), i);
      parts.push_back(LoadOp::create(rewriter, op.getLoc(), PartType(type),
                                     op.getObject(), coordinates,
                                     op.getHalfAttr()));
    }
    rewriter.replaceOpWithMultiple(op, {parts});
    return mlir::success();
  }
};

struct ExpandStore : WidePattern<StoreOp> {
  using WidePattern::WidePattern;
  mlir::LogicalResult matchAndRewrite(StoreOp op, OneToNOpAdaptor adaptor,
                                      Rewriter& rewriter) const override {
    const auto type = llvm::dyn_cast<mlir::VectorType>(op.getValue().getType());
    if (!type || !IsWide(type)) {
      return mlir::failure();
    }
    for (auto [i, part] : llvm::enumerate(adaptor.getValue())) {
      const Parts coordinates =
          PartCoordinates(rewriter, op.getLoc(), op.getObject().getType(), type,
                          op.getCoordinates(), i);
      StoreOp::create(rewriter, op.getLoc(), part, op.getObject(), coordinates,
                      op.getHalfAttr());
    }
    rewriter.eraseOp(op);
    return mlir::success();
  }
};

struct ExpandConstant : WidePattern<arith::ConstantOp> {
  using WidePattern::WidePattern;
  mlir::LogicalResult matchAndRewrite(arith::ConstantOp op, OneToNOpAdaptor,
                                      Rewriter& rewriter) const override {
    const auto dense = llvm::dyn_cast<mlir::DenseElementsAttr>(op.getValue());
    if (!dense || !IsWide(dense.getType())) {
      return mlir::failure();
    }
    const auto type = llvm::cast<mlir::VectorType>(dense.getType());
    const auto values = llvm::to_vector(dense.getValues<mlir::Attribute>());
    Parts parts;
    for (int64_t i = 0; i < NumParts(type); ++i) {
      const auto part = mlir::DenseElementsAttr::get(
          PartType(type), llvm::ArrayRef(values).slice(i * kPart, kPart));
      parts.push_back(arith::ConstantOp::create(rewriter, op.getLoc(), part));
    }
    rewriter.replaceOpWithMultiple(op, {parts});
    return mlir::success();
  }
};

// Ops that do the same to each element.
struct ExpandElementwise : mlir::ConversionPattern {
  ExpandElementwise(const mlir::TypeConverter& converter,
                    mlir::MLIRContext* context)
      : ConversionPattern(converter, MatchAnyOpTypeTag(), 1, context) {}

  mlir::LogicalResult matchAndRewrite(mlir::Operation* op,
                                      llvm::ArrayRef<ValueRange> operands,
                                      Rewriter& rewriter) const override {
    if (!op->hasTrait<mlir::OpTrait::Elementwise>() ||
        op->getNumResults() != 1 || op->getNumRegions() != 0) {
      return mlir::failure();
    }
    const auto type =
        llvm::dyn_cast<mlir::VectorType>(op->getResult(0).getType());
    if (!type || !IsWide(type)) {
      return mlir::failure();
    }
    Parts parts;
    for (int64_t i = 0; i < NumParts(type); ++i) {
      mlir::OperationState state(op->getLoc(), op->getName());
      for (ValueRange operand : operands) {
        state.operands.push_back(operand[operand.size() == 1 ? 0 : i]);
      }
      state.addTypes(PartType(type));
      state.addAttributes(op->getAttrs());
      parts.push_back(rewriter.create(state)->getResult(0));
    }
    rewriter.replaceOpWithMultiple(op, {parts});
    return mlir::success();
  }
};

struct ExpandBroadcast : WidePattern<vector::BroadcastOp> {
  using WidePattern::WidePattern;
  mlir::LogicalResult matchAndRewrite(vector::BroadcastOp op,
                                      OneToNOpAdaptor adaptor,
                                      Rewriter& rewriter) const override {
    const mlir::VectorType type = op.getResultVectorType();
    if (!IsWide(type) || llvm::isa<mlir::VectorType>(op.getSourceType())) {
      return mlir::failure();
    }
    const Value part = vector::BroadcastOp::create(
        rewriter, op.getLoc(), PartType(type), op.getSource());
    rewriter.replaceOpWithMultiple(op, {Parts(NumParts(type), part)});
    return mlir::success();
  }
};

struct ExpandExtract : WidePattern<vector::ExtractOp> {
  using WidePattern::WidePattern;
  mlir::LogicalResult matchAndRewrite(vector::ExtractOp op,
                                      OneToNOpAdaptor adaptor,
                                      Rewriter& rewriter) const override {
    if (op.getStaticPosition().size() != 1 || op.hasDynamicPosition()) {
      return mlir::failure();
    }
    rewriter.replaceOp(op, ElementOf(rewriter, op.getLoc(), adaptor.getSource(),
                                     op.getStaticPosition()[0]));
    return mlir::success();
  }
};

struct ExpandInsert : WidePattern<vector::InsertOp> {
  using WidePattern::WidePattern;
  mlir::LogicalResult matchAndRewrite(vector::InsertOp op,
                                      OneToNOpAdaptor adaptor,
                                      Rewriter& rewriter) const override {
    if (op.getStaticPosition().size() != 1 || op.hasDynamicPosition()) {
      return mlir::failure();
    }
    const int64_t position = op.getStaticPosition()[0];
    Parts parts(adaptor.getDest());
    Value& part = parts[position / kPart];
    part = vector::InsertOp::create(rewriter, op.getLoc(), op.getValueToStore(),
                                    part, position % kPart);
    rewriter.replaceOpWithMultiple(op, {parts});
    return mlir::success();
  }
};

struct ExpandFromElements : WidePattern<vector::FromElementsOp> {
  using WidePattern::WidePattern;
  mlir::LogicalResult matchAndRewrite(vector::FromElementsOp op,
                                      OneToNOpAdaptor,
                                      Rewriter& rewriter) const override {
    rewriter.replaceOpWithMultiple(
        op, {FromElements(rewriter, op.getLoc(), op.getDest().getType(),
                          op.getElements())});
    return mlir::success();
  }
};

struct ExpandExtractSlice : WidePattern<vector::ExtractStridedSliceOp> {
  using WidePattern::WidePattern;
  mlir::LogicalResult matchAndRewrite(vector::ExtractStridedSliceOp op,
                                      OneToNOpAdaptor adaptor,
                                      Rewriter& rewriter) const override {
    const auto type = llvm::cast<mlir::VectorType>(op.getResult().getType());
    const ValueRange source = adaptor.getSource();
    const int64_t offset =
        llvm::cast<mlir::IntegerAttr>(op.getOffsets()[0]).getInt();
    const int64_t size = type.getDimSize(0);
    if (offset % kPart == 0 && size % kPart == 0) {
      rewriter.replaceOpWithMultiple(
          op, {Parts(source.slice(offset / kPart, size / kPart))});
      return mlir::success();
    }
    Parts elements;
    for (int64_t i = 0; i < size; ++i) {
      elements.push_back(ElementOf(rewriter, op.getLoc(), source, offset + i));
    }
    rewriter.replaceOpWithMultiple(
        op, {FromElements(rewriter, op.getLoc(), type, elements)});
    return mlir::success();
  }
};

struct ExpandInsertSlice : WidePattern<vector::InsertStridedSliceOp> {
  using WidePattern::WidePattern;
  mlir::LogicalResult matchAndRewrite(vector::InsertStridedSliceOp op,
                                      OneToNOpAdaptor adaptor,
                                      Rewriter& rewriter) const override {
    const int64_t offset =
        llvm::cast<mlir::IntegerAttr>(op.getOffsets()[0]).getInt();
    const int64_t size = op.getSourceVectorType().getDimSize(0);
    if (offset % kPart != 0 || size % kPart != 0) {
      return mlir::failure();
    }
    Parts parts(adaptor.getDest());
    for (auto [i, part] : llvm::enumerate(adaptor.getValueToStore())) {
      parts[offset / kPart + i] = part;
    }
    rewriter.replaceOpWithMultiple(op, {parts});
    return mlir::success();
  }
};

struct ExpandShuffle : WidePattern<vector::ShuffleOp> {
  using WidePattern::WidePattern;
  mlir::LogicalResult matchAndRewrite(vector::ShuffleOp op,
                                      OneToNOpAdaptor adaptor,
                                      Rewriter& rewriter) const override {
    const int64_t width = op.getV1VectorType().getDimSize(0);
    Parts elements;
    for (int64_t index : op.getMask()) {
      const bool second = index >= width;
      elements.push_back(ElementOf(rewriter, op.getLoc(),
                                   second ? adaptor.getV2() : adaptor.getV1(),
                                   second ? index - width : index));
    }
    rewriter.replaceOpWithMultiple(
        op, {FromElements(rewriter, op.getLoc(), op.getResultVectorType(),
                          elements)});
    return mlir::success();
  }
};

struct ExpandReduction : WidePattern<vector::ReductionOp> {
  using WidePattern::WidePattern;
  mlir::LogicalResult matchAndRewrite(vector::ReductionOp op,
                                      OneToNOpAdaptor adaptor,
                                      Rewriter& rewriter) const override {
    const ValueRange parts = adaptor.getVector();
    Value all = parts[0];
    for (Value part : parts.drop_front()) {
      all = vector::makeArithReduction(rewriter, op.getLoc(), op.getKind(), all,
                                       part);
    }
    Value result =
        vector::ReductionOp::create(rewriter, op.getLoc(), op.getKind(), all);
    if (op.getAcc()) {
      result = vector::makeArithReduction(rewriter, op.getLoc(), op.getKind(),
                                          op.getAcc(), result);
    }
    rewriter.replaceOp(op, result);
    return mlir::success();
  }
};

}  // namespace

bool IsWide(mlir::Type type) {
  const auto vector_type = llvm::dyn_cast<mlir::VectorType>(type);
  return vector_type && vector_type.getRank() == 1 &&
         vector_type.getDimSize(0) > kPart;
}

int64_t NumParts(mlir::VectorType type) { return type.getDimSize(0) / kPart; }

mlir::VectorType PartType(mlir::VectorType type) {
  return mlir::VectorType::get({kPart}, type.getElementType());
}

bool TouchesWide(mlir::Operation* op) {
  if (llvm::any_of(op->getOperandTypes(), IsWide) ||
      llvm::any_of(op->getResultTypes(), IsWide)) {
    return true;
  }
  return llvm::any_of(op->getRegions(), [](mlir::Region& region) {
    return llvm::any_of(region.getArgumentTypes(), IsWide);
  });
}

void AddWideVectorPatterns(mlir::TypeConverter& converter,
                           mlir::RewritePatternSet& patterns) {
  patterns.add<ExpandLoad, ExpandStore, ExpandConstant, ExpandElementwise,
               ExpandBroadcast, ExpandExtract, ExpandInsert, ExpandFromElements,
               ExpandExtractSlice, ExpandInsertSlice, ExpandShuffle,
               ExpandReduction>(converter, patterns.getContext());
}

}  // namespace millrace::kernel
