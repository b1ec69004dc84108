// SPDX-License-Identifier: Apache-2.0
//
// Whether a device can run a plan, decided before anything is allocated.
#ifndef MILLRACE_RUNTIME_SESSION_REQUIREMENTS_H_
#define MILLRACE_RUNTIME_SESSION_REQUIREMENTS_H_

#include <cstdint>

#include "absl/status/status.h"
#include "runtime/hal/device_info.h"
#include "runtime/hal/object.h"
#include "runtime/plan/plan_generated.h"

namespace millrace::session {

// What the plan's object is to the device.
hal::ObjectDesc DescOf(const plan::schema::Object& object);
hal::ObjectDesc DescOf(const plan::schema::PoolTexture& texture,
                       uint32_t index);
hal::ObjectDesc DescOf(const plan::schema::Slab& slab);

// Bytes of device memory that the plan takes: slabs, pool and the textures that
// are in neither.
int64_t DeviceBytes(const plan::schema::Plan& plan);

// One line that says which need the device does not meet.
absl::Status CheckNeeds(const plan::schema::Needs& needs,
                        const hal::DeviceInfo& info);

// One line that says what the plan wants and what the device has: language,
// extensions, limits, every object, the alignment of image buffers, all memory.
absl::Status CheckRequirements(const plan::schema::Plan& plan,
                               const hal::DeviceInfo& info);

}  // namespace millrace::session

#endif  // MILLRACE_RUNTIME_SESSION_REQUIREMENTS_H_
