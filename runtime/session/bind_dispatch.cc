// SPDX-License-Identifier: Apache-2.0
#include "runtime/session/bind_dispatch.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "runtime/plan/text.h"

namespace millrace::session {
namespace {

using plan::Text;

hal::Signature SignatureOf(const plan::schema::Kernel& kernel) {
  hal::Signature signature;
  for (auto kind : *kernel.arguments()) {
    const bool is_buffer = static_cast<plan::schema::ObjectKind>(kind) ==
                           plan::schema::ObjectKind::Buffer;
    signature.push_back(is_buffer ? hal::ArgKind::kBuffer
                                  : hal::ArgKind::kImage);
  }
  return signature;
}

absl::Status CheckGroup(const plan::schema::Kernel& wanted,
                        const hal::Kernel& built) {
  int64_t items = 1;
  for (uint32_t size : *wanted.group()) {
    items *= size;
  }
  if (items > built.max_work_group_size()) {
    return absl::ResourceExhaustedError(absl::StrCat(
        "kernel '", Text(wanted.name()), "': wants work-groups of ", items,
        " items, on this device it can have ", built.max_work_group_size()));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::unique_ptr<hal::Kernel>> BindDispatch(
    const LoadedModel& model, const plan::schema::Dispatch& dispatch,
    const DeviceObjects& objects) {
  const plan::schema::Plan& plan = model.plan();
  const plan::schema::Kernel& wanted = *plan.kernels()->Get(dispatch.kernel());
  MR_ASSIGN_OR_RETURN(std::unique_ptr<hal::Kernel> kernel,
                      model.programs()[wanted.program()]->CreateKernel(
                          Text(wanted.name()), SignatureOf(wanted)));
  MR_RETURN_IF_ERROR(CheckGroup(wanted, *kernel));
  for (uint32_t i = 0; i < dispatch.bindings()->size(); ++i) {
    const uint32_t object = dispatch.bindings()->Get(i);
    const bool is_weight =
        plan.objects()->Get(object)->memory() == plan::schema::Memory::Weight;
    const DeviceObjects::Place& place =
        is_weight ? model.objects().Get(object) : objects.Get(object);
    const int index = static_cast<int>(i);
    MR_RETURN_IF_ERROR(place.image != nullptr
                           ? kernel->SetArg(index, *place.image)
                           : kernel->SetArg(index, place.view));
  }
  return kernel;
}

}  // namespace millrace::session
