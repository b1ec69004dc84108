// SPDX-License-Identifier: Apache-2.0

#include "compiler/emit/opencl/opencl_spelling.h"

namespace millrace::emit {
namespace {

// f16 bits to f32 by integer arithmetic: the exponent is rebased by 112;
// infinities and NaNs by twice that; denormals are normalised by subtracting
// 2^-14, so that devices which flush those of f32 get them right as well.
constexpr absl::string_view kHalfBits =
    R"(float millrace_half_to_float(ushort h) {
  const uint wide = (uint)h;
  const uint magnitude = (wide & 0x7fffu) << 13;
  const uint rebased = magnitude + 0x38000000u;
  const uint tiny = as_uint(as_float(rebased + 0x00800000u) - 0x1p-14f);
  uint bits = magnitude >= 0x0f800000u ? rebased + 0x38000000u : rebased;
  bits = magnitude < 0x00800000u ? tiny : bits;
  return as_float(bits | (wide & 0x8000u) << 16);
}

float4 millrace_half4_to_float4(ushort4 h) {
  const uint4 wide = convert_uint4(h);
  const uint4 magnitude = (wide & 0x7fffu) << 13;
  const uint4 rebased = magnitude + 0x38000000u;
  const uint4 tiny = as_uint4(as_float4(rebased + 0x00800000u) - 0x1p-14f);
  uint4 bits = select(rebased, rebased + 0x38000000u, magnitude >= 0x0f800000u);
  bits = select(bits, tiny, magnitude < 0x00800000u);
  return as_float4(bits | (wide & 0x8000u) << 16);
}

float16 millrace_half16_to_float16(ushort16 h) {
  const uint16 wide = convert_uint16(h);
  const uint16 magnitude = (wide & 0x7fffu) << 13;
  const uint16 rebased = magnitude + 0x38000000u;
  const uint16 tiny = as_uint16(as_float16(rebased + 0x00800000u) - 0x1p-14f);
  uint16 bits = select(rebased, rebased + 0x38000000u, magnitude >= 0x0f800000u);
  bits = select(bits, tiny, magnitude < 0x00800000u);
  return as_float16(bits | (wide & 0x8000u) << 16);
}
)";

// NVIDIA's driver splits vload_half and vstore_half into scalar accesses; words
// of 32 bits are wide, and one instruction of PTX converts each half.
constexpr absl::string_view kHalfPtx =
    R"(float2 millrace_unpack_halves(uint halves) {
  float2 v;
  asm("{ .reg .f16 lo, hi; mov.b32 {lo, hi}, %2; cvt.f32.f16 %0, lo; cvt.f32.f16 %1, hi; }"
      : "=f"(v.x), "=f"(v.y) : "r"(halves));
  return v;
}

float millrace_load_half(int i, global const half* p) {
  return vload_half(i, p);
}

float4 millrace_load_half4(int i, global const half* p) {
  const uint2 u = ((global const uint2*)p)[i];
  return (float4)(millrace_unpack_halves(u.x), millrace_unpack_halves(u.y));
}

float16 millrace_load_half16(int i, global const half* p) {
  const uint8 u = ((global const uint8*)p)[i];
  return (float16)(millrace_unpack_halves(u.s0), millrace_unpack_halves(u.s1),
                   millrace_unpack_halves(u.s2), millrace_unpack_halves(u.s3),
                   millrace_unpack_halves(u.s4), millrace_unpack_halves(u.s5),
                   millrace_unpack_halves(u.s6), millrace_unpack_halves(u.s7));
}

uint millrace_pack_halves(float2 v) {
  uint halves;
  asm("{ .reg .f16 lo, hi; cvt.rn.f16.f32 lo, %1; cvt.rn.f16.f32 hi, %2; mov.b32 %0, {lo, hi}; }"
      : "=r"(halves) : "f"(v.x), "f"(v.y));
  return halves;
}

void millrace_store_half(float v, int i, global half* p) {
  vstore_half_rte(v, i, p);
}

void millrace_store_half4(float4 v, int i, global half* p) {
  ((global uint2*)p)[i] =
      (uint2)(millrace_pack_halves(v.xy), millrace_pack_halves(v.zw));
}

void millrace_store_half16(float16 v, int i, global half* p) {
  ((global uint8*)p)[i] =
      (uint8)(millrace_pack_halves(v.s01), millrace_pack_halves(v.s23),
              millrace_pack_halves(v.s45), millrace_pack_halves(v.s67),
              millrace_pack_halves(v.s89), millrace_pack_halves(v.sab),
              millrace_pack_halves(v.scd), millrace_pack_halves(v.sef));
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

constexpr BufferSpelling kPtx = {
    "half",
    false,
    "millrace_load_half$3($1, $0)",
    "millrace_load_half$3($1, $0)",
    "vload_half$3(0, $0 + $1)",
    "millrace_store_half$3($5, $1, $0)",
    "millrace_store_half$3($5, $1, $0)",
    "vstore_half$3_rte($5, 0, $0 + $1)",
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
      {Need::kHalfPtx, kHalfPtx},
  };
  s.bool_vector = "int$0";
  s.true_lane = "-1";
  s.local_storage = "local";
  s.vector_literal = "($0)($1)";
  s.cast = "($0)$1";
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
  s.read_buffer_argument = "global const char* restrict $3, long $4";
  s.write_buffer_argument = "global char* restrict $3, long $4";
  s.read_buffer_view = "global const $0* $1 = (global const $0*)($3 + $4);";
  s.write_buffer_view = "global $0* $1 = (global $0*)($3 + $4);";
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
  s.half = {kNative, kVload, kVloada, kBits, kPtx};
  return s;
}

}  // namespace

const Spelling& OpenClSpelling() {
  static const Spelling* const spelling = new Spelling(Make());
  return *spelling;
}

}  // namespace millrace::emit
