// SPDX-License-Identifier: Apache-2.0
//
// Labels: what a person calls an op, such as "layers.0.attn.qkv". The label is
// the op's NameLoc; a pass that makes one op of several gives it the label of
// the op that does the main work, or a merged one. It ends up on the dispatch.
#ifndef MILLRACE_COMPILER_GRAPH_IR_LABEL_H_
#define MILLRACE_COMPILER_GRAPH_IR_LABEL_H_

#include <string>

#include "llvm/ADT/ArrayRef.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/Operation.h"

namespace millrace::graph {

// The name of a NameLoc, of the first one of a FusedLoc (which MLIR's own
// passes make), else "".
std::string LabelIn(mlir::Location location);

// The label in the op's location, else the op's name without its dialect
// ("rms_norm").
std::string LabelOf(mlir::Operation* op);

mlir::Location NamedLocation(mlir::MLIRContext* context, llvm::StringRef label);

// One label for several: what is common up to a dot, then the rests joined,
// with '_' unless each is one letter. {"a.q", "a.k"} -> "a.qk";
// {"m.gate", "m.up"} -> "m.gate_up". `labels` is not empty.
std::string MergeLabels(llvm::ArrayRef<std::string> labels);

}  // namespace millrace::graph

#endif  // MILLRACE_COMPILER_GRAPH_IR_LABEL_H_
