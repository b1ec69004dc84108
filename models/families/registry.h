// SPDX-License-Identifier: Apache-2.0
//
// The families that Millrace knows, and the one way from a checkpoint's config
// to a model. The compiler builds the graph of what this returns; the packer
// compares it with what a plan was compiled for.
#ifndef MILLRACE_MODELS_FAMILIES_REGISTRY_H_
#define MILLRACE_MODELS_FAMILIES_REGISTRY_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "models/families/decoder/decoder_config.h"
#include "models/families/decoder/decoder_weights.h"
#include "models/families/family.h"

namespace millrace::families {

// In the order of their architectures.
absl::Span<const DecoderFamily* const> Families();

struct DecoderModel {
  const DecoderFamily* family = nullptr;
  DecoderConfig config;
  std::string identity;  // decoder/identity.h
  // One line each: what of the config is ignored, and may matter.
  std::vector<std::string> notes;

  std::vector<DecoderWeight> Weights() const {
    return DecoderWeights(config, family->tensors());
  }
};

// Parses the text of a config.json; errors, one line each, start with `where`.
// Unimplemented for an architecture that no family has, and for a key that
// would change the result and that its family does not support.
absl::StatusOr<DecoderModel> ParseModel(absl::string_view text,
                                        absl::string_view where);

// Reads `directory`/config.json.
absl::StatusOr<DecoderModel> LoadModel(const std::string& directory);

}  // namespace millrace::families

#endif  // MILLRACE_MODELS_FAMILIES_REGISTRY_H_
