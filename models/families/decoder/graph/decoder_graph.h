// SPDX-License-Identifier: Apache-2.0
//
// A decoder-only transformer as a module of the graph dialect, in f32, from its
// config alone. The entry points share weights, the caches `k.<layer>` and
// `v.<layer>`, and `hidden`, the rows of the last chunk before the final norm.
//
//   prefill(tokens: N)  a chunk of up to N tokens  -> logits, token
//   decode(tokens: 1)   one token                  -> logits, token
//   head()              row `row` of `hidden`      -> logits, token
//
// logits are f32 [1, 1, 1, V], of row `row`; token is their argmax, i32 [1].
// Op locations are labels such as "layers.0.attn.q".
#ifndef MILLRACE_MODELS_FAMILIES_DECODER_GRAPH_DECODER_GRAPH_H_
#define MILLRACE_MODELS_FAMILIES_DECODER_GRAPH_DECODER_GRAPH_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "models/families/decoder/decoder_config.h"
#include "models/families/decoder/decoder_weights.h"

namespace millrace::families {

struct DecoderOptions {
  // Tokens that fit: prompt and answer. At most max_position_embeddings; the
  // caches are rounded up to a multiple of 4.
  int64_t context = 1280;
  int64_t prefill_chunk = 128;  // N, at most the context
};

// InvalidArgument where an option is out of its range, Unimplemented for what
// the graph's ops cannot express, both in words of the config. `config` is as a
// family's reader promises, `weights` are its weights, `name` becomes the
// module's. Loads the dialects it needs into `context`.
absl::StatusOr<mlir::OwningOpRef<mlir::ModuleOp>> BuildDecoder(
    mlir::MLIRContext& context, const std::string& name,
    const DecoderConfig& config, const std::vector<DecoderWeight>& weights,
    const DecoderOptions& options);

}  // namespace millrace::families

#endif  // MILLRACE_MODELS_FAMILIES_DECODER_GRAPH_DECODER_GRAPH_H_
