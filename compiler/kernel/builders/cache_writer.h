// SPDX-License-Identifier: Apache-2.0
//
// Writes one slice of a token's keys or values into a cache that is laid out as
// weights (paper section 3.8).
#ifndef MILLRACE_COMPILER_KERNEL_BUILDERS_CACHE_WRITER_H_
#define MILLRACE_COMPILER_KERNEL_BUILDERS_CACHE_WRITER_H_

#include "compiler/kernel/builders/lowering.h"

namespace millrace::kernel {

// cache[g, token, 4s .. 4s+3] = value for token_axis 1 (keys), or
// cache[g, 4s .. 4s+3, token] = value for token_axis 2 (values). One access
// where the lanes of the layout carry the channels, as they do in the forms
// that profiles prefer. Nothing is written for a token past the cache.
void WriteCache(Body& body, Val value, mlir::Value cache, int64_t token_axis,
                Val g, Val token, Val s);

}  // namespace millrace::kernel

#endif  // MILLRACE_COMPILER_KERNEL_BUILDERS_CACHE_WRITER_H_
