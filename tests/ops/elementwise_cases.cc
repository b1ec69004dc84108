// SPDX-License-Identifier: Apache-2.0
//
// Maps, alone and fused.
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/substitute.h"
#include "tests/ops/op_case.h"

namespace millrace::ops {
namespace {

OpCase Unary(const std::string& op, const std::string& attributes = "") {
  OpCase result;
  result.op = op;
  result.program = [=](int64_t c) {
    return absl::Substitute(R"mlir(
      func.func @main(%x: tensor<1x2x5x$0x$$T>) -> tensor<1x2x5x$0x$$T> {
        %y = graph.$1 %x $2 : (tensor<1x2x5x$0x$$T>) -> tensor<1x2x5x$0x$$T>
        return %y : tensor<1x2x5x$0x$$T>
      })mlir",
                            c, op, attributes);
  };
  return result;
}

OpCase Binary(const std::string& op) {
  OpCase result;
  result.op = op;
  result.program = [=](int64_t c) {
    return absl::Substitute(R"mlir(
      func.func @main(%a: tensor<1x2x5x$0x$$T>, %b: tensor<1x2x5x$0x$$T>) -> tensor<1x2x5x$0x$$T> {
        %y = graph.$1 %a, %b : (tensor<1x2x5x$0x$$T>, tensor<1x2x5x$0x$$T>) -> tensor<1x2x5x$0x$$T>
        return %y : tensor<1x2x5x$0x$$T>
      })mlir",
                            c, op);
  };
  return result;
}

// silu(a) * b + 1: a chain with two inputs and a constant, in one region. The
// constant makes the padded lanes of the result other than 0.
OpCase Fused() {
  OpCase result;
  result.op = "elementwise";
  result.program = [](int64_t c) {
    return absl::Substitute(R"mlir(
      func.func @main(%a: tensor<2x2x5x$0x$$T>, %b: tensor<2x2x5x$0x$$T>) -> tensor<2x2x5x$0x$$T> {
        %y = graph.elementwise %a, %b {
        ^bb0(%s: f32, %t: f32):
          %one = arith.constant 1.0 : f32
          %n = arith.negf %s : f32
          %e = math.exp %n : f32
          %d = arith.addf %e, %one : f32
          %q = arith.divf %s, %d : f32
          %m = arith.mulf %q, %t : f32
          %r = arith.addf %m, %one : f32
          graph.yield %r : f32
        } : (tensor<2x2x5x$0x$$T>, tensor<2x2x5x$0x$$T>) -> tensor<2x2x5x$0x$$T>
        return %y : tensor<2x2x5x$0x$$T>
      })mlir",
                            c);
  };
  return result;
}

// A map that gives 1 for the padding, then a sum over channels: right only if
// the padding is written as 0.
OpCase PaddingStaysZero() {
  OpCase result;
  result.op = "padding";
  result.program = [](int64_t c) {
    return absl::Substitute(R"mlir(
      graph.weight @w sources ["w"] : tensor<9x$0x$$T>
      func.func @main(%x: tensor<1x1x5x$0x$$T>) -> tensor<1x1x5x9x$$T> {
        %w = graph.get_weight @w : tensor<9x$0x$$T>
        %e = graph.exp %x : (tensor<1x1x5x$0x$$T>) -> tensor<1x1x5x$0x$$T>
        %y = graph.linear %e, %w : (tensor<1x1x5x$0x$$T>, tensor<9x$0x$$T>) -> tensor<1x1x5x9x$$T>
        return %y : tensor<1x1x5x9x$$T>
      })mlir",
                            c);
  };
  return result;
}

// Of numbers that keep away from 0, as e^x does: `y` makes %y of %a and
// %positive, each of type $X.
OpCase OfPositive(const std::string& op, const std::string& y) {
  OpCase result;
  result.op = op;
  result.program = [=](int64_t c) {
    const std::string text = absl::StrCat(R"mlir(
      func.func @main(%a: $X, %b: $X) -> $X {
        %positive = graph.exp %b : ($X) -> $X
        )mlir",
                                          y, R"mlir(
        return %y : $X
      })mlir");
    return absl::StrReplaceAll(
        text, {{"$X", absl::StrCat("tensor<1x2x5x", c, "x$T>")}});
  };
  return result;
}

}  // namespace

std::vector<OpCase> ElementwiseCases() {
  std::vector<OpCase> cases;
  for (const char* op :
       {"silu", "gelu", "gelu_tanh", "quick_gelu", "exp", "neg", "tanh"}) {
    cases.push_back(Unary(op));
  }
  cases.push_back(Unary("scale", "{factor = 0.5 : f32}"));
  for (const char* op : {"add", "sub", "mul"}) {
    cases.push_back(Binary(op));
  }
  cases.push_back(
      OfPositive("div", "%y = graph.div %a, %positive : ($X, $X) -> $X"));
  cases.push_back(
      OfPositive("rsqrt", "%y = graph.rsqrt %positive : ($X) -> $X"));
  cases.push_back(Fused());
  cases.push_back(PaddingStaysZero());
  return cases;
}

}  // namespace millrace::ops
