// SPDX-License-Identifier: Apache-2.0
#include "compiler/device/module_profile.h"

#include "mlir/IR/BuiltinAttributes.h"

namespace millrace::device {
namespace {

absl::string_view AttributeOr(mlir::ModuleOp module, llvm::StringRef name,
                              absl::string_view otherwise) {
  auto attribute = module->getAttrOfType<mlir::StringAttr>(name);
  return attribute ? absl::string_view(attribute.data(), attribute.size())
                   : otherwise;
}

mlir::LogicalResult Error(mlir::ModuleOp module, const absl::Status& status) {
  return module.emitError(
      llvm::StringRef(status.message().data(), status.message().size()));
}

}  // namespace

mlir::FailureOr<DeviceProfile> ProfileOf(mlir::ModuleOp module) {
  absl::StatusOr<DeviceProfile> profile =
      FindProfile(AttributeOr(module, kDeviceAttribute, "generic"));
  if (!profile.ok()) {
    return Error(module, profile.status());
  }
  const absl::string_view storage =
      AttributeOr(module, kActivationsAttribute, "");
  if (!storage.empty()) {
    std::optional<layout::StorageKind> kind = layout::StorageFromName(storage);
    if (!kind) {
      return module.emitError("no storage '")
             << llvm::StringRef(storage.data(), storage.size()) << "'";
    }
    profile = WithActivationStorage(*std::move(profile), *kind);
  }
  const absl::string_view form = AttributeOr(module, kWeightsAttribute, "");
  if (!form.empty()) {
    profile = WithWeightForm(*std::move(profile), form);
    if (!profile.ok()) {
      return Error(module, profile.status());
    }
  }
  return *std::move(profile);
}

}  // namespace millrace::device
