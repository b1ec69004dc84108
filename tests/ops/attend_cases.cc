// SPDX-License-Identifier: Apache-2.0
//
// Attention that stores no scores: with and without a cache, for a chunk and
// for one token, with windows and soft-caps that bite. The channel count is
// that of a head.
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "tests/ops/op_case.h"

namespace millrace::ops {
namespace {

// Multiples of 4 are what the kernels take; 12 has halves that are not.
constexpr int64_t kHeadDims[] = {4, 12, 32};

// Of the sums' other order, and of e^x, whose argument is as large as scores.
constexpr double kTolerance = 6e-6;

struct Shape {
  std::string op;
  int64_t heads;
  int64_t kv_heads;
  int64_t tokens;          // of the queries
  int64_t active;          // of those
  int64_t position;        // tokens in the cache before
  std::string attributes;  // "causal, window = 9 : i64"
  int64_t batch = 1;
  int64_t keys = 0;  // of another sequence; 0: `tokens`
};

// `$`-names in a program, for a head of `d` channels.
std::string Fill(const Shape& shape, int64_t d, const std::string& program) {
  const int64_t keys = shape.keys == 0 ? shape.tokens : shape.keys;
  const int64_t cache = shape.position + shape.tokens + 5;
  const int64_t kv = shape.kv_heads * d;
  std::string frequencies;
  for (int64_t i = 0; i < d / 2; ++i) {
    absl::StrAppend(&frequencies, i == 0 ? "" : ", ",
                    absl::StrFormat("%.6f", 1.0 / (1.0 + i)));
  }
  return absl::StrReplaceAll(
      program,
      {{"$Q", absl::StrFormat("tensor<%dx1x%dx%dx$T>", shape.batch,
                              shape.tokens, shape.heads * d)},
       {"$KV", absl::StrFormat("tensor<%dx1x%dx%dx$T>", shape.batch, keys, kv)},
       {"$P", absl::StrFormat("tensor<1x1x%dx%dx$T>", shape.position, kv)},
       {"$X", absl::StrFormat("tensor<1x1x%dx%dx$T>", shape.tokens,
                              shape.heads * d + 2 * kv)},
       {"$KC",
        absl::StrFormat("tensor<%dx%dx%dx$T>", shape.kv_heads, cache, d)},
       {"$VC",
        absl::StrFormat("tensor<%dx%dx%dx$T>", shape.kv_heads, d, cache)},
       {"$F", absl::StrFormat("tensor<%dxf32>", d / 2)},
       {"$W", absl::StrFormat("dense<[%s]>", frequencies)},
       {"$A",
        absl::StrFormat("%s%sheads = %d : i64, kv_heads = %d : i64",
                        shape.attributes, shape.attributes.empty() ? "" : ", ",
                        shape.heads, shape.kv_heads)}});
}

OpCase Case(const Shape& shape, const std::string& program) {
  OpCase result;
  result.op = shape.op;
  result.channels.assign(std::begin(kHeadDims), std::end(kHeadDims));
  result.params = {static_cast<int32_t>(shape.position),
                   static_cast<int32_t>(shape.active),
                   static_cast<int32_t>(shape.position + shape.active),
                   /*row=*/0};
  result.program = [=](int64_t d) { return Fill(shape, d, program); };
  result.tolerance = kTolerance;
  // Without wide vectors; with the keys in parts.
  result.profiles = {"generic", "nvidia-sm90"};
  return result;
}

// ---- Without a cache ----

OpCase Self(const Shape& shape) {
  return Case(shape, R"mlir(
    func.func @main(%q: $Q, %k: $KV, %v: $KV) -> $Q {
      %y = graph.attend %q, %k, %v {$A, scale = 1.0 : f32} : ($Q, $KV, $KV) -> $Q
      return %y : $Q
    })mlir");
}

// ---- On a cache ----

// The cache is filled by a first append at the parameter `row`, which is 0.
constexpr char kFilled[] = R"mlir(
    graph.state @k : $KC
    graph.state @v : $VC
    func.func @main(%q: $Q, %k: $KV, %v: $KV, %pk: $P, %pv: $P) -> $Q {
      %zero = graph.param @row : i32
      %p = graph.param @position : i32
      %a = graph.param @active : i32
      %k0 = graph.get_state @k : $KC
      %v0 = graph.get_state @v : $VC
      %kc = graph.append_cache %k0, %pk, %zero {token_axis = 1 : i64} : ($KC, $P, i32) -> $KC
      %vc = graph.append_cache %v0, %pv, %zero {token_axis = 2 : i64} : ($VC, $P, i32) -> $VC
)mlir";

// The chunk's keys from its own tensors; appended after.
OpCase OnCache(const Shape& shape) {
  return Case(shape, absl::StrCat(kFilled, R"mlir(
      %y = graph.attend %q, %k, %v cache(%kc, %vc) at(%p) active(%a) {$A, scale = 1.0 : f32} : ($Q, $KV, $KV, $KC, $VC, i32, i32) -> $Q
      %k1 = graph.append_cache %kc, %k, %p, %a {token_axis = 1 : i64} : ($KC, $KV, i32, i32) -> $KC
      %v1 = graph.append_cache %vc, %v, %p, %a {token_axis = 2 : i64} : ($VC, $KV, i32, i32) -> $VC
      return %y : $Q
    })mlir"));
}

// The chunk appended before, and read from the cache.
OpCase OnFilledCache(const Shape& shape) {
  return Case(shape, absl::StrCat(kFilled, R"mlir(
      %k1 = graph.append_cache %kc, %k, %p, %a {token_axis = 1 : i64} : ($KC, $KV, i32, i32) -> $KC
      %v1 = graph.append_cache %vc, %v, %p, %a {token_axis = 2 : i64} : ($VC, $KV, i32, i32) -> $VC
      %y = graph.attend %q cache(%k1, %v1) at(%p) active(%a) {$A, scale = 1.0 : f32} : ($Q, $KC, $VC, i32, i32) -> $Q
      return %y : $Q
    })mlir"));
}

// ---- With the rotation and the appends, from a merged projection ----

// Then attends once more, to show what the caches hold.
constexpr char kMerged[] = R"mlir(
      %f = graph.constant $W : $F
      %y, %k1, %v1 = graph.attend_qkv %x, %f, %kc, %vc, %p, %a {$A, scale = 0.5 : f32} : ($X, $F, $KC, $VC, i32, i32) -> ($Q, $KC, $VC)
      %z = graph.attend %y cache(%k1, %v1) at(%p) active(%a) {causal, $A, scale = 0.5 : f32} : ($Q, $KC, $VC, i32, i32) -> $Q
      return %y, %z : $Q, $Q
    })mlir";

