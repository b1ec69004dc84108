// SPDX-License-Identifier: Apache-2.0

#include "compiler/emit/metal/metal_spelling.h"

namespace millrace::emit {
namespace {

constexpr absl::string_view kHeader = R"(#include <metal_stdlib>

using namespace metal;
)";

// Metal has no erf. Abramowitz and Stegun 7.1.26, within 1.5e-7.
constexpr absl::string_view kErf = R"(float millrace_erf(float x) {
  const float t = 1.0f / (1.0f + 0.3275911f * fabs(x));
  const float p =
      t * (0.254829592f +
           t * (-0.284496736f +
                t * (1.421413741f + t * (-1.453152027f + t * 1.061405429f))));
  return copysign(1.0f - p * exp(-x * x), x);
}

float4 millrace_erf(float4 x) {
  return float4(millrace_erf(x.x), millrace_erf(x.y), millrace_erf(x.z), millrace_erf(x.w));
}
)";

constexpr BufferSpelling kPlain = {
    /*pointee=*/"",
    /*points_to_vectors=*/true,
    "$0[$1]",
    "((device const $2*)$0)[$1]",
    "$4(*(device const packed_$2*)($0 + $1))",
    "$0[$1] = $5",
    "((device $2*)$0)[$1] = $5",
    "*(device packed_$2*)($0 + $1) = packed_$2($5)",
};

// The language has half, whatever the device's arithmetic.
constexpr BufferSpelling kHalf = {
    "half",
    true,
    "$4($0[$1])",
    "$4(((device const $2*)$0)[$1])",
    "$4($2(*(device const packed_$2*)($0 + $1)))",
    "$0[$1] = $2($5)",
    "((device $2*)$0)[$1] = $2($5)",
    "*(device packed_$2*)($0 + $1) = packed_$2($2($5))",
};

Spelling Make() {
  Spelling s;
  s.name = "metal";
  s.max_vector_width = 4;
  s.prelude = {{Need::kAlways, kHeader}, {Need::kErf, kErf}};
  s.bool_vector = "bool$0";
  s.true_lane = "true";
  s.local_storage = "threadgroup";
  s.vector_literal = "$0($1)";
  s.cast = "$0($1)";
  s.vector_cast = "$0($1)";
  s.bit_cast = "as_type<$0>($1)";
  s.erf = "millrace_erf($0)";
  s.barrier = "threadgroup_barrier(mem_flags::mem_threadgroup);";
  s.group_attribute = "[[max_total_threads_per_threadgroup($3)]]";
  s.max_attribute_items = 1024;
  s.global_id = {"int(global_id.$1)",
                 "uint3 global_id [[thread_position_in_grid]]"};
  s.local_id = {"int(local_id.$1)",
                "uint3 local_id [[thread_position_in_threadgroup]]"};
  s.group_id = {"int(group_id.$1)",
                "uint3 group_id [[threadgroup_position_in_grid]]"};
  s.read_buffer_argument = "device const $0* $1 [[buffer($2)]]";
  s.write_buffer_argument = "device $0* $1 [[buffer($2)]]";
  s.textures = {{
      {},
      {"texture_buffer<float, access::read> $0 [[texture($1)]]",
       "texture_buffer<float, access::write> $0 [[texture($1)]]",
       "$0.read(uint($1))", "$0.write($4, uint($1))"},
      {"texture2d<float, access::read> $0 [[texture($1)]]",
       "texture2d<float, access::write> $0 [[texture($1)]]",
       "$0.read(uint2($1, $2))", "$0.write($4, uint2($1, $2))"},
      {"texture2d_array<float, access::read> $0 [[texture($1)]]",
       "texture2d_array<float, access::write> $0 [[texture($1)]]",
       "$0.read(uint2($1, $2), $3)", "$0.write($4, uint2($1, $2), $3)"},
      {"texture3d<float, access::read> $0 [[texture($1)]]",
       "texture3d<float, access::write> $0 [[texture($1)]]",
       "$0.read(uint3($1, $2, $3))", "$0.write($4, uint3($1, $2, $3))"},
  }};
  s.plain = kPlain;
  s.half = {kHalf, kHalf, kHalf, kHalf, kHalf};
  return s;
}

}  // namespace

const Spelling& MetalSpelling() {
  static const Spelling* const spelling = new Spelling(Make());
  return *spelling;
}

}  // namespace millrace::emit
