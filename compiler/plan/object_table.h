// SPDX-License-Identifier: Apache-2.0
//
// The physical objects of a plan: each tensor with a layout is one or several.
#ifndef MILLRACE_COMPILER_PLAN_OBJECT_TABLE_H_
#define MILLRACE_COMPILER_PLAN_OBJECT_TABLE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "layout/storage.h"
#include "mlir/IR/BuiltinTypes.h"
#include "runtime/plan/plan_generated.h"

namespace millrace::plan {

// Objects of one tensor, by their numbers in the plan.
using ObjectIds = std::vector<uint32_t>;

// Appends to `plan` the objects of a tensor of `type`, which has a layout. They
// have no place yet: slabs.h and place_temporaries.h give them one.
absl::StatusOr<ObjectIds> AddObjects(schema::PlanT& plan,
                                     mlir::RankedTensorType type,
                                     const std::string& name,
                                     schema::Memory memory);

// The layout of `type` as the runtime's packer reads it.
absl::StatusOr<schema::LayoutT> LayoutTable(mlir::RankedTensorType type);

schema::ObjectKind KindOf(layout::StorageKind storage);

schema::ScalarType ScalarOf(mlir::RankedTensorType type);

// `text` with the characters that names in a plan may have.
std::string PlanName(absl::string_view text);

}  // namespace millrace::plan

#endif  // MILLRACE_COMPILER_PLAN_OBJECT_TABLE_H_
