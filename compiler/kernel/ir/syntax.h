// SPDX-License-Identifier: Apache-2.0
//
// Pieces of assembly syntax that several ops and attributes share. Private to
// compiler/kernel/ir.

#ifndef MILLRACE_COMPILER_KERNEL_IR_SYNTAX_H_
#define MILLRACE_COMPILER_KERNEL_IR_SYNTAX_H_

#include <optional>

#include "compiler/kernel/ir/kernel.h"
#include "llvm/ADT/StringRef.h"

namespace millrace::kernel {

// "24", "@active", "2 * @active / 4".
mlir::ParseResult ParseDim(mlir::AsmParser& parser, DimAttr& dim);
void PrintDim(mlir::AsmPrinter& printer, DimAttr dim);

// Parses one keyword with `symbolize`, which knows what is allowed.
template <typename Enum>
mlir::ParseResult ParseEnumKeyword(
    mlir::AsmParser& parser, std::optional<Enum> (*symbolize)(llvm::StringRef),
    Enum& result) {
  const llvm::SMLoc where = parser.getCurrentLocation();
  llvm::StringRef keyword;
  if (parser.parseKeyword(&keyword)) {
    return mlir::failure();
  }
  const std::optional<Enum> value = symbolize(keyword);
  if (!value) {
    return parser.emitError(where, "unknown keyword: ") << keyword;
  }
  result = *value;
  return mlir::success();
}

// Custom directives of the assembly formats.
mlir::ParseResult parseGrid(mlir::OpAsmParser& parser, mlir::ArrayAttr& grid);
void printGrid(mlir::OpAsmPrinter& printer, mlir::Operation* op,
               mlir::ArrayAttr grid);
mlir::ParseResult parseReduceKind(mlir::OpAsmParser& parser,
                                  ReduceKindAttr& kind);
void printReduceKind(mlir::OpAsmPrinter& printer, mlir::Operation* op,
                     ReduceKindAttr kind);
mlir::ParseResult parseHalfSpelling(mlir::OpAsmParser& parser,
                                    HalfSpellingAttr& half);
void printHalfSpelling(mlir::OpAsmPrinter& printer, mlir::Operation* op,
                       HalfSpellingAttr half);

}  // namespace millrace::kernel

#endif  // MILLRACE_COMPILER_KERNEL_IR_SYNTAX_H_
