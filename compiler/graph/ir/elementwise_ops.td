// SPDX-License-Identifier: Apache-2.0
//
// Element-wise ops: every operand and the result have one shape.

#ifndef MILLRACE_COMPILER_GRAPH_IR_ELEMENTWISE_OPS_TD_
#define MILLRACE_COMPILER_GRAPH_IR_ELEMENTWISE_OPS_TD_

include "compiler/graph/ir/graph_dialect.td"
include "compiler/graph/ir/graph_interfaces.td"

// `elementwise_c1`: operands and result have the same shape (the trait checks it).
class Graph_ElementwiseBase<string mnemonic, list<Trait> traits = []>
    : Graph_Op<mnemonic, !listconcat(traits, [
        Pure, SameOperandsAndResultShape,
        DeclareOpInterfaceMethods<Graph_ElementwiseOpInterface>
      ])> {
  let results = (outs Graph_FloatTensor:$result);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}

class Graph_UnaryOp<string mnemonic, string formula>
    : Graph_ElementwiseBase<mnemonic> {
  let summary = "y = " # formula;
  let description = "y = " # formula # [{, for each element; `elementwise_c1`: equal shapes.

    ```mlir
    %y = graph.}] # mnemonic # [{ %x : (tensor<1x1x8x96xf32>) -> tensor<1x1x8x96xf32>
    ```
  }];
  let arguments = (ins Graph_FloatTensor:$input);
  let hasFolder = 1;
}

class Graph_BinaryOp<string mnemonic, string formula, list<Trait> traits = []>
    : Graph_ElementwiseBase<mnemonic, traits> {
  let summary = "y = " # formula;
  let description = "y = " # formula # [{, for each element; `elementwise_c1`: equal shapes.

    ```mlir
    %y = graph.}] # mnemonic # [{ %a, %b : (tensor<1x1x8x96xf32>, tensor<1x1x8x96xf32>) -> tensor<1x1x8x96xf32>
    ```
  }];
  let arguments = (ins Graph_FloatTensor:$lhs, Graph_FloatTensor:$rhs);
  let hasFolder = 1;
}

def Graph_SiluOp : Graph_UnaryOp<"silu", "x * sigmoid(x) = x / (1 + exp(-x))">;
def Graph_GeluOp : Graph_UnaryOp<"gelu", "x * Phi(x) = 0.5 x (1 + erf(x / sqrt(2)))">;
def Graph_GeluTanhOp : Graph_UnaryOp<"gelu_tanh", "0.5 x (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3)))">;
def Graph_QuickGeluOp : Graph_UnaryOp<"quick_gelu", "x / (1 + exp(-1.702 x))">;
def Graph_ExpOp : Graph_UnaryOp<"exp", "e^x">;
def Graph_NegOp : Graph_UnaryOp<"neg", "-x">;
def Graph_TanhOp : Graph_UnaryOp<"tanh", "tanh(x)">;
def Graph_RsqrtOp : Graph_UnaryOp<"rsqrt", "1 / sqrt(x)">;

def Graph_AddOp : Graph_BinaryOp<"add", "a + b", [Commutative]>;
def Graph_SubOp : Graph_BinaryOp<"sub", "a - b">;
def Graph_MulOp : Graph_BinaryOp<"mul", "a * b", [Commutative]>;
def Graph_DivOp : Graph_BinaryOp<"div", "a / b">;

def Graph_ScaleOp : Graph_ElementwiseBase<"scale"> {
  let summary = "y = x * factor";
  let description = [{
    y = x * factor, for each element; `elementwise_c1`: equal shapes.

    ```mlir
    %y = graph.scale %x {factor = 0.5 : f32} : (tensor<1x1x8x96xf32>) -> tensor<1x1x8x96xf32>
    ```
  }];
  let arguments = (ins Graph_FloatTensor:$input, F32Attr:$factor);
  let hasFolder = 1;
}

#endif  // MILLRACE_COMPILER_GRAPH_IR_ELEMENTWISE_OPS_TD_
