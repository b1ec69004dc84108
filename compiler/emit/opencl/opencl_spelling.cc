// SPDX-License-Identifier: Apache-2.0

#include "compiler/emit/opencl/opencl_spelling.h"

namespace millrace::emit {
namespace {

// f16 bits to f32 without f16 arithmetic: the exponent is moved by multiplying
// with 2^112, which is exact for denormals too; infinities and NaNs get theirs
// back.
constexpr absl::string_view kHalfBits =
    R"(float millrace_half_to_float(ushort h) {
  const uint magnitude = (uint)(h & 0x7fff) << 13;
  const float value = as_float(magnitude) * 0x1p112f;
  const uint bits = magnitude >= 0x0f800000u ? magnitude | 0x7f800000u : as_uint(value);
  return as_float(bits | (uint)(h & 0x8000) << 16);
}

float4 millrace_half4_to_float4(ushort4 h) {
  const uint4 wide = convert_uint4(h);
  const uint4 magnitude = (wide & 0x7fffu) << 13;
  const uint4 value = as_uint4(as_float4(magnitude) * 0x1p112f);
  const uint4 bits = select(value, magnitude | 0x7f800000u, magnitude >= 0x0f800000u);
  return as_float4(bits | (wide & 0x8000u) << 16);
}

float16 millrace_half16_to_float16(ushort16 h) {
  const uint16 wide = convert_uint16(h);
  const uint16 magnitude = (wide & 0x7fffu) << 13;
  const uint16 value = as_uint16(as_float16(magnitude) * 0x1p112f);
  const uint16 bits = select(value, magnitude | 0x7f800000u, magnitude >= 0x0f800000u);
  return as_float16(bits | (wide & 0x8000u) << 16);
}
)";

constexpr absl::string_view kSampler =
    R"(constant sampler_t nearest_zero =
    CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
)";

constexpr BufferSpelling kPlain = {
    /*pointee=*/"",
    /*points_to_vectors=*/true,
    "$0[$1]",
    "((global const $2*)$0)[$1]",
    "vload$3(0, $0 + $1)",
    "$0[$1] = $5",
    "((global $2*)$0)[$1] = $5",
    "vstore$3($5, 0, $0 + $1)",
};

constexpr BufferSpelling kNative = {
    "half",
    true,
    "convert_$4($0[$1])",
    "convert_$4(((global const $2*)$0)[$1])",
    "vload_half$3(0, $0 + $1)",
    "$0[$1] = convert_$2_rte($5)",
    "((global $2*)$0)[$1] = convert_$2_rte($5)",
    "vstore_half$3_rte($5, 0, $0 + $1)",
};

constexpr BufferSpelling kVload = {
    "half",
    false,
    "vload_half$3($1, $0)",
    "vload_half$3($1, $0)",
    "vload_half$3(0, $0 + $1)",
    "vstore_half$3_rte($5, $1, $0)",
    "vstore_half$3_rte($5, $1, $0)",
    "vstore_half$3_rte($5, 0, $0 + $1)",
};

// Buffers start at multiples of the widest vector, so all but neighbours is
// aligned.
constexpr BufferSpelling kVloada = {
    "half",
    false,
    "vloada_half$3($1, $0)",
    "vloada_half$3($1, $0)",
    "vload_half$3(0, $0 + $1)",
    "vstorea_half$3_rte($5, $1, $0)",
    "vstorea_half$3_rte($5, $1, $0)",
    "vstore_half$3_rte($5, 0, $0 + $1)",
};

constexpr BufferSpelling kBits = {
    "ushort",
    true,
    "millrace_half$3_to_$4($0[$1])",
    "millrace_half$3_to_$4(((global const $2*)$0)[$1])",
    "millrace_half$3_to_$4(vload$3(0, $0 + $1))",
    "vstore_half$3_rte($5, $1, (global half*)$0)",
    "vstore_half$3_rte($5, $1, (global half*)$0)",
    "vstore_half$3_rte($5, 0, (global half*)$0 + $1)",
};

Spelling Make() {
  Spelling s;
  s.name = "opencl";
  s.max_vector_width = 16;
  s.prelude = {
      {Need::kNativeHalf, "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"},
      {Need::k3dWrites,
       "#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable\n"},
      {Need::kSampler, kSampler},
      {Need::kHalfBits, kHalfBits},
  };
  s.bool_vector = "int$0";
  s.local_storage = "local";
  s.vector_literal = "($0)($1)";
  s.cast = "($0)($1)";
  s.vector_cast = "convert_$0($1)";
  s.bit_cast = "as_$0($1)";
  s.erf = "erf($0)";
  s.barrier = "barrier(CLK_LOCAL_MEM_FENCE);";
  s.group_attribute = "__attribute__((reqd_work_group_size($0, $1, $2)))";
  // Some devices reject larger ones although they could run them.
  s.max_attribute_items = 256;
  s.global_id = {"get_global_id($0)", ""};
  s.local_id = {"get_local_id($0)", ""};
  s.group_id = {"get_group_id($0)", ""};
  s.read_buffer_argument = "global const $0* restrict $1";
  s.write_buffer_argument = "global $0* restrict $1";
  s.textures = {{
      {},
      {"read_only image1d_buffer_t $0", "write_only image1d_buffer_t $0",
       "read_imagef($0, $1)", "write_imagef($0, $1, $4)"},
      {"read_only image2d_t $0", "write_only image2d_t $0",
       "read_imagef($0, nearest_zero, (int2)($1, $2))",
       "write_imagef($0, (int2)($1, $2), $4)"},
      {"read_only image2d_array_t $0", "write_only image2d_array_t $0",
       "read_imagef($0, nearest_zero, (int4)($1, $2, $3, 0))",
       "write_imagef($0, (int4)($1, $2, $3, 0), $4)"},
      {"read_only image3d_t $0", "write_only image3d_t $0",
       "read_imagef($0, nearest_zero, (int4)($1, $2, $3, 0))",
       "write_imagef($0, (int4)($1, $2, $3, 0), $4)"},
  }};
  s.plain = kPlain;
  s.half = {kNative, kVload, kVloada, kBits};
  return s;
}

}  // namespace

const Spelling& OpenClSpelling() {
  static const Spelling* const spelling = new Spelling(Make());
  return *spelling;
}

}  // namespace millrace::emit
