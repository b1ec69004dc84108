// SPDX-License-Identifier: Apache-2.0
#include "bench/kernel_cases.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/substitute.h"

namespace millrace::bench {
namespace {

using Replacements = std::vector<std::pair<std::string, std::string>>;

// `$name` replaced by its value, longest names first where one starts another.
std::string Fill(const std::string& text, const Replacements& values) {
  return absl::StrReplaceAll(text, values);
}

// y = x w for each of `copies` weights [rows, columns], with its own x of
// `tokens` positions: products that share an input would be merged.
std::string LinearProgram(int64_t rows, int64_t columns, int64_t tokens,
                          int64_t copies) {
  std::string weights, body;
  std::vector<std::string> arguments, results, types;
  for (int64_t i = 0; i < copies; ++i) {
    const Replacements values = {
        {"$i", absl::StrCat(i)},
        {"$W", absl::StrFormat("tensor<%dx%dx$T>", rows, columns)},
        {"$X", absl::StrFormat("tensor<1x1x%dx%dx$T>", tokens, columns)},
        {"$Y", absl::StrFormat("tensor<1x1x%dx%dx$T>", tokens, rows)}};
    absl::StrAppend(
        &weights, Fill("graph.weight @w.$i sources [\"w.$i\"] : $W\n", values));
    absl::StrAppend(&body,
                    Fill("  %w$i = graph.get_weight @w.$i : $W\n"
                         "  %y$i = graph.linear %x$i, %w$i : ($X, $W) -> $Y"
                         " loc(\"bench.$i\")\n",
                         values));
    arguments.push_back(Fill("%x$i: $X", values));
    results.push_back(absl::StrCat("%y", i));
    types.push_back(Fill("$Y", values));
  }
  return absl::Substitute(
      "$0func.func @main($1) -> ($2) {\n$3  return $4 : $2\n}\n", weights,
      absl::StrJoin(arguments, ", "), absl::StrJoin(types, ", "), body,
      absl::StrJoin(results, ", "));
}

KernelCase Linear(const std::string& used_in, int64_t rows, int64_t columns,
                  int64_t tokens, int64_t copies) {
  KernelCase result;
  result.op = tokens == 1 ? "linear_vector" : "linear_matrix";
  result.shape = absl::StrCat(rows, "x", columns);
  if (tokens != 1) {
    absl::StrAppend(&result.shape, "x", tokens);
  }
  result.used_in = used_in;
  result.tokens = result.context = tokens;
  result.program = LinearProgram(rows, columns, tokens, copies);
  return result;
}

KernelCase RmsNorm(const std::string& used_in, int64_t channels,
                   int64_t tokens) {
  KernelCase result;
  result.op = "rms_norm";
  result.shape = absl::StrCat(channels, "x", tokens);
  result.used_in = used_in;
  result.tokens = result.context = tokens;
  result.program = absl::Substitute(
      R"mlir(
graph.weight @g sources ["g"] : tensor<$0xf32>
func.func @main(%x: tensor<1x1x$1x$0x$$T>) -> tensor<1x1x$1x$0x$$T> {
  %g = graph.get_weight @g : tensor<$0xf32>
  %y = graph.rms_norm %x, %g {eps = 1.0e-5 : f32} : (tensor<1x1x$1x$0x$$T>, tensor<$0xf32>) -> tensor<1x1x$1x$0x$$T> loc("bench.0")
  return %y : tensor<1x1x$1x$0x$$T>
})mlir",
      channels, tokens);
  return result;
}

// Attention as a model has it.
struct Heads {
  std::string model;
  int64_t query;
  int64_t key_value;
  int64_t channels;  // of one head
  int64_t context;
};

// What the host gives with each call; kernels of attention read some of them.
constexpr char kParameters[] = R"mlir(
graph.parameter @position min 0 max $N
graph.parameter @active min 1 max $S
graph.parameter @end min 1 max $N sum_of [@position, @active])mlir";

