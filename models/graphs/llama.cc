// SPDX-License-Identifier: Apache-2.0
//
// In the trailing comments: S tokens, N of a chunk, T of a cache, C hidden
// size, F intermediate size, V vocabulary, hq and hkv query and key-value
// heads, d head_dim.
#include "models/graphs/llama.h"

#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/status_macros.h"
#include "compiler/graph/ir/graph.h"
#include "compiler/graph/ir/label.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/Verifier.h"
#include "models/checkpoints/llama_weights.h"

namespace millrace::graphs {
namespace {

using checkpoints::LlamaConfig;
using checkpoints::LlamaLayerSymbol;
using mlir::RankedTensorType;
using mlir::Value;
using Shape = llvm::ArrayRef<int64_t>;

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

// Builds the entry points, one after another, from the same blocks.
class LlamaBuilder {
 public:
  LlamaBuilder(mlir::ModuleOp module, const LlamaConfig& config,
               const LlamaOptions& options)
      : module_(module),
        symbols_(module),
        builder_(mlir::OpBuilder::atBlockEnd(module.getBody())),
        location_(module.getLoc()),
        config_(config),
        chunk_(options.prefill_chunk),
        context_(options.context),
        cache_((options.context + 3) / 4 * 4) {}

  void Build() {
    DeclareParameters();
    DeclareWeights();
    DeclareStates();
    BuildForward("prefill", chunk_);
    BuildForward("decode", 1);
    BuildHead();
  }

 private:
  // ---- The model ----

  void BuildForward(llvm::StringRef name, int64_t tokens) {
    Value ids = BeginEntry(name, {Type({tokens}, builder_.getI32Type())});
    inv_freq_ = InverseFrequencies();  // [d/2]
    Value x = Embedding(ids);          // [1,1,S,C]
    for (int64_t layer = 0; layer < config_.num_hidden_layers; ++layer) {
      x = AttentionBlock(layer, x);  // [1,1,S,C]
      x = MlpBlock(layer, x);        // [1,1,S,C]
    }
    EndEntry(Head(StoreHidden(x)));
  }

  void BuildHead() {
    BeginEntry("head", {});
    EndEntry(Head(State("hidden")));
  }

  Value Embedding(Value ids) {
    At("embedding");
    Value table = Weight(checkpoints::kLlamaEmbeddingWeight.symbol);  // [V,C]
    return Create<graph::EmbeddingOp>(
        Activation(TypeOf(ids).getDimSize(0), config_.hidden_size), ids, table);
  }

  Value AttentionBlock(int64_t layer, Value x) {
    Value h = RmsNorm(layer, "attn.norm", x);      // [1,1,S,C]
    Value q = Linear(layer, "attn.q", h);          // [1,1,S,hq*d]
    Value k = Linear(layer, "attn.k", h);          // [1,1,S,hkv*d]
    Value v = Linear(layer, "attn.v", h);          // [1,1,S,hkv*d]
    q = Rope(layer, "attn.rope_q", q);             // [1,1,S,hq*d]
    k = Rope(layer, "attn.rope_k", k);             // [1,1,S,hkv*d]
    Value context = Attention(layer, q, k, v);     // [1,1,S,hq*d]
    Value y = Linear(layer, "attn.out", context);  // [1,1,S,C]
    return Add(layer, "attn.residual", x, y);      // [1,1,S,C]
  }

  Value MlpBlock(int64_t layer, Value x) {
    Value h = RmsNorm(layer, "mlp.norm", x);    // [1,1,S,C]
    Value gate = Linear(layer, "mlp.gate", h);  // [1,1,S,F]
    Value up = Linear(layer, "mlp.up", h);      // [1,1,S,F]
    Value inner = Mul(layer, "mlp.mul", Silu(layer, "mlp.silu", gate), up);
    Value y = Linear(layer, "mlp.down", inner);  // [1,1,S,C]
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
    Value row = Create<graph::SelectRowOp>(Activation(1, config_.hidden_size),
                                           hidden, Param("row"));
    Value h = RmsNorm("head.norm", checkpoints::kLlamaFinalNormWeight.symbol,
                      row);  // [1,1,1,C]
    Value logits = Linear("head.logits", checkpoints::LlamaHeadSymbol(config_),
                          h);  // [1,1,1,V]
    At("head.token");
    Value token = Create<graph::ArgmaxOp>(Type({1}, builder_.getI32Type()),
                                          logits);  // [1]
    return {logits, token};
  }

  // ---- The ops of a layer, named as their weights are ----

  Value RmsNorm(int64_t layer, std::string_view name, Value x) {
    const std::string symbol = LlamaLayerSymbol(layer, name);
    return RmsNorm(symbol, symbol, x);
  }

