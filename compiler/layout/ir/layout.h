// SPDX-License-Identifier: Apache-2.0
//
// The dialect `layout`: the encoding that says where a tensor lives, and the
// way from a tensor type to its layout in plain C++.

#ifndef MILLRACE_COMPILER_LAYOUT_IR_LAYOUT_H_
#define MILLRACE_COMPILER_LAYOUT_IR_LAYOUT_H_

#include <cstdint>

#include "absl/strings/string_view.h"
#include "layout/layout.h"
#include "layout/storage.h"
#include "mlir/IR/Attributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/TensorEncoding.h"
#include "mlir/Support/LLVM.h"

// Generated code needs what is above it.
// clang-format off
#include "compiler/layout/ir/layout_dialect.h.inc"
// clang-format on

#define GET_ATTRDEF_CLASSES
#include "compiler/layout/ir/layout_attrs.h.inc"

namespace millrace::layout {

// The layout of a tensor, or failure if its encoding is not a #layout.of. The
// type's verifier has seen to everything else.
mlir::FailureOr<Layout> GetLayout(mlir::RankedTensorType type);

// `type` with the encoding #layout.of<storage, form, og>. The form must fit:
// MakeLayout says beforehand whether it does.
mlir::RankedTensorType WithLayout(mlir::RankedTensorType type,
                                  StorageKind storage, absl::string_view form,
                                  int64_t og = 1);

// `type` without an encoding.
mlir::RankedTensorType WithoutLayout(mlir::RankedTensorType type);

// Bits that an element takes in memory.
int ElementBits(mlir::RankedTensorType type);

// Views of text across the two libraries.
inline llvm::StringRef ToStringRef(absl::string_view text) {
  return {text.data(), text.size()};
}
inline absl::string_view ToStringView(llvm::StringRef text) {
  return {text.data(), text.size()};
}

}  // namespace millrace::layout

#endif  // MILLRACE_COMPILER_LAYOUT_IR_LAYOUT_H_
