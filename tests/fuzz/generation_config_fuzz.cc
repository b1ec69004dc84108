// SPDX-License-Identifier: Apache-2.0
//
// generation_config.json, and the sampler that it asks for.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "models/text/generation_config.h"
#include "models/text/logit_rules.h"
#include "models/text/sampler.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const absl::string_view text(reinterpret_cast<const char*>(data), size);
  const auto config =
      millrace::text::ParseGenerationConfig(text, "generation_config.json");
  if (!config.ok()) {
    return 0;
  }
  auto sampler = millrace::text::Sampler::Create(config->sampling);
  std::vector<float> logits = {1.0f, -2.0f, 0.5f, 3.0f};
  if (sampler.ok() && millrace::text::CheckLogitRules(config->rules).ok()) {
    millrace::text::ApplyLogitRules(config->rules, {0, 3, 0, 3}, 2,
                                    absl::MakeSpan(logits));
    (void)sampler->Sample(logits);
  }
  return 0;
}
