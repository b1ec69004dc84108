// SPDX-License-Identifier: Apache-2.0
//
// A Llama as a module of the graph dialect, in f32, from its config alone. The
// entry points share weights, the caches `k.<layer>` and `v.<layer>`, and
// `hidden`, the rows of the last chunk before the final norm.
//
//   prefill(tokens: N)  a chunk of up to N tokens  -> logits, token
//   decode(tokens: 1)   one token                  -> logits, token
//   head()              row `row` of `hidden`      -> logits, token
//
// logits are f32 [1, 1, 1, V], of row `row`; token is their argmax, i32 [1].
// Op locations are labels such as "layers.0.attn.q".
#ifndef MILLRACE_MODELS_GRAPHS_LLAMA_H_
#define MILLRACE_MODELS_GRAPHS_LLAMA_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "models/checkpoints/llama_config.h"

namespace millrace::graphs {

struct LlamaOptions {
  // Tokens that fit: prompt and answer. At most max_position_embeddings; the
  // caches are rounded up to a multiple of 4.
  int64_t context = 1280;
  int64_t prefill_chunk = 128;  // N, at most the context
};

// InvalidArgument where an option is out of its range. `config` is as the
// reader of configs promises. Loads the dialects it needs into `context`.
absl::StatusOr<mlir::OwningOpRef<mlir::ModuleOp>> BuildLlama(
    mlir::MLIRContext& context, const checkpoints::LlamaConfig& config,
    const LlamaOptions& options);

}  // namespace millrace::graphs

#endif  // MILLRACE_MODELS_GRAPHS_LLAMA_H_
