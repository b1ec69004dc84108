// SPDX-License-Identifier: Apache-2.0
//
// The weights file: a header, then the packed weights at the offsets of the
// plan's weight table, ready to be uploaded as they are.
//
//   0   8  "MRWEIGHT"
//   8   4  version, 1
//   12  4  number of weights
//   16  8  hash of the plan's weight table: the file fits that plan only
//   24  8  bytes of the payload
//   32  8  hash of the 32 bytes before and of the list that follows
//   40  8  for each weight, the hash of its bytes
//   then zeroes up to a multiple of 4096, where the payload starts
//
// Numbers are little-endian. The header is checked when the file is opened, a
// weight when it is read.
#ifndef MILLRACE_RUNTIME_WEIGHTS_WEIGHTS_FILE_H_
#define MILLRACE_RUNTIME_WEIGHTS_WEIGHTS_FILE_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/plan/plan_generated.h"

namespace millrace::weights {

// The file's name in an output directory.
inline constexpr char kWeightsFileName[] = "weights.mrw";

struct WeightsFileHeader {
  uint64_t table_hash = 0;
  int64_t payload_bytes = 0;
  std::vector<uint64_t> weight_hashes;
};

// Of all that decides what the file holds and which model it belongs to: the
// model's identity, names, sources, layouts, types, offsets, constants.
uint64_t WeightTableHash(const plan::schema::Plan& plan);

// Without the hashes of the weights.
WeightsFileHeader HeaderFor(const plan::schema::Plan& plan);

// Where the payload starts.
int64_t PayloadOffset(const plan::schema::Plan& plan);

std::vector<uint8_t> EncodeHeader(const WeightsFileHeader& header);

// The header of `file`, a whole weights file, if it belongs to `plan`.
absl::StatusOr<WeightsFileHeader> ReadHeader(const plan::schema::Plan& plan,
                                             absl::Span<const uint8_t> file);

}  // namespace millrace::weights

#endif  // MILLRACE_RUNTIME_WEIGHTS_WEIGHTS_FILE_H_
