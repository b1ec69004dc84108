// SPDX-License-Identifier: Apache-2.0
//
// The weights of a decoder as data: what Millrace calls each of them, what the
// checkpoint calls it, its shape, what is done to its rows on the way, and in
// which models it exists. Nothing else spells a tensor's name.
#ifndef MILLRACE_MODELS_FAMILIES_DECODER_DECODER_WEIGHTS_H_
#define MILLRACE_MODELS_FAMILIES_DECODER_DECODER_WEIGHTS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/types/span.h"
#include "models/families/decoder/decoder_config.h"

namespace millrace::families {

// An extent of a weight, in words of the config.
enum class Extent {
  kNone,        // the axis does not exist: the weight has rank 1
  kHidden,      // hidden size
  kQuery,       // query heads * head_dim
  kKeyValue,    // key-value heads * head_dim
  kHeadDim,     // head_dim
  kInner,       // intermediate size of the MLP
  kVocabulary,  // vocabulary size
};

// The models that have a tensor.
enum class Presence {
  kAlways,
  kQueryKeyValueBias,
  kOutputBias,
  kMlpBias,
  kQueryKeyNorm,
  kOwnHead,  // the embedding is not tied
};

// What a tensor is multiplied with or added to; a norm's weight gets the
// config's norm_weight_offset.
enum class Role { kMatrix, kNorm, kBias };

struct TensorName {
  std::string_view symbol;  // below "layers.<i>." for the weights of a layer
  std::string_view source;  // below "model.layers.<i>." likewise
  Role role;
  Extent rows;     // O, or C of a vector
  Extent columns;  // I
  Presence presence = Presence::kAlways;
};

// The tensors of a family: those before the layers, of each layer, and after.
struct TensorTable {
  absl::Span<const TensorName> before;
  absl::Span<const TensorName> layer_norms;  // those of the two blocks
  absl::Span<const TensorName> layer;
  absl::Span<const TensorName> after;
};

// The names that Hugging Face gives Llama's tensors; most families keep them.
const TensorTable& LlamaTensors();
// The same with four norms for each layer, as Gemma 2 and 3 have them.
const TensorTable& GemmaTensors();

struct DecoderWeight {
  std::string symbol;          // "layers.0.attn.q"
  std::string source;          // "model.layers.0.self_attn.q_proj.weight"
  std::vector<int64_t> shape;  // [O, I], or [C]
  double offset = 0.0;         // added to each element of the source
};

// "layers.<layer>.<name>".
std::string LayerSymbol(int64_t layer, std::string_view name);

// Every weight of the model, each once, in the table's order. `config` is
// valid.
std::vector<DecoderWeight> DecoderWeights(const DecoderConfig& config,
                                          const TensorTable& table);

// The weight whose rows are the head's: the embedding where it is tied.
std::string_view HeadSymbol(const DecoderConfig& config);

}  // namespace millrace::families

#endif  // MILLRACE_MODELS_FAMILIES_DECODER_DECODER_WEIGHTS_H_