  Value Linear(int64_t layer, std::string_view name, Value x) {
    const std::string symbol = LlamaLayerSymbol(layer, name);
    return Linear(symbol, symbol, x);
  }

  Value Rope(int64_t layer, std::string_view name, Value x) {
    At(LlamaLayerSymbol(layer, name));
    return Create<graph::RopeOp>(x.getType(), x, inv_freq_, Param(kPosition),
                                 config_.head_dim);
  }

  // Attends to the caches of the layer and to the chunk, and appends the chunk
  // to the caches.
  Value Attention(int64_t layer, Value q, Value k, Value v) {
    const std::string label = LlamaLayerSymbol(layer, "attn");
    At(label);
    const float scale = static_cast<float>(
        1.0 / std::sqrt(static_cast<double>(config_.head_dim)));
    Value k_cache = State(absl::StrCat("k.", layer));  // [hkv,T,d]
    Value v_cache = State(absl::StrCat("v.", layer));  // [hkv,d,T]
    Value position = Param(kPosition);
    Value active = Param(kActive);
    Value y = Create<graph::AttendOp>(
        q.getType(), q, k, v, k_cache, v_cache, position, active,
        config_.num_attention_heads, config_.num_key_value_heads,
        llvm::APFloat(scale), /*causal=*/true, /*window=*/0,
        /*soft_cap=*/llvm::APFloat(0.0f));
    At(label + ".append_k");
    Create<graph::AppendCacheOp>(k_cache.getType(), k_cache, k, position,
                                 active, /*token_axis=*/1);
    At(label + ".append_v");
    Create<graph::AppendCacheOp>(v_cache.getType(), v_cache, v, position,
                                 active, /*token_axis=*/2);
    return y;
  }

  Value Silu(int64_t layer, std::string_view name, Value x) {
    At(LlamaLayerSymbol(layer, name));
    return Create<graph::SiluOp>(x.getType(), x);
  }

  Value Mul(int64_t layer, std::string_view name, Value a, Value b) {
    At(LlamaLayerSymbol(layer, name));
    return Create<graph::MulOp>(a.getType(), a, b);
  }

  Value Add(int64_t layer, std::string_view name, Value a, Value b) {
    At(LlamaLayerSymbol(layer, name));
    return Create<graph::AddOp>(a.getType(), a, b);
  }

  // ---- Ops with a weight ----

  Value RmsNorm(llvm::StringRef label, std::string_view symbol, Value x) {
    At(label);
    return Create<graph::RmsNormOp>(
        x.getType(), x, Weight(symbol),
        llvm::APFloat(static_cast<float>(config_.rms_norm_eps)));
  }

  Value Linear(llvm::StringRef label, std::string_view symbol, Value x) {
    At(label);
    Value weight = Weight(symbol);  // [O,I]
    const int64_t outputs = TypeOf(weight).getDimSize(0);
    return Create<graph::LinearOp>(Activation(TypeOf(x).getDimSize(2), outputs),
                                   x, weight);
  }

  Value InverseFrequencies() {
    At("rope.inv_freq");
    const std::vector<float> table =
        checkpoints::RopeInverseFrequencies(config_);
    const auto type =
        Type({static_cast<int64_t>(table.size())}, builder_.getF32Type());
    return Create<graph::ConstantOp>(
        mlir::DenseElementsAttr::get(type, llvm::ArrayRef<float>(table)));
  }

  // ---- Symbols ----

  // Of the chunk: where its first token is in the sequence, how many tokens it
  // has, where it ends, and the row whose logits are wanted.
  void DeclareParameters() {
    DeclareParameter(kPosition, 0, context_ - 1);
    DeclareParameter(kActive, 1, chunk_);
    DeclareParameter("end", 1, context_, {kPosition, kActive});
    DeclareParameter("row", 0, chunk_ - 1);
  }

  void DeclareParameter(llvm::StringRef symbol, int64_t min, int64_t max,
                        std::vector<llvm::StringRef> sum_of = {}) {
    At(symbol);
    std::vector<mlir::Attribute> terms;
    for (llvm::StringRef term : sum_of) {
      terms.push_back(
          mlir::FlatSymbolRefAttr::get(builder_.getContext(), term));
    }
    Declare<graph::ParameterOp>(
        symbol, static_cast<uint32_t>(min), static_cast<uint32_t>(max),
        terms.empty() ? mlir::ArrayAttr() : builder_.getArrayAttr(terms));
  }

  void DeclareWeights() {
    for (const checkpoints::LlamaWeight& weight :
         checkpoints::LlamaWeights(config_)) {
      At(weight.symbol);
      Declare<graph::WeightOp>(weight.symbol,
                               builder_.getStrArrayAttr({weight.source}),
                               FloatType(weight.shape),
                               /*source_rows=*/mlir::DenseI64ArrayAttr());
    }
  }

