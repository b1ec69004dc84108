// SPDX-License-Identifier: Apache-2.0
#include "runtime/plan/verifier.h"

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "runtime/plan/container.h"
#include "runtime/plan/verify_parts.h"

namespace millrace::plan {
namespace {

using internal::CheckName;
using internal::CheckRange;
using internal::CheckText;
using internal::kMaxBytes;
using internal::Wrong;

constexpr int64_t kMaxCount = INT32_MAX;  // of positions and the like

// Depth and number of tables that a FlatBuffer may have, well above any plan's.
constexpr flatbuffers::uoffset_t kMaxDepth = 16;
constexpr flatbuffers::uoffset_t kMaxTables = 1u << 24;

absl::Status VerifyModel(const schema::Model& model) {
  MR_RETURN_IF_ERROR(CheckName("model", 0, *model.name()));
  MR_RETURN_IF_ERROR(CheckText("architecture", model.architecture()));
  MR_RETURN_IF_ERROR(CheckText("identity", model.identity()));
  MR_RETURN_IF_ERROR(
      CheckRange("model", "context", model.context(), 0, kMaxCount));
  MR_RETURN_IF_ERROR(CheckRange("model", "prefill chunk", model.prefill_chunk(),
                                0, kMaxCount));
  MR_RETURN_IF_ERROR(
      CheckRange("model", "vocabulary", model.vocabulary(), 0, kMaxCount));
  MR_RETURN_IF_ERROR(
      CheckRange("model", "layers", model.layers(), 0, kMaxCount));
  MR_RETURN_IF_ERROR(
      CheckRange("model", "parameters", model.parameters(), 0, kMaxBytes));
  for (int32_t token : *model.eos()) {
    MR_RETURN_IF_ERROR(
        CheckRange("model", "eos token", token, 0, model.vocabulary() - 1));
  }
  return absl::OkStatus();
}

absl::Status VerifyProvenance(const schema::Provenance& provenance) {
  MR_RETURN_IF_ERROR(
      CheckText("compiler version", provenance.compiler_version()));
  MR_RETURN_IF_ERROR(CheckText("profile", provenance.profile()));
  MR_RETURN_IF_ERROR(CheckText("language", provenance.language()));
  MR_RETURN_IF_ERROR(CheckText("quantization", provenance.quantization()));
  return CheckText("options", provenance.options());
}

absl::Status VerifyParameters(const schema::Plan& plan) {
  for (size_t i = 0; i < plan.parameters()->size(); ++i) {
    MR_RETURN_IF_ERROR(CheckName("parameter", i, *plan.parameters()->Get(i)));
  }
  return absl::OkStatus();
}

absl::Status VerifyMemoryReport(const schema::Plan& plan) {
  const schema::MemoryReport& memory = *plan.memory();
  for (int64_t bytes : {memory.naive_bytes(), memory.lower_bound_bytes(),
                        memory.pool_bytes()}) {
    MR_RETURN_IF_ERROR(
        CheckRange("memory report", "bytes", bytes, 0, kMaxBytes));
  }
  int64_t arena = 0;
  for (const schema::Slab* slab : *plan.slabs()) {
    arena += slab->memory() == schema::Memory::Arena ? slab->bytes() : 0;
  }
  return CheckRange("memory report", "arena bytes", memory.arena_bytes(), arena,
                    arena);
}

// Tables may share their texts, so a small plan could hold a large text as
// often as it likes, and each would be looked through. One that is sound shares
// none.
absl::Status VerifyTextSizes(const schema::Plan& plan, size_t payload) {
  size_t total = 0;
  for (const schema::Program* program : *plan.programs()) {
    total += program->source()->size() + program->options()->size();
    if (total > payload) {
      return Wrong("plan", "its programs have more text than it has bytes: ",
                   "wanted at most ", payload);
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<const schema::Plan*> VerifyPayload(
    absl::Span<const uint8_t> payload) {
  if (payload.size() < sizeof(uint64_t) ||
      payload.size() >= FLATBUFFERS_MAX_BUFFER_SIZE) {
    return Wrong("plan", "wanted 8 bytes to 2 GiB, found ", payload.size());
  }
  flatbuffers::Verifier verifier(payload.data(), payload.size(), kMaxDepth,
                                 kMaxTables);
  if (!schema::VerifyPlanBuffer(verifier)) {
    return Wrong("plan", "its FlatBuffer is malformed");
  }
  const schema::Plan* plan = schema::GetPlan(payload.data());
  MR_RETURN_IF_ERROR(internal::VerifyAlignment(*plan));
  MR_RETURN_IF_ERROR(VerifyTextSizes(*plan, payload.size()));
  MR_RETURN_IF_ERROR(Verify(*plan));
  return plan;
}

absl::Status Verify(const schema::Plan& plan) {
  MR_RETURN_IF_ERROR(CheckRange("plan", "version", plan.version(), kPlanVersion,
                                kPlanVersion));
  MR_RETURN_IF_ERROR(VerifyModel(*plan.model()));
  MR_RETURN_IF_ERROR(VerifyProvenance(*plan.provenance()));
  MR_RETURN_IF_ERROR(internal::CheckNeeds("needs", *plan.needs()));
  MR_RETURN_IF_ERROR(VerifyParameters(plan));
  MR_RETURN_IF_ERROR(internal::VerifySlabs(plan));
  MR_RETURN_IF_ERROR(VerifyMemoryReport(plan));
  MR_RETURN_IF_ERROR(internal::VerifyObjects(plan));
  MR_RETURN_IF_ERROR(internal::VerifyApart(plan));
  MR_RETURN_IF_ERROR(internal::VerifyWeights(plan));
  MR_RETURN_IF_ERROR(internal::VerifyStates(plan));
  MR_RETURN_IF_ERROR(internal::VerifyPrograms(plan));
  MR_RETURN_IF_ERROR(internal::VerifyEntryPoints(plan));
  return internal::VerifyLifetimes(plan);
}

}  // namespace millrace::plan
