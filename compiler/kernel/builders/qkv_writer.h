// SPDX-License-Identifier: Apache-2.0
//
// What becomes of the heads of a merged projection: those of Q come first, then
// those of K, then those of V.
#ifndef MILLRACE_COMPILER_KERNEL_BUILDERS_QKV_WRITER_H_
#define MILLRACE_COMPILER_KERNEL_BUILDERS_QKV_WRITER_H_

#include <cstdint>

#include "compiler/kernel/builders/rotation.h"

namespace millrace::kernel {

// Writes single slices, each of one head of one row of qkv.
class QkvWriter {
 public:
  // `rotation` is of qkv [1, 1, S, (heads + 2 * kv_heads) * head_dim].
  QkvWriter(const Rotation& rotation, int64_t heads, int64_t kv_heads,
            mlir::FlatSymbolRefAttr position, mlir::FlatSymbolRefAttr active)
      : rotation_(rotation),
        heads_(heads),
        kv_heads_(kv_heads),
        position_(position),
        active_(active) {}

  int64_t head_slices() const { return Slices(rotation_.head_dim); }
  int64_t all_heads() const { return heads_ + 2 * kv_heads_; }

  // Slice `s` of query head `head` of row `w`, rotated, to row w*g + head%g of
  // q [1, kv_heads, S*g, head_dim].
  void WriteQuery(Body& body, Val head, Val w, Val s, mlir::Value q) const;

  // Slice `s` of the head `head` of K or V, counted from the first of Q, of row
  // `w` to its cache at position + w, if the row is active.
  void WriteKeyOrValue(Body& body, Val head, Val w, Val s, mlir::Value k_cache,
                       mlir::Value v_cache) const;

  // Slice `s` of key-value head `kv_head` of row `w`, active or not, likewise.
  void WriteKey(Body& body, Val kv_head, Val w, Val s,
                mlir::Value k_cache) const;
  void WriteValue(Body& body, Val kv_head, Val w, Val s,
                  mlir::Value v_cache) const;

  // What these write, from qkv.
  Val Key(Body& body, Val kv_head, Val w, Val s) const;
  Val Value(Body& body, Val kv_head, Val w, Val s) const;

 private:
  Val Token(Body& body, Val w) const;

  Rotation rotation_;
  int64_t heads_;
  int64_t kv_heads_;
  mlir::FlatSymbolRefAttr position_;
  mlir::FlatSymbolRefAttr active_;  // null: all rows are written
};

}  // namespace millrace::kernel

#endif  // MILLRACE_COMPILER_KERNEL_BUILDERS_QKV_WRITER_H_
