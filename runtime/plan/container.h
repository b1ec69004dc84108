// SPDX-License-Identifier: Apache-2.0
//
// The wrapping of a plan file: a header of 32 bytes, then the FlatBuffer.
//
//   0   8  "MILLRACE"
//   8   4  version of the format, kPlanVersion
//   12  4  zero
//   16  8  bytes of the FlatBuffer
//   24  8  Hash64 of the FlatBuffer
//
// Numbers are little-endian. A file cut short, with something appended or with
// any byte changed is refused before the FlatBuffer is looked at. This is the
// one piece of code that the writer (compiler/plan) and the reader share.
#ifndef MILLRACE_RUNTIME_PLAN_CONTAINER_H_
#define MILLRACE_RUNTIME_PLAN_CONTAINER_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace millrace::plan {

// Of the schema and of this header; a reader takes its own version only.
inline constexpr uint32_t kPlanVersion = 4;
// What the FlatBuffer starts at, which keeps its 8-byte values aligned.
inline constexpr size_t kContainerHeaderBytes = 32;
// The file's name in an output directory.
inline constexpr char kPlanFileName[] = "plan.mrp";

// Weights start at multiples of this in the payload of the weights file.
inline constexpr int64_t kWeightAlignment = 256;

// What a slab holds starts at multiples of this: the strictest base address
// alignment that a supported device asks of image buffers (NVIDIA's 512 bytes).
// A plan for other devices may keep to kViewAlignment.
inline constexpr int64_t kSlabAlignment = 512;
// The widest vector that a kernel may load at once: 16 of 4 bytes.
inline constexpr int64_t kViewAlignment = 64;

// The whole file for `payload`.
std::string Wrap(absl::Span<const uint8_t> payload);

// The payload inside `file`, or one line that says what is wrong with it.
absl::StatusOr<absl::Span<const uint8_t>> Unwrap(
    absl::Span<const uint8_t> file);

}  // namespace millrace::plan

#endif  // MILLRACE_RUNTIME_PLAN_CONTAINER_H_
