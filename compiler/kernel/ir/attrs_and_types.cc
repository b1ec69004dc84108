// SPDX-License-Identifier: Apache-2.0
//
// Syntax and rules of #kernel.dim and !kernel.object.

#include <cstdint>
#include <optional>

#include "compiler/kernel/ir/kernel.h"
#include "compiler/kernel/ir/syntax.h"
#include "layout/storage.h"
#include "llvm/ADT/StringRef.h"

namespace millrace::kernel {

using layout::StorageKind;

mlir::Attribute DimAttr::parse(mlir::AsmParser& parser, mlir::Type) {
  DimAttr result;
  if (parser.parseLess() || ParseDim(parser, result) || parser.parseGreater()) {
    return {};
  }
  return result;
}

void DimAttr::print(mlir::AsmPrinter& printer) const {
  printer << "<";
  PrintDim(printer, *this);
  printer << ">";
}

mlir::LogicalResult DimAttr::verify(
    llvm::function_ref<mlir::InFlightDiagnostic()> emit_error, int64_t base,
    mlir::FlatSymbolRefAttr, int64_t divisor) {
  if (base > 0 && divisor > 0) {
    return mlir::success();
  }
  return emit_error()
         << "D1: base and divisor of a grid dimension must be above "
            "zero; found "
         << base << " and " << divisor;
}

mlir::Type ObjectType::parse(mlir::AsmParser& parser) {
  const llvm::SMLoc where = parser.getCurrentLocation();
  llvm::StringRef storage_name, access_name;
  int64_t lanes = 0;
  mlir::Type element;
  if (parser.parseLess() || parser.parseKeyword(&storage_name) ||
      parser.parseComma() || parser.parseInteger(lanes) ||
      parser.parseKeyword("x") || parser.parseType(element) ||
      parser.parseComma() || parser.parseKeyword(&access_name) ||
      parser.parseGreater()) {
    return {};
  }
  const auto storage =
      layout::StorageFromName({storage_name.data(), storage_name.size()});
  const auto access = symbolizeAccess(access_name);
  if (!storage || !access) {
    parser.emitError(where,
                     "wanted a kind of storage and read, write or "
                     "read_write; found ")
        << storage_name << " and " << access_name;
    return {};
  }
  return parser.getChecked<ObjectType>(where, parser.getContext(), *storage,
                                       lanes, element, *access);
}

void ObjectType::print(mlir::AsmPrinter& printer) const {
  const absl::string_view name = layout::StorageName(getStorage());
  printer << "<" << llvm::StringRef(name.data(), name.size()) << ", "
          << getLanes() << " x " << getElementType() << ", "
          << stringifyAccess(getAccess()) << ">";
}

mlir::LogicalResult ObjectType::verify(
    llvm::function_ref<mlir::InFlightDiagnostic()> emit_error,
    StorageKind storage, int64_t lanes, mlir::Type element, Access access) {
  const bool is_float = element.isF32() || element.isF16();
  if (!is_float && !element.isInteger(32)) {
    return emit_error() << "O1: an object holds f32, f16 or i32; found "
                        << element;
  }
  if (!layout::StorageAllowsLanes(storage, lanes)) {
    return emit_error() << "O2: this kind of object cannot have " << lanes
                        << " lanes";
  }
  if (storage == StorageKind::kBuffer) {
    return mlir::success();
  }
  if (!is_float || access == Access::kReadWrite) {
    return emit_error() << "O3: textures hold f32 or f16 and are read or "
                           "written, not both";
  }
  return mlir::success();
}

bool ObjectType::IsBuffer() const {
  return getStorage() == StorageKind::kBuffer;
}

int64_t ObjectType::NumCoordinates() const {
  return layout::StorageDimensions(getStorage());
}

mlir::Type ObjectType::LoadedType() const {
  const mlir::Type scalar = ValueType(getElementType());
  if (getLanes() == 1) {
    return scalar;
  }
  return mlir::VectorType::get({getLanes()}, scalar);
}

mlir::Type ValueType(mlir::Type element_type) {
  if (element_type.isInteger(32)) {
    return element_type;
  }
  return mlir::Float32Type::get(element_type.getContext());
}

}  // namespace millrace::kernel
