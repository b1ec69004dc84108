// SPDX-License-Identifier: Apache-2.0
//
// Rotary embedding, cache updates and attention, token by token and head by
// head as a reader would say them.
#include <algorithm>
#include <cmath>

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
void Evaluate(CacheUpdateOp op, Environment<T>& env) {
  const llvm::ArrayRef<int64_t> shape = ShapeOf(op.getInput());
  const int64_t position = env.GetInteger(op.getPosition());
  const int64_t active =
      std::min(shape[2], env.GetInteger(op.getActive(), shape[2]));
  const std::vector<T>& x = env.Get(op.getInput()).values;
  Cache<T> cache(op.getCache(), op.getTokenAxis(), env);
  for (int64_t h = 0; h < shape[1]; ++h) {
    for (int64_t s = 0; s < active; ++s) {
      cache.Write(h, position + s, x.data() + (h * shape[2] + s) * shape[3]);
    }
  }
  env.Alias(op.getResult(), op.getCache());
}

// q [S, heads, d] against the caches: y [S, heads, d].
template <typename T>
void Attend(AttentionOp op, const Cache<T>& keys, const Cache<T>& values,
            Environment<T>& env) {
  const llvm::ArrayRef<int64_t> shape = ShapeOf(op.getQ());
  const int64_t heads = op.getHeads();
  const int64_t group = heads / op.getKvHeads();
  const int64_t dim = shape[3] / heads;
  const int64_t position = env.GetInteger(op.getPosition());
  const int64_t end = std::min(keys.tokens(), env.GetInteger(op.getEnd()));
  const T scale = op.getScale().convertToFloat();
  const T* q = env.Get(op.getQ()).values.data();
  std::vector<T> y(shape[2] * shape[3], T(0));
  for (int64_t row = 0; row < shape[2] * heads; ++row) {
    const int64_t h = row % heads / group;
    const int64_t count = std::min(end, position + row / heads + 1);
    std::vector<T> p(std::max<int64_t>(count, 0), T(0));
    for (size_t t = 0; t < p.size(); ++t) {
      for (int64_t c = 0; c < dim; ++c) {
        p[t] += scale * q[row * dim + c] * keys.At(h, t, c);
      }
    }
    const T max = p.empty() ? T(0) : *std::max_element(p.begin(), p.end());
    T sum = 0;
    for (T& weight : p) {
      weight = std::exp(weight - max);
      sum += weight;
    }
    for (size_t t = 0; t < p.size(); ++t) {
      for (int64_t c = 0; c < dim; ++c) {
        y[row * dim + c] += p[t] / sum * values.At(h, t, c);
      }
    }
  }
  env.SetFloats(op.getResult(), std::move(y));
}

template <typename T>
void Evaluate(AttentionOp op, Environment<T>& env) {
  const int64_t kv_heads = op.getKvHeads();
  const int64_t dim = ShapeOf(op.getK())[3] / kv_heads;
  const int64_t position = env.GetInteger(op.getPosition());
  const int64_t active =
      std::min(ShapeOf(op.getQ())[2], env.GetInteger(op.getActive()));
  Cache<T> keys(op.getKCache(), 1, env);
  Cache<T> values(op.getVCache(), 2, env);
  for (int64_t s = 0; s < active; ++s) {
    for (int64_t h = 0; h < kv_heads; ++h) {
      const int64_t at = (s * kv_heads + h) * dim;
      keys.Write(h, position + s, env.Get(op.getK()).values.data() + at);
      values.Write(h, position + s, env.Get(op.getV()).values.data() + at);
    }
  }
  Attend(op, keys, values, env);
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
  const std::vector<T>& inv_freq = env.Get(op.getInvFreq()).values;
  std::vector<T> x = env.Get(op.getQkv()).values;
  std::vector<T> q(NumElements(op.getQ()));
  Cache<T> keys(op.getKCache(), 1, env);
  Cache<T> values(op.getVCache(), 2, env);
  for (int64_t s = 0; s < tokens; ++s) {
    T* token = x.data() + s * shape[3];
    for (int64_t head = 0; head < heads + kv_heads; ++head) {
      Rotate(token + head * dim, inv_freq, position + s);
    }
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
      .template Case<RopeOp, CacheUpdateOp, AttentionOp, RopeQkvOp>(
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
