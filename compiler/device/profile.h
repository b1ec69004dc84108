// SPDX-License-Identifier: Apache-2.0
//
// What the compiler may assume of a device family, as data: limits, abilities,
// preferred storages and tiles (paper section 3.4). One profile is one row of
// profiles.cc; a pass reads it, never a device. The module carries its name in
// the attribute `millrace.device`, so that any machine compiles for any device
// and a test can pin it.
#ifndef MILLRACE_COMPILER_DEVICE_PROFILE_H_
#define MILLRACE_COMPILER_DEVICE_PROFILE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "layout/limits.h"
#include "layout/storage.h"

namespace millrace::device {

// The language that a device's driver compiles.
enum class Language { kOpenCl, kMetal };

// How a kernel reads and writes f16 in a buffer. Arithmetic is f32 everywhere.
enum class HalfAccess {
  kVload,   // vload_half / vstore_half: any OpenCL 1.2 device
  kVloada,  // the aligned forms: one wide access where vload_half makes many
  kPtx,     // 32-bit loads and PTX: NVIDIA, whose vload_half is many loads
  kNative,  // half is a type of the language (Metal, cl_khr_fp16)
};

// A matrix-vector product: few token positions, so bound by reading weights.
struct LinearVectorTile {
  int64_t slices;  // output slices (4 rows each) a work-item computes
  int64_t items;   // work-items a group, along output slices
  int64_t split;   // work-items that share one row, each taking every split-th
                   // input slice; 1: no reduction
  int64_t unroll;  // input slices in flight a step
  int64_t max_tokens;  // positions up to which this kernel is chosen
};

// A matrix-matrix product: bound by arithmetic, so tiles are kept in registers.
struct LinearMatrixTile {
  int64_t tokens;        // positions a work-item computes
  int64_t slices;        // output slices a work-item computes
  int64_t group_tokens;  // work-items a group along positions
  int64_t group_slices;  // work-items a group along output slices
};

// Attention that stores no scores: a work-group takes some query rows of one
// key-value head through the keys, some keys at a step.
struct AttendTuning {
  int64_t items;            // a group, at most
  int64_t rows;             // query rows a group, at most
  int64_t keys;             // a step
  int64_t keys_per_item;    // whose scores an item computes at once: 1 or 4
  int64_t score_rows;       // rows of those scores
  int64_t slices_per_item;  // of values that an item sums at once: 1, 2 or 4
  int64_t sum_rows;         // rows of those sums
  int64_t part_keys = 0;    // fewest keys of a part, where work-groups share
                            // the keys of the same rows; 0: they do not
  int64_t max_parts = 1;
};

// Where tensors of one role live: storage and named form of compiler/layout.
struct Placement {
  layout::StorageKind storage;
  std::string form;
  // Output slices of one input slice that lie together (see layout::GetForm).
  int64_t group = 1;
};

struct DeviceProfile {
  std::string name;
  std::string summary;
  Language language = Language::kOpenCl;

  // Limits that every device of the family keeps.
  layout::ObjectLimits limits;
  int64_t max_group_items = 256;
  int64_t local_bytes = 16 << 10;
  int64_t compute_units = 1;  // that want a work-group each

  // Abilities.
  HalfAccess half = HalfAccess::kVload;
  int64_t max_vector_width = 16;  // lanes of the widest vector type
  bool writes_texture_3d = false;
  // Local memory is faster than global memory, not a part of it.
  bool has_local_memory = false;

  // Preferences.
  Placement activation;
  Placement weight;           // of linear layers
  Placement key_cache;        // O = cache, I = head_dim (paper section 3.8)
  Placement value_cache;      // O = head_dim, I = cache
  int64_t reduce_items = 64;  // group size of norms and softmax
  int64_t elementwise_items = 64;  // group size of maps
  LinearVectorTile linear_vector;
  LinearMatrixTile linear_matrix;
  AttendTuning attend_few;    // at most as many rows as it says: decoding
  AttendTuning attend_many;   // more rows: prefill
  std::string build_options;  // for the driver's compiler
};

// Every profile, `generic` first.
absl::Span<const DeviceProfile> Profiles();

// The profile called `name`; an error that lists the names otherwise.
absl::StatusOr<DeviceProfile> FindProfile(absl::string_view name);

// `profile` with all activations in `storage` (its default form), as --storage
// asks for.
DeviceProfile WithActivationStorage(DeviceProfile profile,
                                    layout::StorageKind storage);

// The forms that the weights of linear layers can have.
absl::Span<const absl::string_view> WeightForms();

// `profile` with the weights of linear layers in `form`, which also decides the
// storage: a buffer, or textures for the four-texture forms. Errors: no such
// form of weights.
absl::StatusOr<DeviceProfile> WithWeightForm(DeviceProfile profile,
                                             absl::string_view form);

}  // namespace millrace::device

#endif  // MILLRACE_COMPILER_DEVICE_PROFILE_H_
