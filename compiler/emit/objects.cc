// SPDX-License-Identifier: Apache-2.0
//
// Arguments and their access, local memory, ids.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/substitute.h"
#include "compiler/emit/c_printer.h"
#include "layout/storage.h"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace millrace::emit {
namespace {

using kernel::Access;
using kernel::HalfSpelling;
using kernel::ObjectType;

int64_t WidthOf(mlir::Type type) {
  const auto vector = llvm::dyn_cast<mlir::VectorType>(type);
  return vector ? vector.getDimSize(0) : 1;
}

// "4" of a vector of four, nothing of a scalar.
std::string Suffix(int64_t width) {
  return width == 1 ? "" : absl::StrCat(width);
}

}  // namespace

// How the first access of an object is spelt: a pointer has one type.
std::optional<HalfSpelling> CPrinter::HalfOf(mlir::Value object) {
  for (mlir::Operation* user : object.getUsers()) {
    if (auto load = llvm::dyn_cast<kernel::LoadOp>(user)) {
      if (load.getHalf()) {
        return load.getHalf();
      }
    }
    if (auto store = llvm::dyn_cast<kernel::StoreOp>(user)) {
      if (store.getHalf()) {
        return store.getHalf();
      }
    }
  }
  return std::nullopt;
}

const BufferSpelling& CPrinter::SpellingOf(ObjectType object,
                                           std::optional<HalfSpelling> half,
                                           mlir::Type value) {
  if (!object.getElementType().isF16()) {
    return spelling_.plain;
  }
  HalfSpelling chosen = half.value_or(HalfSpelling::kVload);
  // Scalars have no aligned variant, and both point to scalars.
  if (chosen == HalfSpelling::kVloada && WidthOf(value) == 1) {
    chosen = HalfSpelling::kVload;
  }
  return spelling_.half[static_cast<size_t>(chosen)];
}

std::string CPrinter::ArgumentText(unsigned index) {
  const mlir::Value argument = func_.getArgument(index);
  const auto object = llvm::cast<ObjectType>(argument.getType());
  const bool is_read = object.getAccess() == Access::kRead;
  if (object.IsBuffer()) {
    return FillBuffer(is_read ? spelling_.read_buffer_argument
                              : spelling_.write_buffer_argument,
                      index);
  }
  const TextureSpelling& texture =
      spelling_.textures[static_cast<size_t>(object.getStorage())];
  return absl::Substitute(
      is_read ? texture.read_argument : texture.write_argument, Text(argument),
      index);
}

void CPrinter::PrintViews() {
  for (unsigned i = 0; i < func_.getNumArguments(); ++i) {
    const auto object = llvm::cast<ObjectType>(func_.getArgument(i).getType());
    const absl::string_view view = object.getAccess() == Access::kRead
                                       ? spelling_.read_buffer_view
                                       : spelling_.write_buffer_view;
    if (object.IsBuffer() && !view.empty()) {
      Line(FillBuffer(view, i));
    }
  }
}

std::string CPrinter::FillBuffer(absl::string_view pattern, unsigned index) {
  const mlir::Value argument = func_.getArgument(index);
  const auto object = llvm::cast<ObjectType>(argument.getType());
  const BufferSpelling& buffer =
      SpellingOf(object, HalfOf(argument), object.LoadedType());
  const std::string scalar =
      buffer.pointee.empty()
          ? TypeName(kernel::ValueType(object.getElementType()))
          : std::string(buffer.pointee);
  const int64_t width = std::min(object.getLanes(), spelling_.max_vector_width);
  const std::string pointee =
      absl::StrCat(scalar, buffer.points_to_vectors ? Suffix(width) : "");
  return absl::Substitute(pattern, pointee, Text(argument), index,
                          slabs_[index].name, slabs_[index].offset);
}

std::vector<std::string> CPrinter::IdArguments() {
  bool global = false, local = false, group = false;
  func_.walk([&](mlir::Operation* op) {
    global |= llvm::isa<kernel::GlobalIdOp>(op);
    local |= llvm::isa<kernel::LocalIdOp>(op);
    group |= llvm::isa<kernel::GroupIdOp>(op);
  });
  std::vector<std::string> arguments;
  const auto add = [&](bool is_used, const IdSpelling& id) {
    if (is_used && !id.argument.empty()) {
      arguments.emplace_back(id.argument);
    }
  };
  add(global, spelling_.global_id);
  add(local, spelling_.local_id);
  add(group, spelling_.group_id);
  return arguments;
}