KernelCase OfHeads(const std::string& op, const Heads& heads, int64_t tokens,
                   const std::string& program) {
  const int64_t group = heads.query / heads.key_value;
  KernelCase result;
  result.op = op;
  result.shape =
      absl::StrFormat("%d:%d heads x%d, %d of %d", heads.query, heads.key_value,
                      heads.channels, tokens, heads.context);
  result.used_in = heads.model;
  result.context = heads.context;
  result.tokens = tokens;
  result.program = Fill(
      kParameters + program,
      {{"$Q", absl::StrCat(heads.query)},
       {"$H", absl::StrCat(heads.key_value)},
       {"$D", absl::StrCat(heads.channels)},
       {"$F", absl::StrCat(heads.channels / 2)},
       {"$S", absl::StrCat(tokens)},
       {"$G", absl::StrCat(group)},
       {"$W", absl::StrCat(tokens * group)},
       {"$N", absl::StrCat(heads.context)},
       {"$C",
        absl::StrCat((heads.query + 2 * heads.key_value) * heads.channels)},
       {"$O", absl::StrCat(heads.query * heads.channels)}});
  return result;
}

KernelCase Softmax(const Heads& heads, int64_t tokens) {
  return OfHeads("softmax", heads, tokens, R"mlir(
func.func @main(%x: tensor<1x$Hx$Wx$Nx$T>) -> tensor<1x$Hx$Wx$Nx$T> {
  %p = graph.param @position : i32
  %e = graph.param @end : i32
  %y = graph.softmax %x causal(%p) active(%e) {scale = 0.1 : f32, group = $G : i64} : (tensor<1x$Hx$Wx$Nx$T>, i32, i32) -> tensor<1x$Hx$Wx$Nx$T> loc("bench.0")
  return %y : tensor<1x$Hx$Wx$Nx$T>
})mlir");
}

KernelCase RopeQkv(const Heads& heads, int64_t tokens) {
  return OfHeads("rope_qkv", heads, tokens, R"mlir(
graph.state @k : tensor<$Hx$Nx$Dx$T>
graph.state @v : tensor<$Hx$Dx$Nx$T>
func.func @main(%x: tensor<1x1x$Sx$Cx$T>) -> tensor<1x$Hx$Wx$Dx$T> {
  %f = graph.constant dense<0.5> : tensor<$Fxf32>
  %p = graph.param @position : i32
  %a = graph.param @active : i32
  %k0 = graph.get_state @k : tensor<$Hx$Nx$Dx$T>
  %v0 = graph.get_state @v : tensor<$Hx$Dx$Nx$T>
  %q, %k, %v = graph.rope_qkv %x, %f, %k0, %v0, %p, %a {heads = $Q : i64, kv_heads = $H : i64} : (tensor<1x1x$Sx$Cx$T>, tensor<$Fxf32>, tensor<$Hx$Nx$Dx$T>, tensor<$Hx$Dx$Nx$T>, i32, i32) -> (tensor<1x$Hx$Wx$Dx$T>, tensor<$Hx$Nx$Dx$T>, tensor<$Hx$Dx$Nx$T>) loc("bench.0")
  return %q : tensor<1x$Hx$Wx$Dx$T>
})mlir");
}

KernelCase Scores(const Heads& heads, int64_t tokens) {
  return OfHeads("attention_scores", heads, tokens, R"mlir(
graph.state @k : tensor<$Hx$Nx$Dx$T>
func.func @main(%q: tensor<1x$Hx$Wx$Dx$T>) -> tensor<1x$Hx$Wx$Nx$T> {
  %e = graph.param @end : i32
  %k = graph.get_state @k : tensor<$Hx$Nx$Dx$T>
  %y = graph.linear %q, %k active_out(%e) : (tensor<1x$Hx$Wx$Dx$T>, tensor<$Hx$Nx$Dx$T>, i32) -> tensor<1x$Hx$Wx$Nx$T> loc("bench.0")
  return %y : tensor<1x$Hx$Wx$Nx$T>
})mlir");
}

KernelCase Values(const Heads& heads, int64_t tokens) {
  return OfHeads("attention_values", heads, tokens, R"mlir(
graph.state @v : tensor<$Hx$Dx$Nx$T>
func.func @main(%s: tensor<1x$Hx$Wx$Nx$T>) -> tensor<1x1x$Sx$Ox$T> {
  %e = graph.param @end : i32
  %v = graph.get_state @v : tensor<$Hx$Dx$Nx$T>
  %y = graph.linear %s, %v active_in(%e) {merge_heads, head_group = $G : i64} : (tensor<1x$Hx$Wx$Nx$T>, tensor<$Hx$Dx$Nx$T>, i32) -> tensor<1x1x$Sx$Ox$T> loc("bench.0")
  return %y : tensor<1x1x$Sx$Ox$T>
})mlir");
}

