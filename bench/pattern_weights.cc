// SPDX-License-Identifier: Apache-2.0
#include "bench/pattern_weights.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "base/status_macros.h"
#include "models/checkpoints/convert.h"
#include "models/checkpoints/random_weights.h"
#include "runtime/weights/source.h"

namespace millrace::bench {
namespace {

using plan::schema::ScalarType;
using plan::schema::Weight;

constexpr int64_t kPatternElements = int64_t{1} << 20;

// Values as a checkpoint's weight of that shape would have them.
std::vector<float> PatternOf(const Weight& weight, uint64_t seed) {
  const std::vector<int64_t> shape(weight.layout()->shape()->begin(),
                                   weight.layout()->shape()->end());
  const int64_t element = weight.scalar() == ScalarType::F16 ? 2 : 4;
  std::vector<float> values(std::min(
      kPatternElements, std::max<int64_t>(1, weight.bytes() / element)));
  checkpoints::RandomTensor(seed, weight.name()->str(), shape)
      .Fill(0, absl::MakeSpan(values));
  return values;
}

std::vector<uint8_t> Encode(const std::vector<float>& values,
                            ScalarType scalar) {
  const size_t element = scalar == ScalarType::F16 ? 2 : 4;
  std::vector<uint8_t> bytes(values.size() * element);
  for (size_t i = 0; i < values.size(); ++i) {
    if (scalar == ScalarType::F16) {
      const uint16_t half = checkpoints::FloatToHalf(values[i]);
      std::memcpy(&bytes[i * element], &half, element);
    } else {
      std::memcpy(&bytes[i * element], &values[i], element);
    }
  }
  return bytes;
}

class Pattern : public weights::WeightProvider {
 public:
  Pattern(const plan::schema::Plan& plan, uint64_t seed)
      : plan_(&plan),
        seed_(seed),
        constants_(weights::PackOnTheFly(plan, weights::RandomSource(seed))) {}

  absl::StatusOr<absl::Span<const uint8_t>> Load(uint32_t index) override {
    if (index >= plan_->weights()->size()) {
      return absl::InvalidArgumentError(absl::StrCat("no weight ", index));
    }
    const Weight& weight = *plan_->weights()->Get(index);
    if (weight.sources()->size() == 0) {
      return constants_->Load(index);
    }
    const std::vector<uint8_t> pattern =
        Encode(PatternOf(weight, seed_), weight.scalar());
    bytes_.resize(static_cast<size_t>(weight.bytes()));
    for (size_t at = 0; at < bytes_.size(); at += pattern.size()) {
      std::memcpy(&bytes_[at], pattern.data(),
                  std::min(pattern.size(), bytes_.size() - at));
    }
    return bytes_;
  }

 private:
  const plan::schema::Plan* plan_;
  uint64_t seed_;
  std::unique_ptr<weights::WeightProvider> constants_;
  std::vector<uint8_t> bytes_;
};

}  // namespace

std::unique_ptr<weights::WeightProvider> PatternWeights(
    const plan::schema::Plan& plan, uint64_t seed) {
  return std::make_unique<Pattern>(plan, seed);
}

absl::StatusOr<std::unique_ptr<weights::WeightProvider>> OpenBenchWeights(
    const plan::schema::Plan& plan, const std::string& specification) {
  absl::string_view seed_text = specification;
  if (!absl::ConsumePrefix(&seed_text, "pattern:")) {
    return weights::OpenWeights(plan, specification);
  }
  uint64_t seed = 0;
  if (!absl::SimpleAtoi(seed_text, &seed)) {
    return absl::InvalidArgumentError(
        absl::StrCat("--weights: wanted pattern:SEED with a number, found '",
                     specification, "'"));
  }
  return PatternWeights(plan, seed);
}

}  // namespace millrace::bench