CExpr CPrinter::IdExpr(const IdSpelling& id, int64_t dimension) {
  return {absl::Substitute(id.expression, dimension,
                           std::string(1, "xyz"[dimension]))};
}

// The pattern for an access of `value` (a type), filled in.
std::string CPrinter::BufferText(ObjectType object, mlir::Type value,
                                 const BufferSpelling& buffer,
                                 absl::string_view own, absl::string_view other,
                                 absl::string_view neighbours,
                                 absl::string_view name,
                                 absl::string_view index,
                                 absl::string_view stored) {
  const int64_t width = WidthOf(value);
  const std::string in_registers = TypeName(value);
  const std::string in_memory =
      buffer.pointee.empty() ? in_registers
                             : absl::StrCat(buffer.pointee, Suffix(width));
  const int64_t lanes = std::min(object.getLanes(), spelling_.max_vector_width);
  const absl::string_view pattern = width == lanes           ? own
                                    : object.getLanes() == 1 ? neighbours
                                                             : other;
  return absl::Substitute(pattern, name, index, in_memory, Suffix(width),
                          in_registers, stored);
}

CExpr CPrinter::LoadExpr(kernel::LoadOp op) {
  const ObjectType object = op.getObject().getType();
  const std::string& name = Text(op.getObject());
  std::vector<std::string> at(3);
  for (auto [i, coordinate] : llvm::enumerate(op.getCoordinates())) {
    at[i] = Text(coordinate);
  }
  if (!object.IsBuffer()) {
    const TextureSpelling& texture =
        spelling_.textures[static_cast<size_t>(object.getStorage())];
    return {absl::Substitute(texture.load, name, at[0], at[1], at[2])};
  }
  const mlir::Type value = op.getResult().getType();
  const BufferSpelling& buffer = SpellingOf(object, op.getHalf(), value);
  return {BufferText(object, value, buffer, buffer.load, buffer.load_other,
                     buffer.load_neighbours, name, at[0], "")};
}

std::string CPrinter::StoreText(kernel::StoreOp op) {
  const ObjectType object = op.getObject().getType();
  const std::string& name = Text(op.getObject());
  std::vector<std::string> at(3);
  for (auto [i, coordinate] : llvm::enumerate(op.getCoordinates())) {
    at[i] = Text(coordinate);
  }
  if (!object.IsBuffer()) {
    const TextureSpelling& texture =
        spelling_.textures[static_cast<size_t>(object.getStorage())];
    return absl::Substitute(texture.store, name, at[0], at[1], at[2],
                            Text(op.getValue()));
  }
  const mlir::Type value = op.getValue().getType();
  const BufferSpelling& buffer = SpellingOf(object, op.getHalf(), value);
  return BufferText(object, value, buffer, buffer.store, buffer.store_other,
                    buffer.store_neighbours, name, at[0], Text(op.getValue()));
}

std::string CPrinter::LocalArrayText(kernel::LocalAllocOp op) {
  const auto type = llvm::cast<mlir::MemRefType>(op.getMemory().getType());
  std::string text =
      absl::StrCat(spelling_.local_storage, " ",
                   TypeName(type.getElementType()), " ", Text(op.getMemory()));
  for (int64_t size : type.getShape()) {
    absl::StrAppend(&text, "[", size, "]");
  }
  return text + ";";
}

std::string CPrinter::LocalElement(mlir::Value memory,
                                   mlir::ValueRange indices) {
  std::string text = Text(memory);
  for (mlir::Value index : indices) {
    absl::StrAppend(&text, "[", Text(index), "]");
  }
  return text;
}

std::optional<CExpr> CPrinter::ObjectExpr(mlir::Operation* op) {
  using Result = std::optional<CExpr>;
  return llvm::TypeSwitch<mlir::Operation*, Result>(op)
      .Case([&](kernel::LoadOp load) -> Result { return LoadExpr(load); })
      .Case([&](mlir::memref::LoadOp load) -> Result {
        return CExpr{LocalElement(load.getMemRef(), load.getIndices())};
      })
      .Case([&](kernel::GlobalIdOp id) -> Result {
        return IdExpr(spelling_.global_id, id.getDimension());
      })
      .Case([&](kernel::LocalIdOp id) -> Result {
        return IdExpr(spelling_.local_id, id.getDimension());
      })
      .Case([&](kernel::GroupIdOp id) -> Result {
        return IdExpr(spelling_.group_id, id.getDimension());
      })
      .Default([](mlir::Operation*) -> Result { return std::nullopt; });
}

}  // namespace millrace::emit
