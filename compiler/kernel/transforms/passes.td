// SPDX-License-Identifier: Apache-2.0
//
// Passes of the dialect `kernel`, in the order in which they run.

#ifndef MILLRACE_COMPILER_KERNEL_TRANSFORMS_PASSES_TD_
#define MILLRACE_COMPILER_KERNEL_TRANSFORMS_PASSES_TD_

include "mlir/Pass/PassBase.td"

def ResolveAccessPass : Pass<"kernel-resolve-access", "::millrace::kernel::FuncOp"> {
  let summary = "Tensors in logical coordinates become objects in physical ones";
  let description = [{
    Each tensor argument becomes the physical objects of its layout, and each virtual
    access loads and stores of them. Coordinates are the layout's digits as index
    arithmetic, simplified; the object is chosen here where the access tells which.
    Writes zero the padding of their slice; rows that end within a slice are
    guarded. A kernel that uses parameters gets the parameter buffer as its last
    argument.

    ```mlir
    kernel.func @f(%x: tensor<1x1x8x64xf32, #layout.of<texture_2d, "HSWBDC4">>) ... {
      %v = kernel.read %x[%c0, %c0, %w, %s] : tensor<..> -> vector<4xf32>
    // becomes
    kernel.func @f(%x: !kernel.object<texture_2d, 4 x f32, read>) ... {
      %v = kernel.load %x[%w, %s] : !kernel.object<texture_2d, 4 x f32, read> -> vector<4xf32>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

def ExpandGroupReducePass : Pass<"kernel-expand-group-reduce", "::millrace::kernel::FuncOp"> {
  let summary = "Group reductions become a tree in local memory";
  let description = [{
    Every item stores its value; then a quarter of them add three others' each, and
    so on between barriers, until the few values that are left are read by all.
    Groups of any size and reductions over some dimensions of the group are handled.

    ```mlir
    %total = kernel.group_reduce add %sum : f32
    // becomes
    memref.store %sum, %shared[%lid]
    kernel.barrier
    scf.if %lid < 8 { %shared[%lid] += %shared[%lid + 8] + %shared[%lid + 16] + %shared[%lid + 24] }
    kernel.barrier
    %total = %shared[0] + ... + %shared[7]
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

def FormDotProductsPass : Pass<"kernel-form-dot-products", "::millrace::kernel::FuncOp"> {
  let summary = "Sums of products of vectors of four become dot products";
  let description = [{
    ```mlir
    %p = arith.mulf %a, %b : vector<4xf32>
    %d = vector.reduction <add>, %p : vector<4xf32> into f32
    // becomes
    %d = kernel.dot %a, %b : vector<4xf32>
    ```
  }];
}

def SimplifyIndexPass : Pass<"kernel-simplify-index", "::millrace::kernel::FuncOp"> {
  let summary = "Index arithmetic that folds away does";
  let description = [{
    Each index that something else than index arithmetic uses is written in the normal
    form of `layout/expr.h`: multiples leave divisions, quotients of quotients and
    remainders of remainders become one, a quotient and its remainder what they were
    taken of; what is known of local ids, loops and clamps decides more. It is replaced
    if that costs fewer divisions, or as many and less else. What may be negative is
    not divided. Running the pass again changes nothing.

    ```mlir
    %a = arith.muli %w, %c8 : index
    %b = arith.addi %a, %c5 : index
    %q = arith.divui %b, %c4 : index
    // becomes 2 * w + 1
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def ExpandHalfAccessPass : Pass<"kernel-expand-half-access", "::millrace::kernel::FuncOp"> {
  let summary = "Says how f16 in buffers is accessed on this device";
  let description = [{
    Sets `half` on each load and store of an f16 buffer: `native` (the language has
    the type and converts), `vload` and `vloada` (built-ins that convert, the latter
    for aligned vectors), or `bits` (integer arithmetic on the bits, exact, for
    devices whose built-ins are slow).
  }];
  let options = [
    Option<"half_", "half", "std::string", "\"vload\"", "native, vload, vloada, bits or ptx">
  ];
}

def ExpandWideVectorsPass : Pass<"kernel-expand-wide-vectors", "::millrace::kernel::FuncOp"> {
  let summary = "Vectors of 16 become four vectors of 4";
  let description = [{
    For languages whose vectors end at four elements. Loads, stores, loop and
    branch values, element-wise arithmetic and the ops of `vector` that take
    vectors apart and put them together are rewritten on quarters.
  }];
  let options = [
    Option<"maxWidth", "max-width", "int64_t", "4", "the widest vector that the language has">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::vector::VectorDialect"];
}

def DeduplicateKernelsPass : Pass<"kernel-deduplicate", "::mlir::ModuleOp"> {
  let summary = "One kernel for all that compute the same";
  let description = [{
    Kernels whose bodies, arguments and group sizes are equal but for names become one, the
    first; dispatches of the others dispatch it. Kernels that nothing dispatches go
    too if `drop-unused` is set. Those left whose name ends in a number are numbered
    anew, each kind without gaps.
  }];
  let options = [
    Option<"dropUnused", "drop-unused", "bool", "false", "drop kernels without a dispatch">
  ];
}

def LegalizeNamesPass : Pass<"kernel-legalize-names", "::mlir::ModuleOp"> {
  let summary = "Kernels and arguments get names that the kernel languages allow";
  let description = [{
    Letters, digits and underscores; no keyword, type or built-in function of OpenCL C
    or the Metal shading language; no two alike.

    ```mlir
    kernel.func @"layers.0.attn"(%half: ..., ...)   // becomes @layers_0_attn, "half_"
    ```
  }];
}

#endif  // MILLRACE_COMPILER_KERNEL_TRANSFORMS_PASSES_TD_
