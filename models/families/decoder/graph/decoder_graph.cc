// SPDX-License-Identifier: Apache-2.0
//
// In the trailing comments: S tokens, N of a chunk, T of a cache, C hidden
// size, F intermediate size, V vocabulary, hq and hkv query and key-value
// heads, d head_dim.
#include "models/families/decoder/graph/decoder_graph.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/status_macros.h"
#include "compiler/graph/ir/graph.h"
#include "compiler/graph/ir/label.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"
#include "models/families/decoder/graph/module_builder.h"
#include "models/families/decoder/rope.h"

namespace millrace::families {
namespace {

using mlir::Value;

constexpr char kPosition[] = "position";
constexpr char kActive[] = "active";

absl::Status CheckRange(absl::string_view name, int64_t value, int64_t most,
                        absl::string_view what_most_is) {
  if (value >= 1 && value <= most) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrFormat(
      "%s: wanted 1 to %d (%s), found %d", name, most, what_most_is, value));
}

// What the ops of the graph, and the kernels behind them, have no words for.
absl::Status CheckSupported(const DecoderConfig& config) {
  // Kernels read four channels at a time, and none may be of another head.
  if (config.head_dim % 4 != 0) {
    return absl::UnimplementedError(absl::StrCat(
        "head_dim: wanted a multiple of 4, found ", config.head_dim));
  }
  return absl::OkStatus();
}

// Builds the entry points, one after another, from the same blocks.
class DecoderBuilder : private ModuleBuilder {
 public:
  DecoderBuilder(mlir::ModuleOp module, const DecoderConfig& config,
                 const DecoderOptions& options)
      : ModuleBuilder(module),
        config_(config),
        chunk_(options.prefill_chunk),
        context_(options.context),
        cache_((options.context + 3) / 4 * 4) {}

  void Build(const std::vector<DecoderWeight>& weights) {
    DeclareParameters();
    for (const DecoderWeight& weight : weights) {
      DeclareWeight(weight.symbol, weight.source, weight.shape, weight.offset);
    }
    DeclareStates();
    BuildForward("prefill", chunk_);
    BuildForward("decode", 1);
    BuildHead();
  }

 private:
  // ---- The model ----

  void BuildForward(llvm::StringRef name, int64_t tokens) {
    Value ids = BeginEntry(name, {{"tokens", IntegerType({tokens}), kActive}},
                           HeadPorts())[0];
    rope_tables_.clear();
    Value x = Embedding(ids);  // [1,1,S,C]
    for (size_t layer = 0; layer < config_.layers.size(); ++layer) {
      x = AttentionBlock(layer, x);  // [1,1,S,C]
      x = MlpBlock(layer, x);        // [1,1,S,C]
    }
    EndEntry(Head(StoreHidden(x)));
  }

  void BuildHead() {
    BeginEntry("head", {}, HeadPorts());
    EndEntry(Head(State("hidden")));
  }

  std::vector<Port> HeadPorts() {
    return {{"logits", RowsType(1, config_.vocab_size)},
            {"token", IntegerType({1})}};
  }

  Value Embedding(Value ids) {
    At("embedding");
    Value table = Weight("embedding");  // [V,C]
    Value x = Create<graph::EmbeddingOp>(
        RowsType(TypeOf(ids).getDimSize(0), config_.hidden_size), ids, table);
    return Scale("embedding.scale", x, config_.embedding_scale);
  }

  Value AttentionBlock(int64_t layer, Value x) {
    Value h = RmsNorm(layer, "attn.norm", x);      // [1,1,S,C]
    Value q = Linear(layer, "attn.q", h);          // [1,1,S,hq*d]
    Value k = Linear(layer, "attn.k", h);          // [1,1,S,hkv*d]
    Value v = Linear(layer, "attn.v", h);          // [1,1,S,hkv*d]
    q = HeadNorm(layer, "attn.q_norm", q);         // [1,1,S,hq*d]
    k = HeadNorm(layer, "attn.k_norm", k);         // [1,1,S,hkv*d]
    q = Rope(layer, "attn.rope_q", q);             // [1,1,S,hq*d]
    k = Rope(layer, "attn.rope_k", k);             // [1,1,S,hkv*d]
    Value context = Attention(layer, q, k, v);     // [1,1,S,hq*d]
    Value y = Linear(layer, "attn.out", context);  // [1,1,S,C]
    y = PostNorm(layer, "attn.post_norm", y);      // [1,1,S,C]
    return Add(layer, "attn.residual", x, y);      // [1,1,S,C]
  }

