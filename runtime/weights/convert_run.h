// SPDX-License-Identifier: Apache-2.0
//
// The inner loops of packing: strided reads of a source, converted, rows
// written at a stride.
#ifndef MILLRACE_RUNTIME_WEIGHTS_CONVERT_RUN_H_
#define MILLRACE_RUNTIME_WEIGHTS_CONVERT_RUN_H_

#include <cstdint>

#include "runtime/weights/layout_packer.h"

namespace millrace::weights {

// `rows` rows of `extent` elements: element (r, c) is that at
// `first + r * run_stride + c * row_stride` of the segment, all of them inside.
struct Run {
  int64_t first;
  int64_t rows;
  int64_t run_stride;
  int64_t extent;
  int64_t row_stride;
  int64_t out_stride;  // bytes from one row of the output to the next
};

// Writes the run's elements from `out` on as f32, or as f16 if `to_half`. True
// if a finite value became infinite.
bool ConvertRun(const Segment& segment, const Run& run, bool to_half,
                uint8_t* out);

}  // namespace millrace::weights

#endif  // MILLRACE_RUNTIME_WEIGHTS_CONVERT_RUN_H_
