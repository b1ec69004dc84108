// SPDX-License-Identifier: Apache-2.0
//
// The arena as a picture: for each entry point a panel with the dispatches from
// left to right, byte offsets from bottom to top, and a box for each tensor.
#ifndef MILLRACE_RUNTIME_PLAN_MEMORY_MAP_SVG_H_
#define MILLRACE_RUNTIME_PLAN_MEMORY_MAP_SVG_H_

#include <string>

#include "runtime/plan/plan_generated.h"

namespace millrace::plan {

// The SVG document of a plan that the verifier passed.
std::string MemoryMapSvg(const schema::Plan& plan);

}  // namespace millrace::plan

#endif  // MILLRACE_RUNTIME_PLAN_MEMORY_MAP_SVG_H_
