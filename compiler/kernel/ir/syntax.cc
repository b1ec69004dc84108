// SPDX-License-Identifier: Apache-2.0

#include "compiler/kernel/ir/syntax.h"

#include <cstdint>
#include <optional>

#include "llvm/ADT/SmallVector.h"

namespace millrace::kernel {

mlir::ParseResult ParseDim(mlir::AsmParser& parser, DimAttr& dim) {
  const llvm::SMLoc where = parser.getCurrentLocation();
  int64_t base = 1, divisor = 1;
  mlir::FlatSymbolRefAttr param;
  const auto integer = parser.parseOptionalInteger(base);
  if (integer.has_value() && mlir::failed(*integer)) {
    return mlir::failure();
  }
  if (!integer.has_value() || mlir::succeeded(parser.parseOptionalStar())) {
    if (parser.parseAttribute(param)) {
      return mlir::failure();
    }
  }
  if (mlir::succeeded(parser.parseOptionalSlash()) &&
      parser.parseInteger(divisor)) {
    return mlir::failure();
  }
  dim = parser.getChecked<DimAttr>(where, parser.getContext(), base, param,
                                   divisor);
  return mlir::success(dim != nullptr);
}

void PrintDim(mlir::AsmPrinter& printer, DimAttr dim) {
  if (!dim.getParam()) {
    printer << dim.getBase();
  } else {
    if (dim.getBase() != 1) {
      printer << dim.getBase() << " * ";
    }
    printer << dim.getParam();
  }
  if (dim.getDivisor() != 1) {
    printer << " / " << dim.getDivisor();
  }
}

mlir::ParseResult parseGrid(mlir::OpAsmParser& parser, mlir::ArrayAttr& grid) {
  llvm::SmallVector<mlir::Attribute> dims;
  const auto parse_one = [&]() -> mlir::ParseResult {
    DimAttr dim;
    if (ParseDim(parser, dim)) {
      return mlir::failure();
    }
    dims.push_back(dim);
    return mlir::success();
  };
  if (parser.parseCommaSeparatedList(mlir::AsmParser::Delimiter::Square,
                                     parse_one)) {
    return mlir::failure();
  }
  grid = parser.getBuilder().getArrayAttr(dims);
  return mlir::success();
}

void printGrid(mlir::OpAsmPrinter& printer, mlir::Operation*,
               mlir::ArrayAttr grid) {
  printer << "[";
  llvm::interleaveComma(grid.getAsRange<DimAttr>(), printer,
                        [&](DimAttr dim) { PrintDim(printer, dim); });
  printer << "]";
}

mlir::ParseResult parseReduceKind(mlir::OpAsmParser& parser,
                                  ReduceKindAttr& kind) {
  ReduceKind value;
  if (ParseEnumKeyword(parser, symbolizeReduceKind, value)) {
    return mlir::failure();
  }
  kind = ReduceKindAttr::get(parser.getContext(), value);
  return mlir::success();
}

void printReduceKind(mlir::OpAsmPrinter& printer, mlir::Operation*,
                     ReduceKindAttr kind) {
  printer << stringifyReduceKind(kind.getValue());
}

mlir::ParseResult parseHalfSpelling(mlir::OpAsmParser& parser,
                                    HalfSpellingAttr& half) {
  HalfSpelling value;
  if (ParseEnumKeyword(parser, symbolizeHalfSpelling, value)) {
    return mlir::failure();
  }
  half = HalfSpellingAttr::get(parser.getContext(), value);
  return mlir::success();
}

void printHalfSpelling(mlir::OpAsmPrinter& printer, mlir::Operation*,
                       HalfSpellingAttr half) {
  printer << stringifyHalfSpelling(half.getValue());
}

}  // namespace millrace::kernel
