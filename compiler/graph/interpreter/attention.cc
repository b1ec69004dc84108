// SPDX-License-Identifier: Apache-2.0
//
// Rotary embedding, cache updates and attention, token by token and head by
// head as a reader would say them.
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "compiler/graph/interpreter/environment.h"
#include "compiler/graph/ir/graph.h"
#include "llvm/ADT/TypeSwitch.h"

namespace millrace::graph {

namespace {

// One head of one token, in place: pairs (i, i + d/2), d/2 frequencies.
template <typename T>
void Rotate(T* head, const std::vector<T>& inv_freq, int64_t position) {
  const size_t half = inv_freq.size();
  for (size_t i = 0; i < half; ++i) {
    const T angle = static_cast<T>(position) * inv_freq[i];
    const T a = head[i];
    const T b = head[i + half];
    head[i] = a * std::cos(angle) - b * std::sin(angle);
    head[i + half] = b * std::cos(angle) + a * std::sin(angle);
  }
}

template <typename T>
void Evaluate(RopeOp op, Environment<T>& env) {
  const llvm::ArrayRef<int64_t> shape = ShapeOf(op.getInput());
  const int64_t dim = op.getHeadDim();
  const int64_t position = env.GetInteger(op.getPosition());
  const std::vector<T>& inv_freq = env.Get(op.getInvFreq()).values;
  std::vector<T> y = env.Get(op.getInput()).values;
  for (int64_t s = 0; s < shape[2]; ++s) {
    for (int64_t c = 0; c < shape[3]; c += dim) {
      Rotate(y.data() + s * shape[3] + c, inv_freq, position + s);
    }
  }
  env.SetFloats(op.getResult(), std::move(y));
}

// A cache [G, O, I] whose tokens are along `axis`: 1 (K) or 2 (V).
template <typename T>
class Cache {
 public:
  Cache(mlir::Value value, int64_t axis, Environment<T>& env)
      : value_(value),
        env_(env),
        elements_(env.GetMutable(value).values),
        shape_(ShapeOf(value)),
        axis_(axis) {}

  int64_t tokens() const { return shape_[axis_]; }
  T At(int64_t head, int64_t token, int64_t c) const {
    return elements_[Index(head, token, c)];
  }
  // One head of one token; nothing beyond the cache.
  void Write(int64_t head, int64_t token, const T* x) {
    if (token < 0 || token >= tokens()) {
      return;
    }
    for (int64_t c = 0; c < shape_[3 - axis_]; ++c) {
      elements_[Index(head, token, c)] = env_.Stored(value_, x[c]);
    }
  }

 private:
  int64_t Index(int64_t head, int64_t token, int64_t c) const {
    return axis_ == 1 ? (head * shape_[1] + token) * shape_[2] + c
                      : (head * shape_[1] + c) * shape_[2] + token;
  }

  mlir::Value value_;
  const Environment<T>& env_;
  std::vector<T>& elements_;
  llvm::ArrayRef<int64_t> shape_;
  int64_t axis_;
};

template <typename T>
void Evaluate(AppendCacheOp op, Environment<T>& env) {
  const llvm::ArrayRef<int64_t> shape = ShapeOf(op.getInput());
  const int64_t heads = ShapeOf(op.getCache())[0];
  const int64_t dim = shape[3] / heads;
  const int64_t position = env.GetInteger(op.getPosition());
  const int64_t active =
      std::min(shape[2], env.GetInteger(op.getActive(), shape[2]));
  const std::vector<T>& x = env.Get(op.getInput()).values;
  Cache<T> cache(op.getCache(), op.getTokenAxis(), env);
  for (int64_t s = 0; s < active; ++s) {
    for (int64_t h = 0; h < heads; ++h) {
      cache.Write(h, position + s, x.data() + (s * heads + h) * dim);
    }
  }
  env.Alias(op.getResult(), op.getCache());
}

// What attention does, whatever op says so.
template <typename T>
struct AttentionRule {
  int64_t heads;
  int64_t kv_heads;
  int64_t dim;
  T scale;
  bool causal;
  int64_t window;  // 0: none
  T soft_cap;      // 0: none

