// SPDX-License-Identifier: Apache-2.0
//
// Vectors: literals, elements, swizzles, reductions.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/strings/substitute.h"
#include "compiler/emit/c_printer.h"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace millrace::emit {
namespace {

namespace vector = mlir::vector;

int64_t WidthOf(mlir::Value value) {
  return llvm::cast<mlir::VectorType>(value.getType()).getDimSize(0);
}

// ".x", ".wz", ".s0f": members `indices` of a vector of `width`.
std::string Members(llvm::ArrayRef<int64_t> indices, int64_t width) {
  const bool has_letters = width <= 4 && indices.size() <= 4;
  std::string members = has_letters ? "." : ".s";
  for (int64_t index : indices) {
    members += has_letters ? "xyzw"[index] : "0123456789abcdef"[index];
  }
  return members;
}

bool IsWhole(llvm::ArrayRef<int64_t> indices, int64_t width) {
  if (static_cast<int64_t>(indices.size()) != width) {
    return false;
  }
  for (int64_t i = 0; i < width; ++i) {
    if (indices[i] != i) {
      return false;
    }
  }
  return true;
}

}  // namespace

CExpr CPrinter::VectorLiteral(mlir::Type type, absl::string_view elements) {
  return {absl::Substitute(spelling_.vector_literal, TypeName(type), elements)};
}

CExpr CPrinter::Element(mlir::Value vector, int64_t index) {
  if (auto broadcast = vector.getDefiningOp<mlir::vector::BroadcastOp>()) {
    return ExprOf(broadcast.getSource());
  }
  return {absl::StrCat(Operand(vector, Binding::kPrimary),
                       Members({index}, WidthOf(vector)))};
}

// Runs of one source become swizzles: (float4)(a.xy, b.zw).
CExpr CPrinter::Shuffle(mlir::Value first, mlir::Value second,
                        llvm::ArrayRef<int64_t> mask, mlir::Type type) {
  const int64_t width = WidthOf(first);
  std::vector<std::string> parts;
  for (size_t start = 0, end = 0; start < mask.size(); start = end) {
    const bool from_second = mask[start] >= width;
    llvm::SmallVector<int64_t> run;
    // Swizzles have the sizes of vectors.
    for (end = start; end < mask.size() && (mask[end] >= width) == from_second;
         ++end) {
      run.push_back(mask[end] - (from_second ? width : 0));
    }
    while (run.size() > 4 && run.size() != 8 && run.size() != 16) {
      run.pop_back();
      --end;
    }
    const mlir::Value source = from_second ? second : first;
    if (source.getDefiningOp<mlir::vector::BroadcastOp>()) {
      parts.insert(parts.end(), run.size(), Element(source, 0).text);
      continue;
    }
    const bool is_whole = IsWhole(run, WidthOf(source));
    parts.push_back(
        absl::StrCat(Operand(source, Binding::kPrimary),
                     is_whole ? "" : Members(run, WidthOf(source))));
  }
  if (parts.size() == 1) {
    return {parts[0]};
  }
  return VectorLiteral(type, absl::StrJoin(parts, ", "));
}

std::optional<CExpr> CPrinter::ReductionExpr(mlir::Operation* op) {
  auto reduction = llvm::cast<vector::ReductionOp>(op);
  const mlir::Value source = reduction.getVector();
  absl::string_view function;
  switch (reduction.getKind()) {
    case vector::CombiningKind::ADD:
      break;
    case vector::CombiningKind::MAXIMUMF:
    case vector::CombiningKind::MAXNUMF:
      function = "fmax";
      break;
    case vector::CombiningKind::MINIMUMF:
    case vector::CombiningKind::MINNUMF:
      function = "fmin";
      break;
    default:
      return std::nullopt;
  }
  CExpr all =
      reduction.getAcc() ? ExprOf(reduction.getAcc()) : Element(source, 0);
  for (int64_t i = reduction.getAcc() ? 0 : 1; i < WidthOf(source); ++i) {
    const CExpr next = Element(source, i);
    all = function.empty() ? Infix(all, "+", next, Binding::kAdd)
                           : CExpr{absl::StrCat(function, "(", all.text, ", ",
                                                next.text, ")")};
  }
  return all;
}

std::optional<CExpr> CPrinter::VectorExpr(mlir::Operation* op) {
  using Result = std::optional<CExpr>;
  const mlir::Type type = op->getResult(0).getType();
  const auto positions = [](mlir::ArrayAttr attribute) {
    return llvm::cast<mlir::IntegerAttr>(attribute[0]).getInt();
  };
  return llvm::TypeSwitch<mlir::Operation*, Result>(op)
      .Case([&](vector::BroadcastOp broadcast) -> Result {
        if (llvm::isa<mlir::VectorType>(broadcast.getSourceType())) {
          return std::nullopt;
        }
        return VectorLiteral(type, Text(broadcast.getSource()));
      })
      .Case([&](vector::ExtractOp extract) -> Result {
        if (extract.hasDynamicPosition() ||
            extract.getStaticPosition().size() != 1) {
          return std::nullopt;
        }
        return Element(extract.getSource(), extract.getStaticPosition()[0]);
      })
      .Case([&](vector::InsertOp insert) -> Result {
        if (insert.hasDynamicPosition() ||
            insert.getStaticPosition().size() != 1) {
          return std::nullopt;
        }
        std::vector<std::string> elements;
        for (int64_t i = 0; i < WidthOf(insert.getDest()); ++i) {
          elements.push_back(i == insert.getStaticPosition()[0]
                                 ? Text(insert.getValueToStore())
                                 : Element(insert.getDest(), i).text);
        }
        return VectorLiteral(type, absl::StrJoin(elements, ", "));
      })
      .Case([&](vector::FromElementsOp from) -> Result {
        std::vector<std::string> elements;
        for (mlir::Value element : from.getElements()) {
          elements.push_back(Text(element));
        }
        return VectorLiteral(type, absl::StrJoin(elements, ", "));
      })
      .Case([&](vector::ShuffleOp shuffle) -> Result {
        return Shuffle(shuffle.getV1(), shuffle.getV2(), shuffle.getMask(),
                       type);
      })
      .Case([&](vector::ExtractStridedSliceOp slice) -> Result {
        llvm::SmallVector<int64_t> mask;
        const int64_t size = llvm::cast<mlir::VectorType>(type).getDimSize(0);
        for (int64_t i = 0; i < size; ++i) {
          mask.push_back(positions(slice.getOffsets()) + i);
        }
        return Shuffle(slice.getSource(), slice.getSource(), mask, type);
      })
      .Case([&](vector::InsertStridedSliceOp slice) -> Result {
        const int64_t offset = positions(slice.getOffsets());
        const int64_t width = WidthOf(slice.getDest());
        llvm::SmallVector<int64_t> mask;
        for (int64_t i = 0; i < width; ++i) {
          const bool is_new =
              i >= offset && i < offset + WidthOf(slice.getValueToStore());
          mask.push_back(is_new ? width + i - offset : i);
        }
        return Shuffle(slice.getDest(), slice.getValueToStore(), mask, type);
      })
      .Case([&](vector::ReductionOp) -> Result { return ReductionExpr(op); })
      .Default([](mlir::Operation*) -> Result { return std::nullopt; });
}

}  // namespace millrace::emit
