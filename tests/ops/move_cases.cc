// SPDX-License-Identifier: Apache-2.0
//
// Copies that change the index, and tables.
#include "absl/strings/substitute.h"
#include "tests/ops/op_case.h"

namespace millrace::ops {
namespace {

OpCase Make(const std::string& op,
            std::function<std::string(int64_t channels)> program) {
  OpCase result;
  result.op = op;
  result.program = std::move(program);
  result.tolerance = 0.0;  // values are copied
  return result;
}

std::string Relayout(int64_t c) {
  return absl::Substitute(R"mlir(
      func.func @main(%x: tensor<2x3x5x$0x$$T>) -> tensor<2x3x5x$0x$$T> {
        return %x : tensor<2x3x5x$0x$$T>
      })mlir",
                          c);
}

std::string Transpose(int64_t c) {
  return absl::Substitute(R"mlir(
      func.func @main(%x: tensor<1x3x5x$0x$$T>) -> (tensor<1x5x3x$0x$$T>, tensor<1x$0x5x3x$$T>) {
        %y = graph.transpose %x {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x3x5x$0x$$T>) -> tensor<1x5x3x$0x$$T>
        %z = graph.transpose %x {permutation = array<i64: 0, 3, 2, 1>} : (tensor<1x3x5x$0x$$T>) -> tensor<1x$0x5x3x$$T>
        return %y, %z : tensor<1x5x3x$0x$$T>, tensor<1x$0x5x3x$$T>
      })mlir",
                          c);
}

std::string Reshape(int64_t c) {
  return absl::Substitute(R"mlir(
      func.func @main(%x: tensor<1x1x6x$0x$$T>) -> (tensor<1x2x3x$0x$$T>, tensor<1x1x3x$1x$$T>) {
        %y = graph.reshape %x : (tensor<1x1x6x$0x$$T>) -> tensor<1x2x3x$0x$$T>
        %z = graph.reshape %x : (tensor<1x1x6x$0x$$T>) -> tensor<1x1x3x$1x$$T>
        return %y, %z : tensor<1x2x3x$0x$$T>, tensor<1x1x3x$1x$$T>
      })mlir",
                          c, 2 * c);
}

std::string Slice(int64_t c) {
  return absl::Substitute(R"mlir(
      func.func @main(%x: tensor<1x2x6x$1x$$T>) -> (tensor<1x2x4x$1x$$T>, tensor<1x2x6x$0x$$T>, tensor<1x2x6x$0x$$T>) {
        %y = graph.slice %x {axis = 2 : i64, offset = 1 : i64, size = 4 : i64} : (tensor<1x2x6x$1x$$T>) -> tensor<1x2x4x$1x$$T>
        %z = graph.slice %x {axis = 3 : i64, offset = 0 : i64, size = $0 : i64} : (tensor<1x2x6x$1x$$T>) -> tensor<1x2x6x$0x$$T>
        %u = graph.slice %x {axis = 3 : i64, offset = 3 : i64, size = $0 : i64} : (tensor<1x2x6x$1x$$T>) -> tensor<1x2x6x$0x$$T>
        return %y, %z, %u : tensor<1x2x4x$1x$$T>, tensor<1x2x6x$0x$$T>, tensor<1x2x6x$0x$$T>
      })mlir",
                          c, c + 3);
}

std::string Concat(int64_t c) {
  return absl::Substitute(R"mlir(
      func.func @main(%a: tensor<1x2x3x$0x$$T>, %b: tensor<1x2x3x6x$$T>) -> (tensor<1x2x3x$1x$$T>, tensor<1x2x6x$0x$$T>) {
        %y = graph.concat %a, %b {axis = 3 : i64} : (tensor<1x2x3x$0x$$T>, tensor<1x2x3x6x$$T>) -> tensor<1x2x3x$1x$$T>
        %z = graph.concat %a, %a {axis = 2 : i64} : (tensor<1x2x3x$0x$$T>, tensor<1x2x3x$0x$$T>) -> tensor<1x2x6x$0x$$T>
        return %y, %z : tensor<1x2x3x$1x$$T>, tensor<1x2x6x$0x$$T>
      })mlir",
                          c, c + 6);
}

std::string SelectRow(int64_t c) {
  return absl::Substitute(R"mlir(
      func.func @main(%x: tensor<1x1x5x$0x$$T>) -> tensor<1x1x1x$0x$$T> {
        %r = graph.param @row : i32
        %y = graph.select_row %x, %r : (tensor<1x1x5x$0x$$T>, i32) -> tensor<1x1x1x$0x$$T>
        return %y : tensor<1x1x1x$0x$$T>
      })mlir",
                          c);
}

