// SPDX-License-Identifier: Apache-2.0
//
// Which placement of the device profile a tensor gets, by its role.
#ifndef MILLRACE_COMPILER_LAYOUT_TRANSFORMS_PLACEMENT_H_
#define MILLRACE_COMPILER_LAYOUT_TRANSFORMS_PLACEMENT_H_

#include "compiler/device/profile.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"

namespace millrace::layout {

enum class Role {
  kHost,        // read or written by the host: row-major
  kActivation,  // and hidden states
  kWeight,      // of a product, or a table
  kKeys,        // cache with O = tokens
  kValues,      // cache with I = tokens
  kVector,      // one axis: norm weights, frequencies
};

// `type` with the layout of its role. When an object would exceed a limit of
// the profile, the layout is a buffer, and a remark at `loc` about `name` says
// so.
mlir::RankedTensorType Place(mlir::RankedTensorType type, Role role,
                             const device::DeviceProfile& profile,
                             mlir::Location loc, llvm::StringRef name);

// The role of the state `symbol`, by the ops that update it.
Role RoleOfState(mlir::ModuleOp module, llvm::StringRef symbol,
                 mlir::RankedTensorType type);

}  // namespace millrace::layout

#endif  // MILLRACE_COMPILER_LAYOUT_TRANSFORMS_PLACEMENT_H_
