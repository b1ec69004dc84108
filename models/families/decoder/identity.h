// SPDX-License-Identifier: Apache-2.0
//
// What a config says of the computation, as text: two configs with the same
// text describe the same model, whatever else differs between their files.
#ifndef MILLRACE_MODELS_FAMILIES_DECODER_IDENTITY_H_
#define MILLRACE_MODELS_FAMILIES_DECODER_IDENTITY_H_

#include <string>

#include "absl/strings/string_view.h"
#include "models/families/decoder/decoder_config.h"

namespace millrace::families {

// "key=value" pairs, separated by spaces, the keys in a fixed order. Numbers
// are written so that different ones differ. Token ids, the name and the number
// of positions are not part of it: they do not change what is computed.
std::string DecoderIdentity(absl::string_view architecture,
                            const DecoderConfig& config);

// The first pair in which two such texts differ: "rope_theta: wanted 10000,
// found 500000". Empty where they are equal.
std::string IdentityDifference(absl::string_view wanted,
                               absl::string_view found);

}  // namespace millrace::families

#endif  // MILLRACE_MODELS_FAMILIES_DECODER_IDENTITY_H_