std::string StoreState(int64_t c) {
  return absl::Substitute(R"mlir(
      graph.state @h : tensor<1x1x7x$0x$$T>
      func.func @main(%x: tensor<1x1x5x$0x$$T>) -> tensor<1x1x7x$0x$$T> {
        %h = graph.get_state @h : tensor<1x1x7x$0x$$T>
        %s = graph.store_state %h, %x : (tensor<1x1x7x$0x$$T>, tensor<1x1x5x$0x$$T>) -> tensor<1x1x7x$0x$$T>
        %y = graph.scale %s {factor = 2.0 : f32} : (tensor<1x1x7x$0x$$T>) -> tensor<1x1x7x$0x$$T>
        return %y : tensor<1x1x7x$0x$$T>
      })mlir",
                          c);
}

std::string Embedding(int64_t c) {
  return absl::Substitute(R"mlir(
      graph.weight @table sources ["table"] : tensor<9x$0x$$T>
      func.func @main(%ids: tensor<5xi32>) -> tensor<1x1x5x$0x$$T> {
        %t = graph.get_weight @table : tensor<9x$0x$$T>
        %y = graph.embedding %ids, %t : (tensor<5xi32>, tensor<9x$0x$$T>) -> tensor<1x1x5x$0x$$T>
        return %y : tensor<1x1x5x$0x$$T>
      })mlir",
                          c);
}

// The device chooses a token, keeps it in an i32 state and goes on from there.
// The rows of the table are random, so each call chooses another.
OpCase TokenState() {
  OpCase result = Make("token_state", [](int64_t c) {
    return absl::Substitute(R"mlir(
      graph.weight @table sources ["table"] : tensor<$0x$0x$$T>
      graph.state @token : tensor<1xi32>
      graph.state @kept : tensor<3xi32>
      func.func @main(%ids: tensor<2xi32>) -> (tensor<1x1x1x$0x$$T>, tensor<1xi32>, tensor<1x1x3x$0x$$T>) {
        %old = graph.get_state @token : tensor<1xi32>
        %t = graph.get_weight @table : tensor<$0x$0x$$T>
        %x = graph.embedding %old, %t : (tensor<1xi32>, tensor<$0x$0x$$T>) -> tensor<1x1x1x$0x$$T>
        %next = graph.argmax %x : (tensor<1x1x1x$0x$$T>) -> tensor<1xi32>
        %new = graph.store_state %old, %next : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
        %kept = graph.get_state @kept : tensor<3xi32>
        %two = graph.store_state %kept, %ids : (tensor<3xi32>, tensor<2xi32>) -> tensor<3xi32>
        %z = graph.embedding %two, %t : (tensor<3xi32>, tensor<$0x$0x$$T>) -> tensor<1x1x3x$0x$$T>
        return %x, %next, %z : tensor<1x1x1x$0x$$T>, tensor<1xi32>, tensor<1x1x3x$0x$$T>
      })mlir",
                            c);
  });
  result.channels = {5, 7, 130};
  result.calls = 3;
  return result;
}

// A tensor as wide as the tokens that is not of the tokens: computed whole,
// when two of 64 tokens are active.
OpCase WholeBesideTokens() {
  OpCase result = Make("whole_beside_tokens", [](int64_t c) {
    return absl::Substitute(R"mlir(
      graph.weight @table sources ["table"] : tensor<9x$0x$$T>
      func.func @main(%ids: tensor<64xi32> {graph.bounded_by = @active}, %x: tensor<1x3x64x$0x$$T>)
          -> (tensor<1x1x1x$0x$$T>, tensor<1x3x64x$0x$$T>) {
        %t = graph.get_weight @table : tensor<9x$0x$$T>
        %e = graph.embedding %ids, %t : (tensor<64xi32>, tensor<9x$0x$$T>) -> tensor<1x1x64x$0x$$T>
        %r = graph.param @row : i32
        %y = graph.select_row %e, %r : (tensor<1x1x64x$0x$$T>, i32) -> tensor<1x1x1x$0x$$T>
        %z = graph.scale %x {factor = 2.0 : f32} : (tensor<1x3x64x$0x$$T>) -> tensor<1x3x64x$0x$$T>
        return %y, %z : tensor<1x1x1x$0x$$T>, tensor<1x3x64x$0x$$T>
      })mlir",
                            c);
  });
  result.channels = {3, 8};
  return result;
}

}  // namespace

std::vector<OpCase> MoveCases() {
  std::vector<OpCase> cases = {
      Make("relayout", Relayout),      Make("transpose", Transpose),
      Make("reshape", Reshape),        Make("slice", Slice),
      Make("concat", Concat),          Make("select_row", SelectRow),
      Make("store_state", StoreState), Make("embedding", Embedding)};
  for (OpCase& op_case : cases) {
    op_case.params = {0, 5, 5, 3};
  }
  cases.push_back(TokenState());
  cases.push_back(WholeBesideTokens());
  cases.back().params = {0, 2, 2, 1};
  return cases;
}

}  // namespace millrace::ops
