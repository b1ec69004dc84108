// SPDX-License-Identifier: Apache-2.0
//
// The dialect `kernel` itself. Include order: dialect, enums, attrs, types, then
// the op families (functions, ids, access, local), which kernel.td collects.

#ifndef MILLRACE_COMPILER_KERNEL_IR_DIALECT_TD_
#define MILLRACE_COMPILER_KERNEL_IR_DIALECT_TD_

include "mlir/IR/OpBase.td"

def KernelDialect : Dialect {
  let name = "kernel";
  let cppNamespace = "::millrace::kernel";
  let summary = "How one GPU dispatch computes.";
  let description = [{
    Above it is `graph` with layouts (what is computed, where each tensor lives);
    below it is the source text of a kernel language.

    A `kernel.func` is one dispatch. It goes through two forms:

    * *virtual*, as the builders write it: arguments are tensors with a layout
      and the body reads and writes them in logical coordinates
      (`kernel.read`, `kernel.write` and their `_element` variants). The same body
      serves every layout;
    * *physical*, after `kernel-resolve-access`: arguments are `!kernel.object`s,
      one for each physical object of each layout, and the body addresses
      texels and vectors (`kernel.load`, `kernel.store`). Emitters print this
      form only.

    Bodies are upstream `arith`, `math`, `scf`, `vector` and `memref` (on local
    memory) plus the ops here. Ids, loop counters and coordinates are `index`;
    values are `f32`, vectors of it, or `i32`. Half precision exists in storage
    only: loads widen and stores narrow.
  }];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
}

class KernelOp<string mnemonic, list<Trait> traits = []>
    : Op<KernelDialect, mnemonic, traits>;

#endif  // MILLRACE_COMPILER_KERNEL_IR_DIALECT_TD_