OpCase Merged(const Shape& shape) {
  const std::string filled = absl::StrReplaceAll(
      kFilled, {{"%q: $Q, %k: $KV, %v: $KV, %pk: $P, %pv: $P) -> $Q",
                 "%x: $X, %pk: $P, %pv: $P) -> ($Q, $Q)"}});
  return Case(shape, absl::StrCat(filled, kMerged));
}

OpCase MergedOnEmptyCache(const Shape& shape) {
  return Case(shape, absl::StrCat(R"mlir(
    graph.state @k : $KC
    graph.state @v : $VC
    func.func @main(%x: $X) -> ($Q, $Q) {
      %p = graph.param @position : i32
      %a = graph.param @active : i32
      %kc = graph.get_state @k : $KC
      %vc = graph.get_state @v : $VC
)mlir",
                                  kMerged));
}

// Products of queries and keys of about 1e6, which f16 cannot store.
OpCase LargeScores(const Shape& shape) {
  OpCase result = Case(shape, R"mlir(
    func.func @main(%q: $Q, %k: $KV, %v: $KV) -> $Q {
      %q1 = graph.scale %q {factor = 2000.0 : f32} : ($Q) -> $Q
      %k1 = graph.scale %k {factor = 2000.0 : f32} : ($KV) -> $KV
      %y = graph.attend %q1, %k1, %v {$A, scale = 2.0e-6 : f32} : ($Q, $KV, $KV) -> $Q
      return %y : $Q
    })mlir");
  // Queries and keys are stored once more before they are read.
  result.tolerance = 1e-3;
  return result;
}

}  // namespace

std::vector<OpCase> AttendCases() {
  std::vector<OpCase> cases = {
      Self({"attend_cross", 4, 2, 5, 5, 0, "", 2, /*keys=*/77}),
      OnCache({"attend_cache", 4, 2, 5, 3, 70, "causal"}),
      OnFilledCache({"attend_filled", 6, 2, 7, 6, 66, "causal"}),
      Merged({"attend_qkv_chunk", 6, 2, 7, 6, 67, ""}),
      Merged({"attend_qkv_one", 6, 2, 1, 1, 131, ""}),
  };
  std::vector<OpCase> variants = {
      Self({"attend_self", 3, 3, 5, 5, 0, "", 2}),
      Self({"attend_causal", 4, 2, 37, 37, 0, "causal"}),
      Self({"attend_causal_window", 2, 1, 37, 37, 0,
            "causal, window = 6 : i64, soft_cap = 1.5 : f32"}),
      OnCache({"attend_cache_window", 4, 2, 5, 5, 70,
               "causal, window = 9 : i64, soft_cap = 2.0 : f32"}),
      OnFilledCache({"attend_filled_window", 6, 2, 7, 7, 66,
                     "causal, window = 3 : i64, soft_cap = 2.0 : f32"}),
      OnFilledCache({"attend_filled_one", 6, 2, 1, 1, 150, "causal"}),
      Merged({"attend_qkv_chunk_window", 4, 4, 7, 7, 67,
              "window = 10 : i64, soft_cap = 1.0 : f32"}),
      MergedOnEmptyCache({"attend_qkv_first_chunk", 4, 2, 21, 20, 0, ""}),
      Merged({"attend_qkv_one_window", 5, 1, 1, 1, 131,
              "window = 70 : i64, soft_cap = 1.0 : f32"}),
      MergedOnEmptyCache({"attend_qkv_first_one", 4, 2, 1, 1, 0, ""}),
      LargeScores({"attend_large_scores", 4, 2, 5, 5, 0, "causal"}),
  };
  for (OpCase& variant : variants) {
    variant.on_every_storage = false;
    cases.push_back(std::move(variant));
  }
  return cases;
}

}  // namespace millrace::ops
