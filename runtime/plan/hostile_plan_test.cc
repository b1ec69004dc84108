// SPDX-License-Identifier: Apache-2.0
//
// What no builder of FlatBuffers makes, but bytes can hold: tables that share
// what they refer to, and vectors where none may start.
#include <cstring>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "gtest/gtest.h"
#include "runtime/plan/sample_plan_for_test.h"
#include "runtime/plan/verifier.h"

namespace millrace::plan {
namespace {

// The bytes of a plan, open to any change.
class RawPlan {
 public:
  explicit RawPlan(const PlanBuilder& builder) {
    const std::string payload = builder.Payload();
    bytes_ = payload.size();
    words_.resize((bytes_ + 7) / 8);  // aligned as the reader's are
    std::memcpy(words_.data(), payload.data(), bytes_);
  }

  const schema::Plan& plan() const { return *schema::GetPlan(words_.data()); }

  absl::Status Verify() const {
    return VerifyPayload(
               {reinterpret_cast<const uint8_t*>(words_.data()), bytes_})
        .status();
  }

  // Makes the field `field` of `table` refer to `target`, which lies behind it.
  template <typename Table>
  void Refer(const Table& table, flatbuffers::voffset_t field,
             const void* target) {
    const auto& raw = reinterpret_cast<const flatbuffers::Table&>(table);
    auto* at = const_cast<uint8_t*>(raw.GetAddressOf(field));
    ASSERT_NE(at, nullptr);
    ASSERT_GT(static_cast<const uint8_t*>(target), at);
    flatbuffers::WriteScalar(at, static_cast<flatbuffers::uoffset_t>(
                                     static_cast<const uint8_t*>(target) - at));
  }

  // Moves the vector in field `field` of `table` to where its elements start at
  // 4 more than a multiple of 8. Their place is inside the long text of the
  // provenance, which lies behind all that is moved here.
  template <typename Table, typename T>
  void Misalign(const Table& table, flatbuffers::voffset_t field,
                const flatbuffers::Vector<T>& vector, size_t element_bytes) {
    const auto* text = reinterpret_cast<const uint8_t*>(
        plan().provenance()->options()->c_str());
    auto* target = const_cast<uint8_t*>(
        text + (8 - reinterpret_cast<uintptr_t>(text) % 8) % 8);
    std::memcpy(target, &vector, 4 + vector.size() * element_bytes);
    Refer(table, field, target);
  }

 private:
  std::vector<uint64_t> words_;
  size_t bytes_ = 0;
};

RawPlan Sample() {
  PlanBuilder builder = SamplePlan();
  builder.plan().provenance->options = std::string(1024, 'x');
  return RawPlan(builder);
}

void ExpectMisaligned(const RawPlan& raw, const char* what) {
  const absl::Status status = raw.Verify();
  EXPECT_TRUE(absl::StrContains(status.message(), what)) << status;
  EXPECT_TRUE(absl::StrContains(status.message(), "misaligned")) << status;
}

TEST(HostilePlanTest, VectorsAreAligned) {
  ASSERT_TRUE(Sample().Verify().ok()) << Sample().Verify();
  {
    RawPlan raw = Sample();
    const auto& layout = *raw.plan().weights()->Get(1)->layout();
    raw.Misalign(layout, schema::Layout::VT_SHAPE, *layout.shape(), 8);
    ExpectMisaligned(raw, "shape of a layout");
  }
  {
    RawPlan raw = Sample();
    const auto& layout = *raw.plan().weights()->Get(0)->layout();
    raw.Misalign(layout, schema::Layout::VT_LANE, *layout.lane(),
                 sizeof(schema::Digit));
    ExpectMisaligned(raw, "digits of a layout");
  }
  {
    RawPlan raw = Sample();
    const auto& source = *raw.plan().weights()->Get(0)->sources()->Get(0);
    raw.Misalign(source, schema::Source::VT_SHAPE, *source.shape(), 8);
    ExpectMisaligned(raw, "shape of a source");
  }
  {
    RawPlan raw = Sample();
    const auto& port = *raw.plan().entry_points()->Get(1)->outputs()->Get(0);
    raw.Misalign(port, schema::Port::VT_SHAPE, *port.shape(), 8);
    ExpectMisaligned(raw, "shape of a port");
  }
  {
    RawPlan raw = Sample();
    const auto& dispatch =
        *raw.plan().entry_points()->Get(0)->forms()->Get(0)->dispatches()->Get(
            2);
    raw.Misalign(dispatch, schema::Dispatch::VT_GRID, *dispatch.grid(),
                 sizeof(schema::GridDim));
    ExpectMisaligned(raw, "grid of a dispatch");
  }
}

// A text that many programs share would be read as often.
TEST(HostilePlanTest, ProgramsDoNotShareTheirText) {
  PlanBuilder builder = SamplePlan();
  builder.plan().programs[0]->source = std::string(1 << 20, 'x');
  RawPlan raw(builder);
  ASSERT_TRUE(raw.Verify().ok()) << raw.Verify();
  const auto& programs = *raw.plan().programs();
  raw.Refer(*programs.Get(1), schema::Program::VT_SOURCE,
            programs.Get(0)->source());
  const absl::Status status = raw.Verify();
  EXPECT_TRUE(
      absl::StrContains(status.message(), "more text than it has bytes"))
      << status;
}

}  // namespace
}  // namespace millrace::plan
