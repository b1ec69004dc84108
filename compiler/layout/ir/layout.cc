// SPDX-License-Identifier: Apache-2.0

#include "compiler/layout/ir/layout.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "compiler/layout/ir/layout_dialect.cc.inc"
#include "layout/form.h"
#include "layout/layout.h"
#include "layout/storage.h"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"

#define GET_ATTRDEF_CLASSES
#include "compiler/layout/ir/layout_attrs.cc.inc"

namespace millrace::layout {
namespace {

absl::StatusOr<Layout> LayoutOf(LayoutAttr attr,
                                llvm::ArrayRef<int64_t> shape) {
  return MakeLayout(attr.getStorage(), ToStringView(attr.getForm()),
                    absl::MakeConstSpan(shape.data(), shape.size()),
                    attr.getOg());
}

// Such as "weights_o4i4_og4_buffer". It starts and ends with a letter, as the
// printer wants it of a name.
std::string AliasOf(LayoutAttr attr) {
  std::string words = attr.getForm().lower();
  if (attr.getOg() != 1) {
    absl::StrAppend(&words, "_og", attr.getOg());
  }
  std::string alias;
  for (char c : words) {
    if (absl::ascii_isalnum(c)) {
      alias.push_back(c);
    } else if (!alias.empty() && alias.back() != '_') {
      alias.push_back('_');
    }
  }
  const bool is_open = !alias.empty() && alias.back() != '_';
  return absl::StrCat(alias, is_open ? "_" : "",
                      StorageName(attr.getStorage()));
}

// A layout is printed once, with a name, and then used by it.
class LayoutAliases : public mlir::OpAsmDialectInterface {
 public:
  using OpAsmDialectInterface::OpAsmDialectInterface;

  AliasResult getAlias(mlir::Attribute attr,
                       llvm::raw_ostream& out) const override {
    const auto layout = llvm::dyn_cast<LayoutAttr>(attr);
    if (!layout) {
      return AliasResult::NoAlias;
    }
    out << AliasOf(layout);
    return AliasResult::FinalAlias;
  }
};

// [, og = <integer>], with 1 if there is none.
mlir::ParseResult ParseGroup(mlir::AsmParser& parser, int64_t& og) {
  og = 1;
  if (mlir::failed(parser.parseOptionalComma())) {
    return mlir::success();
  }
  return mlir::failure(parser.parseKeyword("og") || parser.parseEqual() ||
                       parser.parseInteger(og));
}

}  // namespace

void LayoutDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "compiler/layout/ir/layout_attrs.cc.inc"
      >();
  addInterfaces<LayoutAliases>();
}

mlir::Attribute LayoutAttr::parse(mlir::AsmParser& parser, mlir::Type) {
  const llvm::SMLoc where = parser.getCurrentLocation();
  llvm::StringRef storage_name;
  std::string form;
  int64_t og = 1;
  if (parser.parseLess() || parser.parseKeyword(&storage_name)) {
    return {};
  }
  const std::optional<StorageKind> storage =
      StorageFromName(ToStringView(storage_name));
  if (!storage.has_value()) {
    parser.emitError(
        where,
        "wanted buffer, image_buffer, texture_2d, texture_array or "
        "texture_3d; found ")
        << storage_name;
    return {};
  }
  if (parser.parseComma() || parser.parseString(&form) ||
      ParseGroup(parser, og) || parser.parseGreater()) {
    return {};
  }
  return parser.getChecked<LayoutAttr>(where, parser.getContext(), *storage,
                                       form, og);
}

void LayoutAttr::print(mlir::AsmPrinter& printer) const {
  printer << "<" << ToStringRef(StorageName(getStorage())) << ", ";
  printer.printString(getForm());
  if (getOg() != 1) {
    printer << ", og = " << getOg();
  }
  printer << ">";
}

mlir::LogicalResult LayoutAttr::verify(
    llvm::function_ref<mlir::InFlightDiagnostic()> emit_error,
    StorageKind storage, llvm::StringRef form, int64_t og) {
  const absl::StatusOr<Form> parsed = GetForm(ToStringView(form), og);
  if (parsed.ok()) {
    return mlir::success();
  }
  return emit_error() << "L1: " << ToStringRef(parsed.status().message());
}

mlir::LogicalResult LayoutAttr::verifyEncoding(
    llvm::ArrayRef<int64_t> shape, mlir::Type element_type,
    llvm::function_ref<mlir::InFlightDiagnostic()> emit_error) const {
  if (!element_type.isIntOrFloat()) {
    return emit_error() << "L2: wanted elements that are integers or floats, "
                           "found "
                        << element_type;
  }
  const absl::StatusOr<Layout> layout = LayoutOf(*this, shape);
  if (layout.ok()) {
    return mlir::success();
  }
  return emit_error() << "L2: " << ToStringRef(layout.status().message());
}

mlir::FailureOr<Layout> GetLayout(mlir::RankedTensorType type) {
  const auto attr = llvm::dyn_cast_if_present<LayoutAttr>(type.getEncoding());
  if (!attr) {
    return mlir::failure();
  }
  absl::StatusOr<Layout> layout = LayoutOf(attr, type.getShape());
  if (!layout.ok()) {
    return mlir::failure();
  }
  return *std::move(layout);
}

mlir::RankedTensorType WithLayout(mlir::RankedTensorType type,
                                  StorageKind storage, absl::string_view form,
                                  int64_t og) {
  const auto attr =
      LayoutAttr::get(type.getContext(), storage, ToStringRef(form), og);
  return mlir::RankedTensorType::get(type.getShape(), type.getElementType(),
                                     attr);
}

mlir::RankedTensorType WithoutLayout(mlir::RankedTensorType type) {
  return mlir::RankedTensorType::get(type.getShape(), type.getElementType());
}

int ElementBits(mlir::RankedTensorType type) {
  return static_cast<int>(type.getElementTypeBitWidth());
}

}  // namespace millrace::layout
