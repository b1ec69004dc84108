// SPDX-License-Identifier: Apache-2.0
//
// PoCL keeps compiled kernels in a folder of its own, and has no device at all
// where it cannot write there: so the folder is named when there is none.
#ifndef MILLRACE_RUNTIME_HAL_OPENCL_DRIVER_CACHE_H_
#define MILLRACE_RUNTIME_HAL_OPENCL_DRIVER_CACHE_H_

#include <string>

#include "absl/status/status.h"

namespace millrace::hal {

// Where PoCL keeps its cache: POCL_CACHE_DIR, else pocl/kcache in
// XDG_CACHE_HOME, else .cache/pocl/kcache in HOME. Empty where none is set.
std::string PoclCacheFolder();

// Unavailable when `folder` cannot be written, or made: names the folder, the
// reason and POCL_CACHE_DIR. An empty name is fine. Makes nothing.
absl::Status CheckDriverCache(const std::string& folder);

}  // namespace millrace::hal

#endif  // MILLRACE_RUNTIME_HAL_OPENCL_DRIVER_CACHE_H_
