// SPDX-License-Identifier: Apache-2.0
//
// All that differs between the kernel languages, as one table of text patterns.
// The printer decides what to print; a Spelling only says how it is written.
//
// Patterns are absl::Substitute's: $0, $1, ... stand for what each comment
// says.

#ifndef MILLRACE_COMPILER_EMIT_SPELLING_H_
#define MILLRACE_COMPILER_EMIT_SPELLING_H_

#include <array>
#include <cstdint>
#include <vector>

#include "absl/strings/string_view.h"

namespace millrace::emit {

// Access of a texture or an image buffer.
struct TextureSpelling {
  absl::string_view read_argument;   // $0 name, $1 position of the argument
  absl::string_view write_argument;  // likewise
  absl::string_view load;            // $0 name, $1 $2 $3 coordinates
  absl::string_view store;           // $0 name, $1 $2 $3 coordinates, $4 value
};

// Access of a buffer whose elements are spelt in one way. In the patterns: $0
// name, $1 index, $2 type in memory of the width accessed ("half4"), $3 the
// width ("4"; nothing for a scalar), $4 the type in registers ("float4"), $5
// the value stored.
struct BufferSpelling {
  absl::string_view pointee;     // of one element; empty: as in registers
  bool points_to_vectors;        // the pointer's type has the buffer's lanes
  absl::string_view load;        // of the buffer's own lanes
  absl::string_view load_other;  // of another width, which $1 counts
  absl::string_view load_neighbours;  // of a vector at element $1
  absl::string_view store;
  absl::string_view store_other;
  absl::string_view store_neighbours;
};

// What a kernel may need before it, in the order of printing.
enum class Need {
  kAlways,
  kNativeHalf,
  k3dWrites,
  kSampler,
  kHalfBits,
  kHalfPtx,
  kErf
};

struct PreludePart {
  Need need;
  absl::string_view text;
};

// The position of a work-item.
struct IdSpelling {
  absl::string_view expression;  // $0 dimension, $1 its letter
  absl::string_view argument;    // declared if it is used; may be empty
};

struct Spelling {
  absl::string_view name;  // "opencl"
  int64_t max_vector_width;
  std::vector<PreludePart> prelude;

  // Types.
  absl::string_view bool_vector;    // $0 width
  absl::string_view true_lane;      // of such a vector
  absl::string_view local_storage;  // qualifier of local memory

  // Expressions.
  absl::string_view vector_literal;  // $0 type, $1 elements
  // Of a scalar: $0 type, $1 operand, which gets its parentheses if $1 ends it.
  absl::string_view cast;
  absl::string_view vector_cast;  // $0 type, $1 operand
  absl::string_view bit_cast;     // $0 type, $1 operand
  absl::string_view erf;          // $0 operand
  absl::string_view barrier;      // a statement

  // Kernels. $0, $1, $2 sizes of the group, $3 their product.
  absl::string_view group_attribute;
  int64_t max_attribute_items;  // larger groups get no attribute

  IdSpelling global_id, local_id, group_id;

  // $0 pointee, $1 name, $2 position, $3 and $4 names of the slab that the
  // buffer is a part of and of where it starts there.
  absl::string_view read_buffer_argument;
  absl::string_view write_buffer_argument;
  // A statement that makes $1 of $3 and $4; empty where the argument is $1.
  absl::string_view read_buffer_view;
  absl::string_view write_buffer_view;

  // By layout::StorageKind; the first, of buffers, is empty.
  std::array<TextureSpelling, 5> textures;

  BufferSpelling plain;
  // By kernel::HalfSpelling.
  std::array<BufferSpelling, 5> half;
};

}  // namespace millrace::emit

#endif  // MILLRACE_COMPILER_EMIT_SPELLING_H_
