// SPDX-License-Identifier: Apache-2.0
#include "compiler/graph/ir/graph.h"
#include "compiler/graph/ir/verify.h"

namespace millrace::graph {

using llvm::ArrayRef;
using mlir::failure;
using mlir::LogicalResult;

LogicalResult RopeOp::verify() {
  const int64_t dim = getHeadDim();
  const ArrayRef<int64_t> in = ShapeOf(getInput());
  if (failed(ExpectMultiple(*this, "rope_c1", "head_dim", 2, dim)) ||
      failed(ExpectMultiple(*this, "rope_c1", "C", dim, in[3])) ||
      failed(ExpectEqual(*this, "rope_c2", "the size of inv_freq", dim / 2,
                         ShapeOf(getInvFreq())[0])) ||
      failed(ExpectShape(*this, "rope_c3", "the input's shape",
                         {1, 1, in[2], in[3]}, in))) {
    return failure();
  }
  return ExpectShape(*this, "rope_c3", "the result's shape", in,
                     ShapeOf(getResult()));
}

LogicalResult CacheUpdateOp::verify() {
  const ArrayRef<int64_t> cache = ShapeOf(getCache());
  const ArrayRef<int64_t> in = ShapeOf(getInput());
  const int64_t axis = getTokenAxis();
  if (failed(ExpectShape(*this, "cache_update_c1", "the result's shape", cache,
                         ShapeOf(getResult()))) ||
      failed(ExpectAtMost(*this, "cache_update_c2", "token_axis", 2, axis)) ||
      failed(ExpectShape(*this, "cache_update_c3", "the input's shape",
                         {1, cache[0], in[2], cache[axis == 1 ? 2 : 1]}, in))) {
    return failure();
  }
  return ExpectAtMost(*this, "cache_update_c3", "S", cache[axis], in[2]);
}

LogicalResult AttentionOp::verify() {
  const int64_t heads = getHeads();
  const int64_t kv_heads = getKvHeads();
  const ArrayRef<int64_t> q = ShapeOf(getQ());
  if (failed(ExpectMultiple(*this, "attention_c1", "heads", kv_heads, heads)) ||
      failed(ExpectMultiple(*this, "attention_c1", "C of q", heads, q[3])) ||
      failed(ExpectShape(*this, "attention_c2", "the shape of q",
                         {1, 1, q[2], q[3]}, q)) ||
      failed(ExpectShape(*this, "attention_c2", "the result's shape", q,
                         ShapeOf(getResult())))) {
    return failure();
  }
  const int64_t dim = q[3] / heads;
  for (mlir::Value value : {getK(), getV()}) {
    if (failed(ExpectShape(*this, "attention_c3", "the shape of k and v",
                           {1, 1, q[2], kv_heads * dim}, ShapeOf(value)))) {
      return failure();
    }
  }
  return ExpectCaches(*this, "attention_c4", getKCache(), getVCache(), kv_heads,
                      dim, q[2]);
}

LogicalResult RopeQkvOp::verify() {
  const int64_t heads = getHeads();
  const int64_t kv_heads = getKvHeads();
  const ArrayRef<int64_t> qkv = ShapeOf(getQkv());
  if (failed(ExpectMultiple(*this, "rope_qkv_c1", "heads", kv_heads, heads)) ||
      failed(ExpectShape(*this, "rope_qkv_c2", "the shape of qkv",
                         {1, 1, qkv[2], qkv[3]}, qkv)) ||
      failed(ExpectMultiple(*this, "rope_qkv_c2", "C of qkv",
                            2 * (heads + 2 * kv_heads), qkv[3]))) {
    return failure();
  }
  const int64_t tokens = qkv[2];
  const int64_t dim = qkv[3] / (heads + 2 * kv_heads);
  if (failed(ExpectEqual(*this, "rope_qkv_c3", "the size of inv_freq", dim / 2,
                         ShapeOf(getInvFreq())[0])) ||
      failed(ExpectCaches(*this, "rope_qkv_c4", getKCache(), getVCache(),
                          kv_heads, dim, tokens)) ||
      failed(ExpectShape(*this, "rope_qkv_c5", "the shape of q",
                         {1, kv_heads, tokens * (heads / kv_heads), dim},
                         ShapeOf(getQ()))) ||
      failed(ExpectShape(*this, "rope_qkv_c5", "the shape of k_cache_out",
                         ShapeOf(getKCache()), ShapeOf(getKCacheOut())))) {
    return failure();
  }
  return ExpectShape(*this, "rope_qkv_c5", "the shape of v_cache_out",
                     ShapeOf(getVCache()), ShapeOf(getVCacheOut()));
}

}  // namespace millrace::graph
