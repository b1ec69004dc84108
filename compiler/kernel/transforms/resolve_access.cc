// SPDX-License-Identifier: Apache-2.0
//
// kernel-resolve-access: the coordinate translation of the paper (section 3.3).

#include <cstdint>
#include <string>

#include "compiler/kernel/ir/kernel.h"
#include "compiler/kernel/transforms/access_lowering.h"
#include "compiler/kernel/transforms/passes.h"
#include "compiler/layout/ir/layout.h"
#include "layout/layout.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace millrace::kernel {

#define GEN_PASS_DEF_RESOLVEACCESSPASS
#include "compiler/kernel/transforms/passes.h.inc"

namespace {

// What the body does to a tensor; one that it ignores counts as read.
Access AccessOf(mlir::Value tensor) {
  bool is_read = false, is_written = false;
  for (mlir::Operation* user : tensor.getUsers()) {
    const bool writes = llvm::isa<WriteOp, WriteElementOp>(user);
    is_written |= writes;
    is_read |= !writes;
  }
  if (!is_written) {
    return Access::kRead;
  }
  return is_read ? Access::kReadWrite : Access::kWrite;
}

// Builds the physical signature beside the virtual one, then drops the latter.
class Resolver {
 public:
  explicit Resolver(FuncOp func) : func_(func), builder_(func.getContext()) {}

  mlir::LogicalResult Run();

 private:
  mlir::LogicalResult AddObjects(mlir::BlockArgument tensor,
                                 llvm::StringRef name);
  mlir::BlockArgument AddArgument(mlir::Type type, const llvm::Twine& name,
                                  const llvm::Twine& note, mlir::Location loc);
  mlir::LogicalResult LowerAccess(mlir::Operation* op);
  void LowerParameters();
  void Finish(unsigned virtual_arguments);

