// SPDX-License-Identifier: Apache-2.0
#include "runtime/session/bind_dispatch.h"

#include "base/status_macros.h"

namespace millrace::session {
absl::StatusOr<std::unique_ptr<hal::Kernel>> BindDispatch(
    const LoadedModel& model, const plan::schema::Dispatch& dispatch,
    const DeviceObjects& objects) {
  const plan::schema::Plan& plan = model.plan();
  MR_ASSIGN_OR_RETURN(std::unique_ptr<hal::Kernel> kernel,
                      model.programs().CreateKernel(dispatch.kernel()));
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
