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

LogicalResult AppendCacheOp::verify() {
  const ArrayRef<int64_t> cache = ShapeOf(getCache());
  const ArrayRef<int64_t> in = ShapeOf(getInput());
  const int64_t axis = getTokenAxis();
  if (failed(ExpectShape(*this, "append_cache_c1", "the result's shape", cache,
                         ShapeOf(getResult()))) ||
      failed(ExpectAtMost(*this, "append_cache_c2", "token_axis", 2, axis)) ||
      failed(ExpectShape(*this, "append_cache_c3", "the input's shape",
                         {1, 1, in[2], cache[0] * cache[axis == 1 ? 2 : 1]},
                         in))) {
    return failure();
  }
  return ExpectAtMost(*this, "append_cache_c3", "S", cache[axis], in[2]);
}

// Neither, or both.
static LogicalResult ExpectTogether(mlir::Operation* op, llvm::StringRef label,
                                    llvm::StringRef what, bool first,
                                    bool second) {
  if (first == second) {
    return mlir::success();
  }
  return op->emitOpError() << label << ": " << what
                           << " must come together, found one alone";
}

static LogicalResult ExpectSoftCap(mlir::Operation* op, llvm::StringRef label,
                                   const llvm::APFloat& soft_cap) {
  if (soft_cap.isFinite() && !soft_cap.isNegative()) {
    return mlir::success();
  }
  return op->emitOpError() << label << ": soft_cap must be 0 or above, found "
                           << soft_cap.convertToDouble();
}

// The chunk's k and v, c3.
static LogicalResult VerifyChunk(AttendOp op, int64_t dim) {
  if (failed(ExpectTogether(op, "attend_c3", "k and v", bool(op.getK()),
                            bool(op.getV())))) {
    return failure();
  }
  if (!op.getK()) {
    return mlir::success();
  }
  const ArrayRef<int64_t> k = ShapeOf(op.getK());
  const llvm::SmallVector<int64_t> wanted = {
      ShapeOf(op.getQ())[0], 1, k[2],
      static_cast<int64_t>(op.getKvHeads()) * dim};
  if (failed(ExpectShape(op, "attend_c3", "the shape of k", wanted, k))) {
    return failure();
  }
  return ExpectShape(op, "attend_c3", "the shape of v", wanted,
                     ShapeOf(op.getV()));
}

// The caches, c4.
static LogicalResult VerifyCaches(AttendOp op, int64_t dim) {
  const bool has_cache = bool(op.getKCache());
  if (failed(ExpectTogether(op, "attend_c4", "k_cache and v_cache", has_cache,
                            bool(op.getVCache()))) ||
      failed(ExpectTogether(op, "attend_c4", "caches and position", has_cache,
                            bool(op.getPosition())))) {
    return failure();
  }
  if (!has_cache) {
    return mlir::success();
  }
  const ArrayRef<int64_t> q = ShapeOf(op.getQ());
  if (failed(ExpectEqual(op, "attend_c4", "B", 1, q[0])) ||
      (op.getK() && failed(ExpectEqual(op, "attend_c4", "N", q[2],
                                       ShapeOf(op.getK())[2])))) {
    return failure();
  }
  return ExpectCaches(op, "attend_c4", op.getKCache(), op.getVCache(),
                      op.getKvHeads(), dim, q[2]);
}

LogicalResult AttendOp::verify() {
  const int64_t heads = getHeads();
  const ArrayRef<int64_t> q = ShapeOf(getQ());
  if (failed(
          ExpectMultiple(*this, "attend_c1", "heads", getKvHeads(), heads)) ||
      failed(ExpectMultiple(*this, "attend_c1", "C of q", heads, q[3])) ||
      failed(ExpectShape(*this, "attend_c2", "the shape of q",
                         {q[0], 1, q[2], q[3]}, q)) ||
      failed(ExpectShape(*this, "attend_c2", "the result's shape", q,
                         ShapeOf(getResult()))) ||
      failed(VerifyChunk(*this, q[3] / heads)) ||
      failed(VerifyCaches(*this, q[3] / heads))) {
    return failure();
  }
  if (!getK() && !getKCache()) {
    return emitOpError("attend_c5: wanted k and v, or caches, found neither");
  }
  if (getWindow() > 0 && !getCausal()) {
    return emitOpError("attend_c6: a window needs causal");
  }
  if (getCausal() && !getKCache() &&
      failed(ExpectEqual(*this, "attend_c6", "N of causal attention", q[2],
                         ShapeOf(getK())[2]))) {
    return failure();
  }
  return ExpectSoftCap(*this, "attend_c7", getSoftCap());
}

LogicalResult AttendQkvOp::verify() {
  const int64_t heads = getHeads();
  const int64_t kv_heads = getKvHeads();
  const ArrayRef<int64_t> qkv = ShapeOf(getQkv());
  if (failed(
          ExpectMultiple(*this, "attend_qkv_c1", "heads", kv_heads, heads)) ||
      failed(ExpectShape(*this, "attend_qkv_c2", "the shape of qkv",
                         {1, 1, qkv[2], qkv[3]}, qkv)) ||
      failed(ExpectMultiple(*this, "attend_qkv_c2", "C of qkv",
                            2 * (heads + 2 * kv_heads), qkv[3]))) {
    return failure();
  }
  const int64_t dim = qkv[3] / (heads + 2 * kv_heads);
  if (failed(ExpectEqual(*this, "attend_qkv_c3", "the size of inv_freq",
                         dim / 2, ShapeOf(getInvFreq())[0])) ||
      failed(ExpectCaches(*this, "attend_qkv_c4", getKCache(), getVCache(),
                          kv_heads, dim, qkv[2])) ||
      failed(ExpectShape(*this, "attend_qkv_c5", "the result's shape",
                         {1, 1, qkv[2], heads * dim}, ShapeOf(getResult()))) ||
      failed(ExpectShape(*this, "attend_qkv_c5", "the shape of k_cache_out",
                         ShapeOf(getKCache()), ShapeOf(getKCacheOut()))) ||
      failed(ExpectShape(*this, "attend_qkv_c5", "the shape of v_cache_out",
                         ShapeOf(getVCache()), ShapeOf(getVCacheOut())))) {
    return failure();
  }
  return ExpectSoftCap(*this, "attend_qkv_c6", getSoftCap());
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
