// SPDX-License-Identifier: Apache-2.0
#include "compiler/kernel/builders/qkv_writer.h"

#include "compiler/kernel/builders/cache_writer.h"
#include "compiler/kernel/builders/gather.h"

namespace millrace::kernel {

Val QkvWriter::Token(Body& body, Val w) const {
  return Named(body.Param(position_) + w, "token");
}

Val QkvWriter::Key(Body& body, Val kv_head, Val w, Val s) const {
  return Rotate(body, rotation_, w, Token(body, w),
                (kv_head + heads_) * rotation_.head_dim, s);
}

Val QkvWriter::Value(Body& body, Val kv_head, Val w, Val s) const {
  Val zero = body.Index(0);
  Val first = (kv_head + (heads_ + kv_heads_)) * rotation_.head_dim;
  return ReadChannels(body, rotation_.x, zero, zero, w, first + s * kSlice,
                      rotation_.head_dim % kSlice == 0 ? kSlice : 1,
                      rotation_.channels);
}

void QkvWriter::WriteQuery(Body& body, Val head, Val w, Val s,
                           mlir::Value q) const {
  const int64_t group = heads_ / kv_heads_;
  Val value =
      Rotate(body, rotation_, w, Token(body, w), head * rotation_.head_dim, s);
  body.Write(value, q,
             {body.Index(0), head / group, w * group + head % group, s});
}

void QkvWriter::WriteKey(Body& body, Val kv_head, Val w, Val s,
                         mlir::Value k_cache) const {
  WriteCache(body, Key(body, kv_head, w, s), k_cache, /*token_axis=*/1, kv_head,
             Token(body, w), s);
}

void QkvWriter::WriteValue(Body& body, Val kv_head, Val w, Val s,
                           mlir::Value v_cache) const {
  WriteCache(body, Value(body, kv_head, w, s), v_cache, /*token_axis=*/2,
             kv_head, Token(body, w), s);
}

void QkvWriter::WriteKeyOrValue(Body& body, Val head, Val w, Val s,
                                mlir::Value k_cache,
                                mlir::Value v_cache) const {
  auto write = [&] {
    Val first_value = body.Index(heads_ + kv_heads_);
    body.If(Less(head, first_value),
            [&] { WriteKey(body, head - heads_, w, s, k_cache); });
    body.If(LessEqual(first_value, head),
            [&] { WriteValue(body, head - first_value, w, s, v_cache); });
  };
  if (active_) {
    body.If(Less(w, body.Param(active_)), write);
  } else {
    write();
  }
}

}  // namespace millrace::kernel