// Rotation, appending and attention in one op: what the fused schedule has in
// the place of the four above.
KernelCase AttendQkv(const Heads& heads, int64_t tokens) {
  return OfHeads("attend_qkv", heads, tokens, R"mlir(
graph.state @k : tensor<$Hx$Nx$Dx$T>
graph.state @v : tensor<$Hx$Dx$Nx$T>
func.func @main(%x: tensor<1x1x$Sx$Cx$T>) -> tensor<1x1x$Sx$Ox$T> {
  %f = graph.constant dense<0.5> : tensor<$Fxf32>
  %p = graph.param @position : i32
  %a = graph.param @active : i32
  %k0 = graph.get_state @k : tensor<$Hx$Nx$Dx$T>
  %v0 = graph.get_state @v : tensor<$Hx$Dx$Nx$T>
  %y, %k, %v = graph.attend_qkv %x, %f, %k0, %v0, %p, %a {heads = $Q : i64, kv_heads = $H : i64, scale = 0.1 : f32} : (tensor<1x1x$Sx$Cx$T>, tensor<$Fxf32>, tensor<$Hx$Nx$Dx$T>, tensor<$Hx$Dx$Nx$T>, i32, i32) -> (tensor<1x1x$Sx$Ox$T>, tensor<$Hx$Nx$Dx$T>, tensor<$Hx$Dx$Nx$T>) loc("bench.0")
  return %y : tensor<1x1x$Sx$Ox$T>
})mlir");
}

struct Product {
  const char* used_in;
  int64_t rows;
  int64_t columns;
};

constexpr Product kVectorProducts[] = {
    {"Llama 3.1 8B: attention output", 4096, 4096},
    {"Llama 3.1 8B: gate, up", 14336, 4096},
    {"Llama 3.1 8B: down", 4096, 14336},
    {"Llama 3.1 8B: logits", 128256, 4096},
    {"Llama 3.1 8B: q, k, v", 6144, 4096},
    {"Llama 3.2 3B: q, k, v", 5120, 3072},
    {"Llama 3.2 3B: down", 3072, 8192},
    {"pocket: gate, up", 1280, 192},
};

constexpr Product kMatrixProducts[] = {
    {"-", 1024, 1024},
    {"-", 2048, 2048},
    {"Llama 3.1 8B: attention output", 4096, 4096},
    {"pocket: gate, up", 1280, 192},
};

std::vector<Heads> AllHeads() {
  return {{"Llama 3.1 8B", 32, 8, 128, 1280},
          {"Llama 3.2 3B", 24, 8, 128, 1280},
          {"pocket", 6, 2, 32, 512}};
}

}  // namespace

std::vector<KernelCase> KernelCases(int64_t element_bytes,
                                    int64_t least_weight_bytes) {
  constexpr int64_t kMostCopies = 8;
  constexpr int64_t kChunk = 128;
  std::vector<KernelCase> cases;
  for (const Product& product : kVectorProducts) {
    const int64_t bytes = product.rows * product.columns * element_bytes;
    const int64_t copies = std::clamp<int64_t>(
        (least_weight_bytes + bytes - 1) / bytes, 1, kMostCopies);
    cases.push_back(
        Linear(product.used_in, product.rows, product.columns, 1, copies));
  }
  for (const Product& product : kMatrixProducts) {
    cases.push_back(
        Linear(product.used_in, product.rows, product.columns, kChunk, 1));
  }
  for (int64_t tokens : {int64_t{1}, kChunk}) {
    cases.push_back(RmsNorm("Llama 3.1 8B", 4096, tokens));
    cases.push_back(RmsNorm("Llama 3.2 3B", 3072, tokens));
    cases.push_back(RmsNorm("pocket", 192, tokens));
  }
  for (const Heads& heads : AllHeads()) {
    for (int64_t tokens : {int64_t{1}, kChunk}) {
      cases.push_back(RopeQkv(heads, tokens));
      cases.push_back(Scores(heads, tokens));
      cases.push_back(Softmax(heads, tokens));
      cases.push_back(Values(heads, tokens));
      cases.push_back(AttendQkv(heads, tokens));
    }
  }
  return cases;
}

}  // namespace millrace::bench
