// SPDX-License-Identifier: Apache-2.0
//
// The table of device profiles. Figures that were measured say so; the others
// are the minimum that the standard or the vendor promises.
#include <vector>

#include "compiler/device/profile.h"
#include "layout/form.h"

namespace millrace::device {
namespace {

using layout::StorageKind;

Placement Buffer(absl::string_view form) {
  return {StorageKind::kBuffer, std::string(form)};
}

// Any OpenCL 1.2 device: limits of the full profile's minimum, no extension.
DeviceProfile Generic() {
  DeviceProfile profile;
  profile.name = "generic";
  profile.summary = "any OpenCL 1.2 device, nothing else assumed";
  profile.activation = Buffer(layout::kDshwbc4);
  profile.weight = Buffer(layout::kWeightsO4I4);
  profile.key_cache = Buffer(layout::kWeightsI4);
  profile.value_cache = Buffer(layout::kWeightsO4);
  profile.linear_vector = {/*slices=*/1, /*items=*/16, /*split=*/4,
                           /*unroll=*/1, /*max_tokens=*/4};
  profile.linear_matrix = {/*tokens=*/4, /*slices=*/1, /*group_tokens=*/4,
                           /*group_slices=*/16};
  profile.attend_few = {/*items=*/64,          /*rows=*/8,
                        /*keys=*/64,
                        /*keys_per_item=*/1,   /*score_rows=*/4,
                        /*slices_per_item=*/1, /*sum_rows=*/4};
  profile.attend_many = {/*items=*/64,          /*rows=*/16,
                         /*keys=*/32,
                         /*keys_per_item=*/1,   /*score_rows=*/8,
                         /*slices_per_item=*/1, /*sum_rows=*/8};
  return profile;
}

// PoCL on a CPU: one work-item streams whole blocks of weights, 16 outputs
// wide, so that the prefetcher sees one run of addresses; barriers cost loops,
// so groups that reduce are small.
DeviceProfile PoclCpu() {
  DeviceProfile profile = Generic();
  profile.name = "pocl-cpu";
  profile.summary = "PoCL on x86 or Arm processors";
  profile.limits.object_bytes = int64_t{2} << 30;
  profile.limits.image_buffer_texels = int64_t{1} << 27;
  profile.max_group_items = 4096;
  profile.local_bytes = 256 << 10;
  profile.half = HalfAccess::kVloada;
  profile.writes_texture_3d = true;
  profile.weight = Buffer(layout::kWeightsO16);
  profile.reduce_items = 8;
  profile.elementwise_items = 16;
  // It warns, on standard error, about each built-in function of 16 lanes.
  profile.build_options = "-w";
  profile.linear_vector = {/*slices=*/1, /*items=*/8, /*split=*/1,
                           /*unroll=*/1, /*max_tokens=*/2};
  profile.linear_matrix = {/*tokens=*/4, /*slices=*/1, /*group_tokens=*/1,
                           /*group_slices=*/8};
  // Vectors of 16 lanes, and few items, each a turn of a loop at every barrier.
  profile.attend_few = {/*items=*/8,           /*rows=*/8,
                        /*keys=*/64,
                        /*keys_per_item=*/4,   /*score_rows=*/4,
                        /*slices_per_item=*/4, /*sum_rows=*/4};
  profile.attend_many = {/*items=*/16,          /*rows=*/16,
                         /*keys=*/64,
                         /*keys_per_item=*/4,   /*score_rows=*/4,
                         /*slices_per_item=*/4, /*sum_rows=*/4};
  return profile;
}

// NVIDIA's Hopper through OpenCL, without its matrix units. Limits are those
// that its driver 580 reports.
DeviceProfile NvidiaSm90() {
  DeviceProfile profile = Generic();
  profile.name = "nvidia-sm90";
  profile.summary =
      "NVIDIA Hopper (H100, H200) through OpenCL, no matrix units";
  profile.limits.texture_2d_width = 32768;
  profile.limits.texture_2d_height = 32768;
  profile.limits.texture_3d_width = 16384;
  profile.limits.texture_3d_height = 16384;
  profile.limits.texture_3d_depth = 16384;
  profile.limits.image_buffer_texels = int64_t{1} << 28;
  profile.limits.object_bytes = int64_t{32} << 30;
  // The device takes 1024, but a kernel whose size is fixed by attribute gets
  // no more than 256 from this driver.
  profile.max_group_items = 256;
  profile.local_bytes = 48 << 10;
  profile.compute_units = 132;
  profile.has_local_memory = true;
  profile.half = HalfAccess::kPtx;
  profile.writes_texture_3d = true;
  profile.weight = Buffer(layout::kWeightsO4I4);
  profile.reduce_items = 256;
  profile.elementwise_items = 128;
  profile.linear_vector = {/*slices=*/1, /*items=*/1, /*split=*/128,
                           /*unroll=*/4, /*max_tokens=*/8};
  profile.linear_matrix = {/*tokens=*/4, /*slices=*/2, /*group_tokens=*/8,
                           /*group_slices=*/16};
  // Neighbours of a warp read keys of neighbouring tokens, and values of
  // neighbouring slices.
  profile.key_cache.group = 8;
  profile.value_cache.group = 8;
  profile.attend_few = {/*items=*/256,         /*rows=*/16,
                        /*keys=*/128,
                        /*keys_per_item=*/1,   /*score_rows=*/8,
                        /*slices_per_item=*/1, /*sum_rows=*/8,
                        /*part_keys=*/128,     /*max_parts=*/16};
  profile.attend_many = {/*items=*/128,         /*rows=*/32,
                         /*keys=*/64,
                         /*keys_per_item=*/4,   /*score_rows=*/4,
                         /*slices_per_item=*/1, /*sum_rows=*/8};
  return profile;
}

// Apple's M4 through Metal. Its runtime comes later; the source is checked.
DeviceProfile AppleM4() {
  DeviceProfile profile = Generic();
  profile.name = "apple-m4";
  profile.summary = "Apple M4 through Metal";
  profile.language = Language::kMetal;
  profile.limits.texture_2d_width = 16384;
  profile.limits.texture_2d_height = 16384;
  profile.limits.image_buffer_texels = int64_t{1} << 28;
  profile.limits.object_bytes = int64_t{4} << 30;
  profile.max_group_items = 1024;
  profile.local_bytes = 32 << 10;
  profile.compute_units = 10;
  profile.has_local_memory = true;
  profile.half = HalfAccess::kNative;
  profile.max_vector_width = 4;
  profile.writes_texture_3d = true;
  profile.linear_vector = {/*slices=*/1, /*items=*/8, /*split=*/32,
                           /*unroll=*/1, /*max_tokens=*/4};
  return profile;
}

// No device: sizes that are multiples of nothing and vectors of four lanes, so
// that tests on any machine take the paths that large devices take.
DeviceProfile TestAwkward() {
  DeviceProfile profile = Generic();
  profile.name = "test-awkward";
  profile.summary = "no device: odd sizes, for tests";
  profile.compute_units = 2;
  profile.has_local_memory = true;
  profile.half = HalfAccess::kVload;
  profile.max_vector_width = 4;
  profile.weight = Buffer(layout::kWeightsI4O4);
  profile.weight.group = 3;
  profile.reduce_items = 6;
  profile.elementwise_items = 3;
  profile.linear_vector = {/*slices=*/2, /*items=*/3, /*split=*/5,
                           /*unroll=*/3, /*max_tokens=*/5};
  profile.linear_matrix = {/*tokens=*/3, /*slices=*/2, /*group_tokens=*/3,
                           /*group_slices=*/5};
  return profile;
}

}  // namespace

absl::Span<const DeviceProfile> Profiles() {
  static const auto& profiles = *new std::vector<DeviceProfile>{
      Generic(), PoclCpu(), NvidiaSm90(), AppleM4(), TestAwkward()};
  return profiles;
}

}  // namespace millrace::device
