// SPDX-License-Identifier: Apache-2.0
//
// Each line is one f32 tensor operation of Hugging Face transformers' rotary
// initialisation, so that long contexts, where a phase is position * frequency,
// turn by the same angle.
#include "models/families/decoder/rope.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace millrace::families {
namespace {

constexpr double kTwoPi = 2.0 * 3.14159265358979323846;

std::vector<float> Plain(double theta, int64_t head_dim) {
  std::vector<float> frequencies(static_cast<size_t>(head_dim / 2));
  for (size_t i = 0; i < frequencies.size(); ++i) {
    const float exponent =
        static_cast<float>(2 * i) / static_cast<float>(head_dim);
    frequencies[i] = 1.0f / std::pow(static_cast<float>(theta), exponent);
  }
  return frequencies;
}

float Llama3Frequency(float frequency, const Llama3Rope& scaling) {
  // The quotients of settings are Python numbers there, so f64 until they meet
  // a tensor; and PyTorch evaluates number / tensor as (1 / tensor) * number.
  const double original =
      static_cast<double>(scaling.original_max_position_embeddings);
  const float low_wavelength =
      static_cast<float>(original / scaling.low_freq_factor);
  const float high_wavelength =
      static_cast<float>(original / scaling.high_freq_factor);
  const float factor = static_cast<float>(scaling.factor);
  const float wavelength = (1.0f / frequency) * static_cast<float>(kTwoPi);
  if (wavelength < high_wavelength) {
    return frequency;
  }
  if (wavelength > low_wavelength) {
    return frequency / factor;
  }
  const float blend =
      ((1.0f / wavelength) * static_cast<float>(original) -
       static_cast<float>(scaling.low_freq_factor)) /
      static_cast<float>(scaling.high_freq_factor - scaling.low_freq_factor);
  return (1.0f - blend) * frequency / factor + blend * frequency;
}

// The index of the frequency that turns `rotations` times over the original
// context.
double YarnIndex(double rotations, const RopeConfig& rope,
                 const YarnRope& scaling, int64_t head_dim) {
  const double positions =
      static_cast<double>(scaling.original_max_position_embeddings);
  return static_cast<double>(head_dim) *
         std::log(positions / (rotations * kTwoPi)) /
         (2.0 * std::log(rope.theta));
}

void ScaleYarn(const RopeConfig& rope, const YarnRope& scaling,
               int64_t head_dim, std::vector<float>& frequencies) {
  double low = YarnIndex(scaling.beta_fast, rope, scaling, head_dim);
  double high = YarnIndex(scaling.beta_slow, rope, scaling, head_dim);
  if (scaling.truncate) {
    low = std::floor(low);
    high = std::ceil(high);
  }
  low = std::max(low, 0.0);
  high = std::min(high, static_cast<double>(head_dim - 1));
  if (low == high) {
    high += 0.001;
  }
  const float factor = static_cast<float>(scaling.factor);
  for (size_t i = 0; i < frequencies.size(); ++i) {
    const float ramp =
        std::clamp((static_cast<float>(i) - static_cast<float>(low)) /
                       static_cast<float>(high - low),
                   0.0f, 1.0f);
    const float kept = 1.0f - ramp;
    frequencies[i] =
        frequencies[i] / factor * (1.0f - kept) + frequencies[i] * kept;
  }
}

}  // namespace

std::vector<float> RopeInverseFrequencies(const RopeConfig& rope,
                                          int64_t head_dim) {
  std::vector<float> frequencies = Plain(rope.theta, head_dim);
  if (const auto* linear = std::get_if<LinearRope>(&rope.scaling)) {
    for (float& frequency : frequencies) {
      frequency /= static_cast<float>(linear->factor);
    }
  } else if (const auto* llama3 = std::get_if<Llama3Rope>(&rope.scaling)) {
    for (float& frequency : frequencies) {
      frequency = Llama3Frequency(frequency, *llama3);
    }
  } else if (const auto* yarn = std::get_if<YarnRope>(&rope.scaling)) {
    ScaleYarn(rope, *yarn, head_dim, frequencies);
  }
  return frequencies;
}

double RopeScoreFactor(const RopeConfig& rope) {
  const auto* yarn = std::get_if<YarnRope>(&rope.scaling);
  return yarn == nullptr ? 1.0
                         : yarn->attention_factor * yarn->attention_factor;
}

}  // namespace millrace::families
