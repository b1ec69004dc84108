// SPDX-License-Identifier: Apache-2.0
//
// The passes of the graph phase: what is computed stays the same, in fewer and
// larger ops. passes.cc says in which order they run and why.
#ifndef MILLRACE_COMPILER_GRAPH_TRANSFORMS_PASSES_TD_
#define MILLRACE_COMPILER_GRAPH_TRANSFORMS_PASSES_TD_

include "mlir/Pass/PassBase.td"

def FoldConstantsPass : Pass<"graph-fold-constants", "::mlir::func::FuncOp"> {
  let summary = "evaluates ops whose operands are all constants";
  let description = [{
    Element-wise work on small tables is done here, once, instead of by every
    dispatch; the dialect's canonicalisations run with it, so that shape ops
    that do nothing are gone before other passes look for patterns.

    ```mlir
    %a = graph.constant dense<[1.0, 2.0]> : tensor<2xf32>
    %b = graph.scale %a {factor = 3.0 : f32} : tensor<2xf32>
    // becomes
    %b = graph.constant dense<[3.0, 6.0]> : tensor<2xf32>
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect"
  ];
}

def MergeProjectionsPass
    : Pass<"graph-merge-projections", "::mlir::ModuleOp"> {
  let summary = "makes one linear op of those that share their input";
  let description = [{
    The Q, K and V of attention, the gate and up of an MLP: their weights are
    concatenated along O into a new symbol with all the sources, and each old
    result becomes a slice; so do their biases, where all have one. Entry points that merge the same weights share the
    new symbol; weights that nobody reads any more are erased.

    ```mlir
    graph.weight @l.q sources ["q"] : tensor<8x4xf32>
    graph.weight @l.k sources ["k"] : tensor<2x4xf32>
    %q = graph.linear %x, %wq : (tensor<1x1x3x4xf32>, tensor<8x4xf32>) -> tensor<1x1x3x8xf32>
    %k = graph.linear %x, %wk : (tensor<1x1x3x4xf32>, tensor<2x4xf32>) -> tensor<1x1x3x2xf32>
    // becomes
    graph.weight @l.qk sources ["q", "k"] : tensor<10x4xf32>
    %qk = graph.linear %x, %wqk : (tensor<1x1x3x4xf32>, tensor<10x4xf32>) -> tensor<1x1x3x10xf32>
    %q = graph.slice %qk {axis = 3, offset = 0, size = 8} : ...
    %k = graph.slice %qk {axis = 3, offset = 8, size = 2} : ...
    ```
  }];
}

def FuseRopePass : Pass<"graph-fuse-rope", "::mlir::func::FuncOp"> {
  let summary = "fuses attention with the rotation before it and the appends beside it";
  let description = [{
    One op reads the merged projection, turns Q and K, attends, and writes K and
    V where the caches want them. Section 3.6 of the paper writes the rotation
    and the re-layout of Q, K and V by hand as one kernel; with attention in the
    same op, decoding needs one dispatch for all of it.

    ```mlir
    %q = graph.slice %qkv {...}         // and %k, %v
    %qr = graph.rope %q, %f, %position  // and %kr
    %y = graph.attend %qr, %kr, %v cache(%kc, %vc) at(%position) active(%active) {causal, ...}
    %kn = graph.append_cache %kc, %kr, %position, %active {token_axis = 1}
    %vn = graph.append_cache %vc, %v, %position, %active {token_axis = 2}
    // becomes
    %y, %kn, %vn = graph.attend_qkv %qkv, %f, %kc, %vc, %position, %active {...}
    ```
  }];
}

def ExpandAttentionPass
    : Pass<"graph-expand-attention", "::mlir::func::FuncOp"> {
  let summary = "expresses attention on caches as linear ops whose weights they are";
  let description = [{
    The paper's schedule, of section 3.8; it runs with `attention=paper` only.
    The K cache is a weight with O = cache and I = head_dim, the V cache one with
    O = head_dim and I = cache, one group of weights per key-value head. The g
    queries that share a head lie along W, at s * g + g_i, so that each product
    is one linear op. The chunk is appended first. Scores are scaled before they
    are stored. How far the caches are filled is the `graph.parameter` that is
    declared as the sum of position and active; without one the op stays.

    ```mlir
    %y, %kn, %vn = graph.attend_qkv %qkv, %f, %kc, %vc, %position, %active {heads = 4, kv_heads = 2, scale = 0.5 : f32}
    // becomes
    %q, %kn, %vn = graph.rope_qkv %qkv, %f, %kc, %vc, %position, %active {...}
    %s = graph.linear %q, %kn active_out(%end) epilogue {...}     // 1 x h_kv x S*g x cache
    %p = graph.softmax %s causal(%position) active(%end) {group = g}
    %y = graph.linear %p, %vn active_in(%end) {merge_heads, ...}  // 1 x 1 x S x h_q*d
    ```

    A `graph.attend` with a cache becomes the same, after re-layouts of its
    queries. Without a cache it stays: its keys are no weight.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect"
  ];
}

def FuseResidualNormPass
    : Pass<"graph-fuse-residual-norm", "::mlir::func::FuncOp"> {
  let summary = "fuses a residual add with the RMS norm that reads it";
  let description = [{
    Figure 4, right, of the paper.

    ```mlir
    %s = graph.add %a, %b : tensor<1x1x3x8xf32>
    %n = graph.rms_norm %s, %gamma {eps = 1.0e-5 : f32} : ...
    // becomes
    %s, %n = graph.add_rms_norm %a, %b, %gamma {eps = 1.0e-5 : f32} : ...
    ```
  }];
}

def FuseElementwisePass
    : Pass<"graph-fuse-elementwise", "::mlir::func::FuncOp"> {
  let summary = "fuses element-wise chains, also into the linear op before them";
  let description = [{
    Chains become one `graph.elementwise`. A chain that is the only reader of a
    linear op becomes its epilogue; one that reads all the equal slices of a
    linear op (figure 4, left: the two branches of a gated MLP) becomes an
    epilogue over as many branches.

    ```mlir
    %g = graph.slice %gu {axis = 3, offset = 0, size = 8} : ...
    %u = graph.slice %gu {axis = 3, offset = 8, size = 8} : ...
    %a = graph.silu %g : ...
    %y = graph.mul %a, %u : ...
    // becomes
    %y = graph.linear %x, %w {branches = 2} {
    ^bb0(%g: f32, %u: f32):
      ...
      graph.yield %m : f32
    } : ...
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect"
  ];
}

def ChoosePrecisionPass
    : Pass<"graph-choose-precision", "::mlir::ModuleOp"> {
  let summary = "chooses the element type in which each tensor is stored";
  let description = [{
    Arithmetic is f32 whatever is chosen here. With `type=f16` activations,
    states and weights are stored as f16. What stays f32: what an entry point
    takes and returns, so the logits; norm weights (rank 1), which are tiny and
    multiply everything; `graph.constant` tables such as rotary frequencies,
    whose error would grow with the position.

    ```mlir
    %y = graph.linear %x, %w : (tensor<1x1x3x4xf32>, tensor<8x4xf32>) -> tensor<1x1x3x8xf32>
    // becomes
    %y = graph.linear %x, %w : (tensor<1x1x3x4xf16>, tensor<8x4xf16>) -> tensor<1x1x3x8xf16>
    ```
  }];
  let options = [
    Option<"type", "type", "std::string", "\"f32\"",
           "element type of activations, states and weights: f32 or f16">
  ];
}

#endif  // MILLRACE_COMPILER_GRAPH_TRANSFORMS_PASSES_TD_
