// SPDX-License-Identifier: Apache-2.0
//
// OpenCL C 1.2.

#ifndef MILLRACE_COMPILER_EMIT_OPENCL_OPENCL_SPELLING_H_
#define MILLRACE_COMPILER_EMIT_OPENCL_OPENCL_SPELLING_H_

#include "compiler/emit/spelling.h"

namespace millrace::emit {

const Spelling& OpenClSpelling();

}  // namespace millrace::emit

#endif  // MILLRACE_COMPILER_EMIT_OPENCL_OPENCL_SPELLING_H_
