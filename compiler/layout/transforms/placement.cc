// SPDX-License-Identifier: Apache-2.0
#include "compiler/layout/transforms/placement.h"

#include "compiler/graph/ir/graph.h"
#include "compiler/layout/ir/layout.h"
#include "layout/form.h"
#include "layout/limits.h"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/IR/Diagnostics.h"

namespace millrace::layout {
namespace {

device::Placement PlacementOf(Role role, const device::DeviceProfile& profile) {
  const device::Placement row_major = {StorageKind::kBuffer,
                                       std::string(kRowMajor)};
  switch (role) {
    case Role::kActivation:
      return profile.activation;
    case Role::kWeight:
      return profile.weight;
    case Role::kKeys:
      return profile.key_cache;
    case Role::kValues:
      return profile.value_cache;
    case Role::kVector:
      return {StorageKind::kBuffer, std::string(kLinear)};
    case Role::kHost:
      return row_major;
  }
  return row_major;
}

// The buffer that takes the place of a texture of the same role.
device::Placement Fallback(Role role) {
  return {StorageKind::kBuffer,
          std::string(role == Role::kActivation ? kDshwbc4 : kWeightsO4I4)};
}

mlir::RankedTensorType With(mlir::RankedTensorType type,
                            const device::Placement& placement) {
  return WithLayout(type, placement.storage, placement.form, placement.group);
}

// Keys or values if `cache` is the one or the other of an op of attention.
template <typename Op>
Role RoleIn(Op op, mlir::Value cache) {
  return op.getKCache() == cache ? Role::kKeys : Role::kValues;
}

// The role of the state `cache` as `user` has it; `otherwise` if that does not
// say.
Role RoleFor(mlir::Operation* user, mlir::Value cache, Role otherwise) {
  return llvm::TypeSwitch<mlir::Operation*, Role>(user)
      .Case([&](graph::AppendCacheOp append) {
        return append.getTokenAxis() == 1 ? Role::kKeys : Role::kValues;
      })
      .Case<graph::AttendOp, graph::AttendQkvOp, graph::RopeQkvOp>(
          [&](auto op) { return RoleIn(op, cache); })
      .Default(otherwise);
}

}  // namespace

mlir::RankedTensorType Place(mlir::RankedTensorType type, Role role,
                             const device::DeviceProfile& profile,
                             mlir::Location loc, llvm::StringRef name) {
  const device::Placement placement = PlacementOf(role, profile);
  mlir::RankedTensorType placed = With(WithoutLayout(type), placement);
  if (placement.storage == StorageKind::kBuffer) {
    return placed;
  }
  mlir::FailureOr<Layout> layout = GetLayout(placed);
  if (mlir::failed(layout)) {
    return With(WithoutLayout(type), Fallback(role));
  }
  const absl::Status fits = Fits(*layout, ElementBits(placed), profile.limits);
  if (fits.ok()) {
    return placed;
  }
  mlir::emitRemark(loc) << name << " is placed in a buffer: "
                        << ToStringRef(fits.message());
  return With(WithoutLayout(type), Fallback(role));
}

Role RoleOfState(mlir::ModuleOp module, llvm::StringRef symbol,
                 mlir::RankedTensorType type) {
  if (type.getElementType().isInteger()) {
    return Role::kHost;
  }
  if (type.getRank() != 3) {
    return Role::kActivation;
  }
  Role role = Role::kWeight;
  module.walk([&](graph::GetStateOp get) {
    if (get.getSymbol() != symbol) {
      return;
    }
    for (mlir::Operation* user : get->getUsers()) {
      role = RoleFor(user, get.getResult(), role);
    }
  });
  return role;
}

}  // namespace millrace::layout
