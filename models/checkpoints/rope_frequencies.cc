// SPDX-License-Identifier: Apache-2.0
//
// RopeInverseFrequencies: each line is one f32 tensor operation of Hugging Face
// transformers' rotary initialisation, so that long contexts, where a phase is
// position * frequency, turn by the same angle.
#include <cmath>

#include "models/checkpoints/llama_config.h"

namespace millrace::checkpoints {
namespace {

float ScaleLlama3(float frequency, const Llama3RopeScaling& scaling) {
  // The quotients of settings are Python numbers there, so f64 until they meet
  // a tensor; and PyTorch evaluates number / tensor as (1 / tensor) * number.
  const double original =
      static_cast<double>(scaling.original_max_position_embeddings);
  const float low_wavelength =
      static_cast<float>(original / scaling.low_freq_factor);
  const float high_wavelength =
      static_cast<float>(original / scaling.high_freq_factor);
  const float factor = static_cast<float>(scaling.factor);
  const float wavelength =
      (1.0f / frequency) * static_cast<float>(2.0 * 3.14159265358979323846);
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

}  // namespace

std::vector<float> RopeInverseFrequencies(const LlamaConfig& config) {
  std::vector<float> frequencies(static_cast<size_t>(config.head_dim / 2));
  for (size_t i = 0; i < frequencies.size(); ++i) {
    const float exponent =
        static_cast<float>(2 * i) / static_cast<float>(config.head_dim);
    frequencies[i] =
        1.0f / std::pow(static_cast<float>(config.rope_theta), exponent);
    if (config.rope_scaling) {
      frequencies[i] = ScaleLlama3(frequencies[i], *config.rope_scaling);
    }
  }
  return frequencies;
}

}  // namespace millrace::checkpoints