  Value MlpBlock(int64_t layer, Value x) {
    Value h = RmsNorm(layer, "mlp.norm", x);    // [1,1,S,C]
    Value gate = Linear(layer, "mlp.gate", h);  // [1,1,S,F]
    Value up = Linear(layer, "mlp.up", h);      // [1,1,S,F]
    Value inner = Mul(layer, "mlp.mul", Activate(layer, "mlp.act", gate), up);
    Value y = Linear(layer, "mlp.down", inner);  // [1,1,S,C]
    y = PostNorm(layer, "mlp.post_norm", y);     // [1,1,S,C]
    return Add(layer, "mlp.residual", x, y);     // [1,1,S,C]
  }

  // Before the final norm, so that `head` and the others do the same.
  Value StoreHidden(Value x) {
    At("hidden");
    Value hidden = State("hidden");
    return Create<graph::StoreStateOp>(hidden.getType(), hidden, x);
  }

  // {logits, token} of row `row` of the hidden state.
  std::vector<Value> Head(Value hidden) {  // [1,1,N,C]
    At("head.row");
    Value row = Create<graph::SelectRowOp>(RowsType(1, config_.hidden_size),
                                           hidden, Param("row"));
    Value h = RmsNorm("head.norm", "final_norm", row);             // [1,1,1,C]
    Value logits = Linear("head.logits", HeadSymbol(config_), h);  // [1,1,1,V]
    logits = SoftCap("head.soft_cap", logits, config_.logit_soft_cap);
    At("head.token");
    Value token = Create<graph::ArgmaxOp>(IntegerType({1}), logits);  // [1]
    return {logits, token};
  }

  // ---- The ops of a layer, named as their weights are ----

  Value RmsNorm(int64_t layer, std::string_view name, Value x) {
    const std::string symbol = LayerSymbol(layer, name);
    return RmsNorm(symbol, symbol, x);
  }

  // The norm after a block, in models that have one.
  Value PostNorm(int64_t layer, std::string_view name, Value x) {
    return config_.norm_place == NormPlace::kAround ? RmsNorm(layer, name, x)
                                                    : x;
  }

  // The norm of each head by itself, in models that have one.
  Value HeadNorm(int64_t layer, std::string_view name, Value x) {
    if (!config_.query_key_norm) {
      return x;
    }
    const int64_t tokens = TypeOf(x).getDimSize(2);
    const int64_t heads = TypeOf(x).getDimSize(3) / config_.head_dim;
    At(LayerSymbol(layer, name));
    Value rows = Create<graph::ReshapeOp>(
        RowsType(tokens * heads, config_.head_dim), x);  // [1,1,S*h,d]
    return Create<graph::ReshapeOp>(x.getType(), RmsNorm(layer, name, rows));
  }

  // With the bias `<name>_bias`, where the model has it.
  Value Linear(int64_t layer, std::string_view name, Value x) {
    const std::string symbol = LayerSymbol(layer, name);
    const std::string bias = absl::StrCat(symbol, "_bias");
    Value y = Linear(symbol, symbol, x);
    if (!HasWeight(bias)) {
      return y;
    }
    At(bias);
    return Create<graph::AddBiasOp>(y.getType(), y, Weight(bias));
  }

  Value Rope(int64_t layer, std::string_view name, Value x) {
    Value inv_freq = InverseFrequencies(config_.layers[layer].rope);  // [d/2]
    At(LayerSymbol(layer, name));
    return Create<graph::RopeOp>(x.getType(), x, inv_freq, Param(kPosition),
                                 config_.head_dim);
  }

  // Attends to the caches of the layer and to the chunk, and appends the chunk
  // to the caches.
  Value Attention(int64_t layer, Value q, Value k, Value v) {
    const std::string label = LayerSymbol(layer, "attn");
    At(label);
    const DecoderLayer& settings = config_.layers[layer];
    const double scale =
        config_.attention_scale * RopeScoreFactor(settings.rope);
    Value k_cache = State(absl::StrCat("k.", layer));  // [hkv,T,d]
    Value v_cache = State(absl::StrCat("v.", layer));  // [hkv,d,T]
    Value position = Param(kPosition);
    Value active = Param(kActive);
    Value y = Create<graph::AttendOp>(
        q.getType(), q, k, v, k_cache, v_cache, position, active,
        config_.num_attention_heads, config_.num_key_value_heads,
        llvm::APFloat(static_cast<float>(scale)), /*causal=*/true,
        settings.window,
        llvm::APFloat(static_cast<float>(config_.attention_soft_cap)));
    At(label + ".append_k");
    Create<graph::AppendCacheOp>(k_cache.getType(), k_cache, k, position,
                                 active, /*token_axis=*/1);
    At(label + ".append_v");
    Create<graph::AppendCacheOp>(v_cache.getType(), v_cache, v, position,
                                 active, /*token_axis=*/2);
    return y;
  }