  FuncOp func_;
  mlir::OpBuilder builder_;
  llvm::DenseMap<mlir::Value, ResolvedTensor> tensors_;
  llvm::SmallVector<mlir::Attribute> names_;
  llvm::SmallVector<mlir::Attribute> attributes_;
};

mlir::BlockArgument Resolver::AddArgument(mlir::Type type,
                                          const llvm::Twine& name,
                                          const llvm::Twine& note,
                                          mlir::Location loc) {
  names_.push_back(builder_.getStringAttr(name));
  attributes_.push_back(builder_.getDictionaryAttr(
      builder_.getNamedAttr("kernel.note", builder_.getStringAttr(note))));
  return func_.getBody().addArgument(type, loc);
}

mlir::LogicalResult Resolver::AddObjects(mlir::BlockArgument tensor,
                                         llvm::StringRef name) {
  const auto type = llvm::cast<mlir::RankedTensorType>(tensor.getType());
  const mlir::FailureOr<layout::Layout> layout = layout::GetLayout(type);
  if (mlir::failed(layout)) {
    return func_.emitOpError("argument ") << name << " has no layout: " << type;
  }
  const layout::PhysicalExtent extent = layout->Extent();
  const Access access = AccessOf(tensor);
  const bool is_buffer = layout->storage == layout::StorageKind::kBuffer;
  if (access == Access::kReadWrite && !is_buffer) {
    return func_.emitOpError("argument ")
           << name << " is a texture that is both read and written";
  }
  const auto object =
      ObjectType::get(func_.getContext(), layout->storage, extent.lanes,
                      type.getElementType(), access);
  ResolvedTensor resolved{*layout, {}};
  for (int64_t i = 0; i < extent.objects; ++i) {
    const std::string suffix =
        extent.objects == 1 ? "" : "_" + std::to_string(i);
    resolved.objects.push_back(AddArgument(
        object, name + suffix, layout->ToString(), tensor.getLoc()));
  }
  tensors_[tensor] = resolved;
  return mlir::success();
}

mlir::LogicalResult Resolver::LowerAccess(mlir::Operation* op) {
  builder_.setInsertionPoint(op);
  const auto replace = [&](auto read, mlir::FailureOr<mlir::Value> value) {
    if (mlir::failed(value)) {
      return mlir::failure();
    }
    read.getResult().replaceAllUsesWith(*value);
    return mlir::success();
  };
  const mlir::LogicalResult result =
      llvm::TypeSwitch<mlir::Operation*, mlir::LogicalResult>(op)
          .Case([&](ReadOp read) {
            return replace(
                read, LowerRead(builder_, read, tensors_[read.getSource()]));
          })
          .Case([&](ReadElementOp read) {
            return replace(read, LowerReadElement(builder_, read,
                                                  tensors_[read.getSource()]));
          })
          .Case([&](WriteOp write) {
            return LowerWrite(builder_, write, tensors_[write.getTarget()]);
          })
          .Case([&](WriteElementOp write) {
            return LowerWriteElement(builder_, write,
                                     tensors_[write.getTarget()]);
          })
          .Default([](mlir::Operation* other) {
            return other->emitOpError(
                "uses a tensor; only reads and writes may");
          });
  if (mlir::succeeded(result)) {
    op->erase();
  }
  return result;
}

void Resolver::LowerParameters() {
  if (!func_.UsesParameters()) {
    return;
  }
  const auto type =
      ObjectType::get(func_.getContext(), layout::StorageKind::kBuffer, 1,
                      builder_.getI32Type(), Access::kRead);
  // Reads of the module only: passes on other kernels leave these ops alone.
  const llvm::SmallVector<llvm::StringRef> names =
      ParameterNames(func_->getParentOfType<mlir::ModuleOp>());
  const mlir::Value buffer =
      AddArgument(type, "params", llvm::join(names, ", "), func_.getLoc());
  func_.walk([&](ParamOp param) {
    builder_.setInsertionPoint(param);
    const mlir::Value word = mlir::arith::ConstantIndexOp::create(
        builder_, param.getLoc(),
        std::distance(names.begin(), llvm::find(names, param.getSymbol())));
    const mlir::Value value = LoadOp::create(
        builder_, param.getLoc(), builder_.getI32Type(), buffer, word);
    const auto name = builder_.getStringAttr(param.getSymbol());
    const mlir::Value index = mlir::arith::IndexCastOp::create(
        builder_, mlir::NameLoc::get(name), builder_.getIndexType(), value);
    param.getResult().replaceAllUsesWith(index);
    param.erase();
  });
}

void Resolver::Finish(unsigned virtual_arguments) {
  mlir::Block& entry = func_.getBody().front();
  entry.eraseArguments(0, virtual_arguments);
  func_.setFunctionType(builder_.getFunctionType(entry.getArgumentTypes(), {}));
  func_.setArgNamesAttr(builder_.getArrayAttr(names_));
  func_.setArgAttrsAttr(builder_.getArrayAttr(attributes_));
}

mlir::LogicalResult Resolver::Run() {
  const unsigned count = func_.getNumArguments();
  llvm::SmallVector<mlir::Operation*> accesses;
  for (unsigned i = 0; i < count; ++i) {
    const mlir::BlockArgument tensor = func_.getArgument(i);
    if (mlir::failed(AddObjects(tensor, func_.ArgumentName(i)))) {
      return mlir::failure();
    }
    llvm::append_range(accesses, tensor.getUsers());
  }
  for (mlir::Operation* op : accesses) {
    if (mlir::failed(LowerAccess(op))) {
      return mlir::failure();
    }
  }
  LowerParameters();
  Finish(count);
  return mlir::success();
}

class ResolveAccess : public impl::ResolveAccessPassBase<ResolveAccess> {
  void runOnOperation() override {
    FuncOp func = getOperation();
    // A kernel without arguments is in both forms at once.
    if (func.IsPhysical() && func.getNumArguments() > 0) {
      return;
    }
    if (mlir::failed(Resolver(func).Run())) {
      signalPassFailure();
    }
  }
};

}  // namespace
}  // namespace millrace::kernel
