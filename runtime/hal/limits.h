// SPDX-License-Identifier: Apache-2.0
//
// One place that decides whether a device can hold an object or run a
// dispatch, asked before anything is allocated. Pure: data against data.
// A plan can be checked whole with these before the first allocation.
#ifndef MILLRACE_RUNTIME_HAL_LIMITS_H_
#define MILLRACE_RUNTIME_HAL_LIMITS_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "runtime/hal/device_info.h"
#include "runtime/hal/object.h"
#include "runtime/hal/queue.h"

namespace millrace::hal {

// The object by itself: extents, bytes, image format. ResourceExhausted, e.g.
// `texture_2d 'embedding' of 128256 x 8 f16 texels: wants a width of 128256
// texels, the device (NVIDIA H200) has 32768`.
absl::Status CheckObject(const DeviceInfo& info, const ObjectDesc& desc);

// `allocated` bytes held already plus `wanted` must fit the global memory.
absl::Status CheckTotalMemory(const DeviceInfo& info, absl::string_view what,
                              int64_t allocated, int64_t wanted);

// A window [offset, offset + bytes) on a buffer of `parent_bytes` that itself
// starts at `parent_offset` of its outermost buffer.
absl::Status CheckSubBuffer(const DeviceInfo& info, absl::string_view name,
                            int64_t parent_offset, int64_t parent_bytes,
                            int64_t offset, int64_t bytes);

// A dispatch of a kernel whose own largest work-group is `kernel_limit`.
absl::Status CheckDispatch(const DeviceInfo& info, absl::string_view kernel,
                           int64_t kernel_limit, const Size3& groups,
                           const Size3& local);

}  // namespace millrace::hal

#endif  // MILLRACE_RUNTIME_HAL_LIMITS_H_