  Value Activate(int64_t layer, std::string_view name, Value x) {
    At(LayerSymbol(layer, name));
    switch (config_.activation) {
      case Activation::kSilu:
        return Create<graph::SiluOp>(x.getType(), x);
      case Activation::kGelu:
        return Create<graph::GeluOp>(x.getType(), x);
      case Activation::kGeluTanh:
        return Create<graph::GeluTanhOp>(x.getType(), x);
    }
    return x;
  }

  Value Mul(int64_t layer, std::string_view name, Value a, Value b) {
    At(LayerSymbol(layer, name));
    return Create<graph::MulOp>(a.getType(), a, b);
  }

  Value Add(int64_t layer, std::string_view name, Value a, Value b) {
    At(LayerSymbol(layer, name));
    return Create<graph::AddOp>(a.getType(), a, b);
  }

  // ---- Ops of no layer ----

  Value RmsNorm(llvm::StringRef label, std::string_view symbol, Value x) {
    At(label);
    return Create<graph::RmsNormOp>(
        x.getType(), x, Weight(symbol),
        llvm::APFloat(static_cast<float>(config_.norm_eps)));
  }

  Value Linear(llvm::StringRef label, std::string_view symbol, Value x) {
    At(label);
    Value weight = Weight(symbol);  // [O,I]
    const int64_t outputs = TypeOf(weight).getDimSize(0);
    return Create<graph::LinearOp>(RowsType(TypeOf(x).getDimSize(2), outputs),
                                   x, weight);
  }

  // One constant for all layers of an entry point that turn alike.
  Value InverseFrequencies(const RopeConfig& rope) {
    const std::vector<float> table =
        RopeInverseFrequencies(rope, config_.head_dim);
    Value& constant = rope_tables_[table];
    if (!constant) {
      At("rope.inv_freq");
      constant = Vector(table);
    }
    return constant;
  }

  Value Scale(llvm::StringRef label, Value x, double factor) {
    if (factor == 1.0) {
      return x;
    }
    At(label);
    return Create<graph::ScaleOp>(x.getType(), x,
                                  llvm::APFloat(static_cast<float>(factor)));
  }

  // cap * tanh(x / cap); 0: x as it is.
  Value SoftCap(llvm::StringRef label, Value x, double cap) {
    if (cap == 0.0) {
      return x;
    }
    x = Scale(label, x, 1.0 / cap);
    At(label);
    return Scale(label, Create<graph::TanhOp>(x.getType(), x), cap);
  }

  // Of the chunk: where its first token is in the sequence, how many tokens it
  // has, where it ends, and the row whose logits are wanted.
  void DeclareParameters() {
    DeclareParameter(kPosition, 0, context_ - 1);
    DeclareParameter(kActive, 1, chunk_);
    DeclareParameter("end", 1, context_, {kPosition, kActive});
    DeclareParameter("row", 0, chunk_ - 1);
  }

  void DeclareStates() {
    const int64_t heads = config_.num_key_value_heads;
    const int64_t head_dim = config_.head_dim;
    for (size_t layer = 0; layer < config_.layers.size(); ++layer) {
      DeclareState(absl::StrCat("k.", layer), {heads, cache_, head_dim});
      DeclareState(absl::StrCat("v.", layer), {heads, head_dim, cache_});
    }
    DeclareState("hidden", {1, 1, chunk_, config_.hidden_size});
  }

  const DecoderConfig& config_;
  int64_t chunk_;    // N
  int64_t context_;  // positions in use of T
  int64_t cache_;    // T
  // Of the entry point being built.
  std::map<std::vector<float>, Value> rope_tables_;
};

}  // namespace

absl::StatusOr<mlir::OwningOpRef<mlir::ModuleOp>> BuildDecoder(
    mlir::MLIRContext& context, const std::string& name,
    const DecoderConfig& config, const std::vector<DecoderWeight>& weights,
    const DecoderOptions& options) {
  MR_RETURN_IF_ERROR(CheckRange("context", options.context,
                                config.max_position_embeddings,
                                "max_position_embeddings"));
  MR_RETURN_IF_ERROR(CheckRange("prefill chunk", options.prefill_chunk,
                                options.context, "the context"));
  MR_RETURN_IF_ERROR(CheckSupported(config));
  context.loadDialect<graph::GraphDialect, mlir::func::FuncDialect>();
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::ModuleOp::create(graph::NamedLocation(&context, name), name);
  DecoderBuilder(*module, config, options).Build(weights);
  if (mlir::failed(mlir::verify(*module))) {
    return absl::InternalError(
        absl::StrCat("the graph of '", name, "' does not verify"));
  }
  return module;
}

}  // namespace millrace::families
