// SPDX-License-Identifier: Apache-2.0
//
// The device profile as attributes of the module, so that IR is complete by
// itself and a test can pin what it compiles for:
//
//   millrace.device = "pocl-cpu"            a row of profiles.cc
//   millrace.activations = "texture_2d"     storage, over the profile's
//   (optional) millrace.weights = "WEIGHTS_I4"         form, over the profile's
//   (optional)
#ifndef MILLRACE_COMPILER_DEVICE_MODULE_PROFILE_H_
#define MILLRACE_COMPILER_DEVICE_MODULE_PROFILE_H_

#include "compiler/device/profile.h"
#include "llvm/ADT/StringRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Support/LLVM.h"

namespace millrace::device {

inline constexpr llvm::StringLiteral kDeviceAttribute = "millrace.device";
inline constexpr llvm::StringLiteral kActivationsAttribute =
    "millrace.activations";
inline constexpr llvm::StringLiteral kWeightsAttribute = "millrace.weights";

// The profile that the attributes describe; `generic` without any. Reports an
// error at the module for a name that does not exist.
mlir::FailureOr<DeviceProfile> ProfileOf(mlir::ModuleOp module);

}  // namespace millrace::device

#endif  // MILLRACE_COMPILER_DEVICE_MODULE_PROFILE_H_
