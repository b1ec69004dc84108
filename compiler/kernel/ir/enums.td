// SPDX-License-Identifier: Apache-2.0
//
// Enumerations of the dialect `kernel`.

#ifndef MILLRACE_COMPILER_KERNEL_IR_ENUMS_TD_
#define MILLRACE_COMPILER_KERNEL_IR_ENUMS_TD_

include "mlir/IR/EnumAttr.td"
include "compiler/kernel/ir/dialect.td"

def AccessEnum : I32EnumAttr<"Access", "what a kernel does to an object", [
    I32EnumAttrCase<"kRead", 0, "read">,
    I32EnumAttrCase<"kWrite", 1, "write">,
    I32EnumAttrCase<"kReadWrite", 2, "read_write">,
  ]> {
  let cppNamespace = "::millrace::kernel";
  let genSpecializedAttr = 0;
}

def ReduceKindEnum : I32EnumAttr<"ReduceKind", "how a group combines values", [
    I32EnumAttrCase<"kAdd", 0, "add">,
    I32EnumAttrCase<"kMax", 1, "max">,
  ]> {
  let cppNamespace = "::millrace::kernel";
  let genSpecializedAttr = 0;
}
def ReduceKindAttr : EnumAttr<KernelDialect, ReduceKindEnum, "reduce_kind">;

def HalfSpellingEnum : I32EnumAttr<"HalfSpelling", "how a buffer of f16 is accessed", [
    I32EnumAttrCase<"kNative", 0, "native">,
    I32EnumAttrCase<"kVload", 1, "vload">,
    I32EnumAttrCase<"kVloada", 2, "vloada">,
    I32EnumAttrCase<"kBits", 3, "bits">,
    I32EnumAttrCase<"kPtx", 4, "ptx">,
  ]> {
  let cppNamespace = "::millrace::kernel";
  let genSpecializedAttr = 0;
}
def HalfSpellingAttr : EnumAttr<KernelDialect, HalfSpellingEnum, "half">;

#endif  // MILLRACE_COMPILER_KERNEL_IR_ENUMS_TD_
