// SPDX-License-Identifier: Apache-2.0
//
// The verifier's parts, one file each; verifier.cc runs them in this order, and
// each relies on those before it. Not for use outside of this folder.
#ifndef MILLRACE_RUNTIME_PLAN_VERIFY_PARTS_H_
#define MILLRACE_RUNTIME_PLAN_VERIFY_PARTS_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "flatbuffers/flatbuffers.h"
#include "runtime/plan/lifetimes.h"
#include "runtime/plan/plan_generated.h"

namespace millrace::plan::internal {

// verify_alignment.cc: before any vector of 8-byte values is read.
absl::Status VerifyAlignment(const schema::Plan& plan);

// verify_slabs.cc: the slabs by themselves.
absl::Status VerifySlabs(const schema::Plan& plan);
// One object in its slab, after VerifySlabs.
absl::Status CheckInSlab(const std::string& where, const schema::Plan& plan,
                         const schema::Object& object);
// Outside the arena nothing shares memory; after VerifyObjects.
absl::Status VerifyApart(const schema::Plan& plan);

// verify_objects.cc: the objects and the pool, each by itself.
absl::Status VerifyObjects(const schema::Plan& plan);

// verify_weights.cc: weights and states, and that they own their objects.
absl::Status VerifyWeights(const schema::Plan& plan);
absl::Status VerifyStates(const schema::Plan& plan);

// verify_dispatches.cc: programs, kernels, entry points.
absl::Status VerifyPrograms(const schema::Plan& plan);
absl::Status VerifyEntryPoints(const schema::Plan& plan);

// One list of dispatches.
absl::Status CheckDispatches(const std::string& where, const schema::Plan& plan,
                             const schema::EntryPoint& entry,
                             const Dispatches& dispatches);

// verify_forms.cc: the forms of one entry point, and needs.
absl::Status CheckForms(const std::string& where, const schema::Plan& plan,
                        const schema::EntryPoint& entry);
absl::Status CheckNeeds(const std::string& where, const schema::Needs& needs);

// verify_grid.cc: the grid of one dispatch whose bindings are in range.
absl::Status CheckGrid(const std::string& where, const schema::Plan& plan,
                       const schema::EntryPoint& entry,
                       const schema::Dispatch& dispatch);
// -1 for none, or a parameter that the entry point has: a call checks those.
absl::Status CheckParameter(const std::string& where,
                            const schema::EntryPoint& entry, int32_t parameter);

// verify_lifetimes.cc: nothing live is overwritten.
absl::Status VerifyLifetimes(const schema::Plan& plan);

// Above any device, low enough for sums and for products with a small number.
inline constexpr int64_t kMaxBytes = int64_t{1} << 48;
// Of objects and of slabs.
inline constexpr size_t kMaxObjects = size_t{1} << 22;

template <typename... Parts>
absl::Status Wrong(const std::string& where, const Parts&... parts) {
  return absl::InvalidArgumentError(absl::StrCat(where, ": ", parts...));
}

// "object 3 'x'".
template <typename Table>
std::string Where(absl::string_view what, size_t index, const Table& table) {
  const flatbuffers::String* name = table.name();
  return absl::StrCat(what, " ", index, " '",
                      absl::string_view(name->c_str(), name->size()), "'");
}

// 1 to 200 bytes without control characters.
absl::Status CheckName(absl::string_view what, size_t index,
                       const flatbuffers::String& name);
// Text for people: as a name, but up to 64 KiB, and it may be empty or absent.
absl::Status CheckText(absl::string_view what, const flatbuffers::String* text);

absl::Status CheckRange(const std::string& where, absl::string_view what,
                        int64_t value, int64_t low, int64_t high);
// CheckRange for the index of an entry of a vector of `size`.
absl::Status CheckIndex(const std::string& where, absl::string_view what,
                        uint64_t index, size_t size);

// Adds `bytes`, which are 0 to kMaxBytes, to a sum that may not pass kMaxBytes.
absl::Status AddBytes(const std::string& where, int64_t bytes, int64_t& sum);

int64_t ScalarBytes(schema::ScalarType scalar);

// The product of positive factors; an error above kMaxBytes.
absl::StatusOr<int64_t> Product(const std::string& where,
                                std::initializer_list<int64_t> factors);
// The same for a shape, of at most 8 extents.
absl::StatusOr<int64_t> Product(const std::string& where,
                                const flatbuffers::Vector<int64_t>& factors);

}  // namespace millrace::plan::internal

#endif  // MILLRACE_RUNTIME_PLAN_VERIFY_PARTS_H_