  void DeclareStates() {
    const int64_t heads = config_.num_key_value_heads;
    const int64_t head_dim = config_.head_dim;
    for (int64_t layer = 0; layer < config_.num_hidden_layers; ++layer) {
      DeclareState(absl::StrCat("k.", layer), {heads, cache_, head_dim});
      DeclareState(absl::StrCat("v.", layer), {heads, head_dim, cache_});
    }
    DeclareState("hidden", {1, 1, chunk_, config_.hidden_size});
  }

  void DeclareState(llvm::StringRef symbol, Shape shape) {
    At(symbol);
    Declare<graph::StateOp>(symbol, FloatType(shape));
  }

  template <typename Op, typename... Args>
  void Declare(Args... args) {
    symbols_.insert(Op::create(builder_, location_, args...));
  }

  Value Weight(std::string_view symbol) {
    return Get<graph::WeightOp, graph::GetWeightOp>(symbol);
  }

  Value State(std::string_view symbol) {
    return Get<graph::StateOp, graph::GetStateOp>(symbol);
  }

  template <typename Symbol, typename GetOp>
  Value Get(std::string_view symbol) {
    auto op = symbols_.lookup<Symbol>(llvm::StringRef(symbol));
    return Create<GetOp>(op.getType(), op.getSymName());
  }

  Value Param(llvm::StringRef name) {
    return Create<graph::ParamOp>(builder_.getI32Type(), name);
  }

  // ---- Entry points ----

  // Opens a function; returns its argument, where it has one.
  Value BeginEntry(llvm::StringRef name, llvm::ArrayRef<mlir::Type> arguments) {
    At(name);
    builder_.setInsertionPointToEnd(module_.getBody());
    const auto type = builder_.getFunctionType(
        arguments,
        {Activation(1, config_.vocab_size), Type({1}, builder_.getI32Type())});
    auto entry = mlir::func::FuncOp::create(builder_, location_, name, type);
    // What the plan calls the tensors that the host writes and reads.
    if (!arguments.empty()) {
      entry.setArgAttr(0, "millrace.name", builder_.getStringAttr("tokens"));
      entry.setArgAttr(
          0, graph::kBoundedBy,
          mlir::FlatSymbolRefAttr::get(builder_.getContext(), kActive));
    }
    entry.setResultAttr(0, "millrace.name", builder_.getStringAttr("logits"));
    entry.setResultAttr(1, "millrace.name", builder_.getStringAttr("token"));
    builder_.setInsertionPointToStart(entry.addEntryBlock());
    return arguments.empty() ? Value() : Value(entry.getArgument(0));
  }

  void EndEntry(llvm::ArrayRef<Value> results) {
    mlir::func::ReturnOp::create(builder_, location_, results);
  }

  // ---- Small change ----

  // Labels the ops that follow.
  void At(llvm::StringRef label) {
    location_ = graph::NamedLocation(builder_.getContext(), label);
  }

  template <typename Op, typename... Args>
  Value Create(Args&&... args) {
    return Op::create(builder_, location_, std::forward<Args>(args)...);
  }

  static RankedTensorType TypeOf(Value value) {
    return mlir::cast<RankedTensorType>(value.getType());
  }

  static RankedTensorType Type(Shape shape, mlir::Type element) {
    return RankedTensorType::get(shape, element);
  }

  RankedTensorType FloatType(Shape shape) {
    return Type(shape, builder_.getF32Type());
  }

  // [1,1,tokens,channels].
  RankedTensorType Activation(int64_t tokens, int64_t channels) {
    return FloatType({1, 1, tokens, channels});
  }

  mlir::ModuleOp module_;
  mlir::SymbolTable symbols_;
  mlir::OpBuilder builder_;
  mlir::Location location_;
  const LlamaConfig& config_;
  int64_t chunk_;    // N
  int64_t context_;  // positions in use of T
  int64_t cache_;    // T
  Value inv_freq_;   // of the entry point being built
};

}  // namespace

absl::StatusOr<mlir::OwningOpRef<mlir::ModuleOp>> BuildLlama(
    mlir::MLIRContext& context, const LlamaConfig& config,
    const LlamaOptions& options) {
  MR_RETURN_IF_ERROR(CheckRange("context", options.context,
                                config.max_position_embeddings,
                                "max_position_embeddings"));
  MR_RETURN_IF_ERROR(CheckRange("prefill chunk", options.prefill_chunk,
                                options.context, "the context"));
  context.loadDialect<graph::GraphDialect, mlir::func::FuncDialect>();
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::ModuleOp::create(graph::NamedLocation(&context, "llama"), "llama");
  LlamaBuilder(*module, config, options).Build();
  if (mlir::failed(mlir::verify(*module))) {
    return absl::InternalError("the Llama graph does not verify");
  }
  return module;
}

}  // namespace millrace::graphs
