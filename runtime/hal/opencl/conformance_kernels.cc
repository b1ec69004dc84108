// SPDX-License-Identifier: Apache-2.0
#include "runtime/hal/opencl/conformance_kernels.h"

#include <string>

#include "absl/strings/str_replace.h"

namespace millrace::hal {
namespace {

// A buffer is a pointer and the bytes to add to it.
constexpr char kBuffer[] = R"(
kernel void plus_one(global const char* src_slab, long src_offset,
                     global char* dst_slab, long dst_offset) {
  global const @TYPE@* src = (global const @TYPE@*)(src_slab + src_offset);
  global @TYPE@* dst = (global @TYPE@*)(dst_slab + dst_offset);
  const size_t i = get_global_id(0);
  dst[i] = src[i] + 1;
}
)";

constexpr char kHalfBuffer[] = R"(
kernel void plus_one(global const char* src_slab, long src_offset,
                     global char* dst_slab, long dst_offset) {
  global const half* src = (global const half*)(src_slab + src_offset);
  global half* dst = (global half*)(dst_slab + dst_offset);
  const size_t i = get_global_id(0);
  vstore_half(vload_half(i, src) + 1.0f, i, dst);
}
)";

constexpr char kImageBuffer[] = R"(
kernel void plus_one(read_only image1d_buffer_t src,
                     write_only image1d_buffer_t dst) {
  const int at = get_global_id(0);
  @WRITE@(dst, at, @READ@(src, at) + (@TYPE4@)(1));
}
)";

constexpr char kTexture[] = R"(
@PRAGMA@
constant sampler_t nearest =
    CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
kernel void plus_one(read_only @IMAGE@ src, write_only @IMAGE@ dst) {
  const @COORD@ at = @COORD_OF_IDS@;
  @WRITE@(dst, at, @READ@(src, nearest, at) + (@TYPE4@)(1));
}
)";

std::string Template(ObjectKind kind, ScalarType scalar) {
  switch (kind) {
    case ObjectKind::kBuffer:
      return scalar == ScalarType::kF16 ? kHalfBuffer : kBuffer;
    case ObjectKind::kImageBuffer:
      return kImageBuffer;
    default:
      return kTexture;
  }
}

const char* ImageType(ObjectKind kind) {
  switch (kind) {
    case ObjectKind::kTexture2d:
      return "image2d_t";
    case ObjectKind::kTextureArray:
      return "image2d_array_t";
    default:
      return "image3d_t";
  }
}

}  // namespace

std::string OpenClPlusOne(ObjectKind kind, ScalarType scalar) {
  const bool integer = scalar == ScalarType::kI32;
  const bool flat = kind == ObjectKind::kTexture2d;
  return absl::StrReplaceAll(
      Template(kind, scalar),
      {{"@PRAGMA@", kind == ObjectKind::kTexture3d
                        ? "#pragma OPENCL EXTENSION cl_khr_3d_image_writes : "
                          "enable"
                        : ""},
       {"@IMAGE@", ImageType(kind)},
       {"@COORD_OF_IDS@", flat ? "(int2)(get_global_id(0), get_global_id(1))"
                               : "(int4)(get_global_id(0), get_global_id(1), "
                                 "get_global_id(2), 0)"},
       {"@COORD@", flat ? "int2" : "int4"},
       {"@READ@", integer ? "read_imagei" : "read_imagef"},
       {"@WRITE@", integer ? "write_imagei" : "write_imagef"},
       {"@TYPE4@", integer ? "int4" : "float4"},
       {"@TYPE@", integer ? "int" : "float"}});
}

std::string OpenClReverseGroup() {
  return R"(
kernel void reverse_group(global const char* src_slab, long src_offset,
                          global char* dst_slab, long dst_offset) {
  global const float* src = (global const float*)(src_slab + src_offset);
  global float* dst = (global float*)(dst_slab + dst_offset);
  local float tile[64];
  const int lane = get_local_id(0);
  tile[lane] = src[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  dst[get_global_id(0)] = tile[63 - lane];
}
)";
}

std::string OpenClBroken() {
  return "kernel void broken(global float* x) { x[0] = undeclared_thing; }\n";
}

}  // namespace millrace::hal
