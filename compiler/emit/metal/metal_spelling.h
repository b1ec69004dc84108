// SPDX-License-Identifier: Apache-2.0
//
// The Metal shading language 2.1, which is C++14.

#ifndef MILLRACE_COMPILER_EMIT_METAL_METAL_SPELLING_H_
#define MILLRACE_COMPILER_EMIT_METAL_METAL_SPELLING_H_

#include "compiler/emit/spelling.h"

namespace millrace::emit {

const Spelling& MetalSpelling();

}  // namespace millrace::emit

#endif  // MILLRACE_COMPILER_EMIT_METAL_METAL_SPELLING_H_
