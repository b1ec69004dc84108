// SPDX-License-Identifier: Apache-2.0
//
// Whether the objects of a layout fit a device. The compiler asks before it
// assigns a texture, and falls back to a buffer with the message it gets here.

#ifndef MILLRACE_LAYOUT_LIMITS_H_
#define MILLRACE_LAYOUT_LIMITS_H_

#include <cstdint>

#include "absl/status/status.h"
#include "layout/layout.h"

namespace millrace::layout {

// The defaults are the least that OpenCL 1.2's full profile promises.
struct ObjectLimits {
  int64_t texture_2d_width = 8192;  // also of the layers of an array
  int64_t texture_2d_height = 8192;
  int64_t texture_array_layers = 2048;
  int64_t texture_3d_width = 2048;
  int64_t texture_3d_height = 2048;
  int64_t texture_3d_depth = 2048;
  int64_t image_buffer_texels = 65536;
  int64_t object_bytes = int64_t{128} << 20;  // of one object of any kind
};

// Ok, or OutOfRange with the first limit that is exceeded, what the layout
// wants and what the device has.
absl::Status Fits(const Layout& layout, int element_bits,
                  const ObjectLimits& limits);

}  // namespace millrace::layout

#endif  // MILLRACE_LAYOUT_LIMITS_H_