  bool Sees(int64_t query, int64_t key) const {
    return !causal || (key <= query && (window == 0 || key > query - window));
  }
  T Score(T product) const {
    const T score = scale * product;
    return soft_cap > 0 ? soft_cap * std::tanh(score / soft_cap) : score;
  }
};

template <typename T, typename Op>
AttentionRule<T> RuleOf(Op op, int64_t dim, bool causal) {
  return {static_cast<int64_t>(op.getHeads()),
          static_cast<int64_t>(op.getKvHeads()),
          dim,
          static_cast<T>(op.getScale().convertToFloat()),
          causal,
          static_cast<int64_t>(op.getWindow()),
          static_cast<T>(op.getSoftCap().convertToFloat())};
}

// Keys and values of one batch, token by token: [tokens, kv_heads, d] each; the
// position of a token is its number.
template <typename T>
struct KeysAndValues {
  std::vector<T> keys;
  std::vector<T> values;

  // The first `tokens` of the caches.
  void AddCached(const Cache<T>& k, const Cache<T>& v, int64_t tokens,
                 const AttentionRule<T>& rule) {
    for (int64_t t = 0; t < std::min(tokens, k.tokens()); ++t) {
      for (int64_t h = 0; h < rule.kv_heads; ++h) {
        for (int64_t c = 0; c < rule.dim; ++c) {
          keys.push_back(k.At(h, t, c));
          values.push_back(v.At(h, t, c));
        }
      }
    }
  }
  // One token of the chunk.
  void Add(const T* k, const T* v, const AttentionRule<T>& rule) {
    keys.insert(keys.end(), k, k + rule.kv_heads * rule.dim);
    values.insert(values.end(), v, v + rule.kv_heads * rule.dim);
  }
};

// y of the head `hq` of the token at `position`: d channels each.
template <typename T>
void AttendHead(const AttentionRule<T>& rule, const KeysAndValues<T>& tokens,
                int64_t position, int64_t hq, const T* q, T* y) {
  const int64_t stride = rule.kv_heads * rule.dim;
  const int64_t h = hq / (rule.heads / rule.kv_heads);
  const int64_t count = static_cast<int64_t>(tokens.keys.size()) / stride;
  std::vector<std::pair<int64_t, T>> seen;  // tokens and their scores
  T max = 0;
  for (int64_t t = 0; t < count; ++t) {
    if (!rule.Sees(position, t)) {
      continue;
    }
    T product = 0;
    for (int64_t c = 0; c < rule.dim; ++c) {
      product += q[c] * tokens.keys[t * stride + h * rule.dim + c];
    }
    const T score = rule.Score(product);
    max = seen.empty() ? score : std::max(max, score);
    seen.emplace_back(t, score);
  }
  T sum = 0;
  for (auto& [t, score] : seen) {
    score = std::exp(score - max);
    sum += score;
  }
  for (const auto& [t, weight] : seen) {
    for (int64_t c = 0; c < rule.dim; ++c) {
      y[c] += weight / sum * tokens.values[t * stride + h * rule.dim + c];
    }
  }
}

template <typename T>
void Evaluate(AttendOp op, Environment<T>& env) {
  const llvm::ArrayRef<int64_t> shape = ShapeOf(op.getQ());
  const int64_t channels = shape[3];
  const auto rule = RuleOf<T>(
      op, channels / static_cast<int64_t>(op.getHeads()), op.getCausal());
  const int64_t position = env.GetInteger(op.getPosition());
  const int64_t chunk = op.getK() ? ShapeOf(op.getK())[2] : shape[2];
  const int64_t active = std::min(chunk, env.GetInteger(op.getActive(), chunk));
  const T* q = env.Get(op.getQ()).values.data();
  std::vector<T> y(NumElements(op.getQ()), T(0));
  for (int64_t b = 0; b < shape[0]; ++b) {
    KeysAndValues<T> tokens;
    if (op.getKCache()) {
      tokens.AddCached(Cache<T>(op.getKCache(), 1, env),
                       Cache<T>(op.getVCache(), 2, env),
                       op.getK() ? position : position + active, rule);
    }
    for (int64_t j = 0; op.getK() && j < active; ++j) {
      const int64_t at = (b * chunk + j) * rule.kv_heads * rule.dim;
      tokens.Add(env.Get(op.getK()).values.data() + at,
                 env.Get(op.getV()).values.data() + at, rule);
    }
    for (int64_t row = 0; row < shape[2] * rule.heads; ++row) {
      const int64_t at = b * shape[2] * channels + row * rule.dim;
      AttendHead(rule, tokens, position + row / rule.heads, row % rule.heads,
                 q + at, y.data() + at);
    }
  }
  env.SetFloats(op.getResult(), std::move(y));
}

// The heads of Q and K of all tokens of qkv, rotated.
template <typename T, typename Op>
std::vector<T> RotatedQkv(Op op, int64_t dim, Environment<T>& env) {
  const llvm::ArrayRef<int64_t> shape = ShapeOf(op.getQkv());
  const int64_t turned = op.getHeads() + op.getKvHeads();
  const int64_t position = env.GetInteger(op.getPosition());
  std::vector<T> x = env.Get(op.getQkv()).values;
  for (int64_t s = 0; s < shape[2]; ++s) {
    for (int64_t head = 0; head < turned; ++head) {
      Rotate(x.data() + s * shape[3] + head * dim,
             env.Get(op.getInvFreq()).values, position + s);
    }
  }
  return x;
}

template <typename T>
void Evaluate(AttendQkvOp op, Environment<T>& env) {
  const llvm::ArrayRef<int64_t> shape = ShapeOf(op.getQkv());
  const int64_t heads = op.getHeads();
  const int64_t kv_heads = op.getKvHeads();
  const int64_t dim = shape[3] / (heads + 2 * kv_heads);
  const int64_t position = env.GetInteger(op.getPosition());
  const int64_t active =
      std::min(shape[2], env.GetInteger(op.getActive(), shape[2]));
  const std::vector<T> x = RotatedQkv(op, dim, env);
  const auto rule = RuleOf<T>(op, dim, /*causal=*/true);
  Cache<T> keys(op.getKCache(), 1, env);
  Cache<T> values(op.getVCache(), 2, env);
  KeysAndValues<T> tokens;
  tokens.AddCached(keys, values, position, rule);
  for (int64_t s = 0; s < active; ++s) {
    const T* k = x.data() + s * shape[3] + heads * dim;
    const T* v = k + kv_heads * dim;
    tokens.Add(k, v, rule);
    for (int64_t h = 0; h < kv_heads; ++h) {
      keys.Write(h, position + s, k + h * dim);
      values.Write(h, position + s, v + h * dim);
    }
  }
  std::vector<T> y(shape[2] * heads * dim, T(0));
  for (int64_t row = 0; row < shape[2] * heads; ++row) {
    const int64_t s = row / heads;
    const int64_t hq = row % heads;
    AttendHead(rule, tokens, position + s, hq,
               x.data() + s * shape[3] + hq * dim, y.data() + row * dim);
  }
  env.SetFloats(op.getResult(), std::move(y));
  env.Alias(op.getKCacheOut(), op.getKCache());
  env.Alias(op.getVCacheOut(), op.getVCache());
}

template <typename T>
void Evaluate(RopeQkvOp op, Environment<T>& env) {
  const int64_t heads = op.getHeads();
  const int64_t kv_heads = op.getKvHeads();
  const int64_t group = heads / kv_heads;
  const llvm::ArrayRef<int64_t> shape = ShapeOf(op.getQkv());
  const int64_t tokens = shape[2];
  const int64_t dim = shape[3] / (heads + 2 * kv_heads);
  const int64_t position = env.GetInteger(op.getPosition());
  const int64_t active = env.GetInteger(op.getActive());
  const std::vector<T> x = RotatedQkv(op, dim, env);
  std::vector<T> q(NumElements(op.getQ()));
  Cache<T> keys(op.getKCache(), 1, env);
  Cache<T> values(op.getVCache(), 2, env);
  for (int64_t s = 0; s < tokens; ++s) {
    const T* token = x.data() + s * shape[3];
    for (int64_t head = 0; head < heads; ++head) {
      // Row w = s*g + gi of head h of the cache.
      const int64_t row = (head / group * tokens + s) * group + head % group;
      std::copy_n(token + head * dim, dim, q.data() + row * dim);
    }
    for (int64_t h = 0; s < active && h < kv_heads; ++h) {
      keys.Write(h, position + s, token + (heads + h) * dim);
      values.Write(h, position + s, token + (heads + kv_heads + h) * dim);
    }
  }
  env.SetFloats(op.getQ(), std::move(q));
  env.Alias(op.getKCacheOut(), op.getKCache());
  env.Alias(op.getVCacheOut(), op.getVCache());
}

}  // namespace

template <typename T>
absl::StatusOr<bool> EvaluateAttention(mlir::Operation* op,
                                       Environment<T>& env) {
  return llvm::TypeSwitch<mlir::Operation*, bool>(op)
      .template Case<RopeOp, AppendCacheOp, AttendOp, RopeQkvOp, AttendQkvOp>(
          [&](auto o) {
            Evaluate(o, env);
            return true;
          })
      .Default(false);
}

template absl::StatusOr<bool> EvaluateAttention(mlir::Operation*,
                                                Environment<float>&);
template absl::StatusOr<bool> EvaluateAttention(mlir::Operation*,
                                                Environment<double>&);

}  // namespace millrace::graph
