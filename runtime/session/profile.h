// SPDX-License-Identifier: Apache-2.0
//
// Where the time of a run went: dispatches summed up by entry point, op and
// kernel, as a table for people and as a trace for a viewer.
//
// Bytes and flops are the compiler's estimates of what an op must move and
// compute, not what the device did; GB/s above the memory's means caches.
#ifndef MILLRACE_RUNTIME_SESSION_PROFILE_H_
#define MILLRACE_RUNTIME_SESSION_PROFILE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/types/span.h"

namespace millrace::session {

// One dispatch, on the device's own clock.
struct ProfileEvent {
  std::string entry_point;
  std::string label;   // the op of the model
  std::string kernel;  // the function that computed it
  uint64_t queued_ns = 0;
  uint64_t start_ns = 0;
  uint64_t end_ns = 0;
  double bytes = 0.0;
  double flops = 0.0;
};

// All dispatches that are alike.
struct ProfileRow {
  std::string entry_point;
  std::string label;  // layer numbers replaced by *
  std::string kernel;
  int64_t dispatches = 0;
  double ms = 0.0;
  double gb_per_s = 0.0;
  double gflop_per_s = 0.0;
  double share = 0.0;  // of the time of all rows
};

// The slowest first.
std::vector<ProfileRow> SummarizeProfile(absl::Span<const ProfileEvent> events);

// The rows, then the time in kernels of each entry point.
std::string ProfileTable(absl::Span<const ProfileEvent> events);

// "layers.3.attn.qkv" -> "layers.*.attn.qkv".
std::string WithoutLayerNumbers(const std::string& label);

}  // namespace millrace::session

#endif  // MILLRACE_RUNTIME_SESSION_PROFILE_H_
