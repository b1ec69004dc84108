// SPDX-License-Identifier: Apache-2.0
//
// Vectors of 8-byte values start at multiples of 8. FlatBuffers' own verifier
// holds the fields of tables to their alignment and the length of a vector, but
// not the elements behind it, and a misaligned read is undefined.
#include "base/status_macros.h"
#include "runtime/plan/verify_parts.h"

namespace millrace::plan::internal {
namespace {

template <typename T>
absl::Status CheckVector(absl::string_view what,
                         const flatbuffers::Vector<T>* vector) {
  if (vector == nullptr ||
      reinterpret_cast<uintptr_t>(vector->Data()) % sizeof(int64_t) == 0) {
    return absl::OkStatus();
  }
  return Wrong("plan", what, ": its vector is misaligned");
}

absl::Status CheckWeight(const schema::Weight& weight) {
  const schema::Layout& layout = *weight.layout();
  MR_RETURN_IF_ERROR(CheckVector("shape of a layout", layout.shape()));
  for (const auto* digits :
       {layout.object(), layout.x(), layout.y(), layout.z(), layout.lane()}) {
    MR_RETURN_IF_ERROR(CheckVector("digits of a layout", digits));
  }
  for (const schema::Source* source : *weight.sources()) {
    MR_RETURN_IF_ERROR(CheckVector("shape of a source", source->shape()));
  }
  return absl::OkStatus();
}

absl::Status CheckDispatches(const Dispatches& dispatches) {
  for (const schema::Dispatch* dispatch : dispatches) {
    MR_RETURN_IF_ERROR(CheckVector("grid of a dispatch", dispatch->grid()));
  }
  return absl::OkStatus();
}

absl::Status CheckEntryPoint(const schema::EntryPoint& entry) {
  for (const auto* ports : {entry.inputs(), entry.outputs()}) {
    for (const schema::Port* port : *ports) {
      MR_RETURN_IF_ERROR(CheckVector("shape of a port", port->shape()));
    }
  }
  for (const schema::Form* form : *entry.forms()) {
    MR_RETURN_IF_ERROR(CheckDispatches(*form->dispatches()));
    if (form->check() != nullptr) {
      MR_RETURN_IF_ERROR(CheckDispatches(*form->check()->dispatches()));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status VerifyAlignment(const schema::Plan& plan) {
  for (const schema::Weight* weight : *plan.weights()) {
    MR_RETURN_IF_ERROR(CheckWeight(*weight));
  }
  for (const schema::EntryPoint* entry : *plan.entry_points()) {
    MR_RETURN_IF_ERROR(CheckEntryPoint(*entry));
  }
  return absl::OkStatus();
}

}  // namespace millrace::plan::internal
