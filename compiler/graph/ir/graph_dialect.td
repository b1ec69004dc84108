// SPDX-License-Identifier: Apache-2.0
//
// The dialect, and what all its ops share. Include order of this folder:
// dialect -> interfaces -> one file an op family -> graph_ops.td.

#ifndef MILLRACE_COMPILER_GRAPH_IR_GRAPH_DIALECT_TD_
#define MILLRACE_COMPILER_GRAPH_IR_GRAPH_DIALECT_TD_

include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/OpBase.td"

def Graph_Dialect : Dialect {
  let name = "graph";
  let cppNamespace = "::millrace::graph";
  let summary = "What a model computes, in the words of the model";
  let description = [{
    Above it: a model's config, from which models/families builds a module.
    Below it: the same ops with layouts on their types, then kernels.

    A module holds symbols (`graph.weight`, `graph.state`, `graph.parameter`)
    and one public `func.func` an entry point. Entry points share weights and states. The data
    of weights is never inlined, so that a graph depends on the config only.

    Tensors are ranked and static. Activations are `BxHxWxC`: W counts token
    positions, C channels. An element type (f32, f16) is how a value is
    *stored*; arithmetic is f32, whatever the storage, so the element types of
    an op's operands may differ. The encoding of a tensor type is its layout;
    no op of this dialect looks at it.

    What varies from call to call is a `graph.parameter`, an i32 in a declared
    range. An argument may be bounded by one (`graph.bounded_by`): what lies
    beyond is padding that never reaches a state, and what is computed from it
    is unspecified. `compiler/graph/analysis` follows the bound through the ops.

    Ops that update a state do it in place: their result is the same storage
    as the operand, under a new name that orders the later reads.

    Constraints are labelled (`linear_c1`); the verifier quotes the label.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect"
  ];
  let hasConstantMaterializer = 1;
  let hasRegionArgAttrVerify = 1;
}

class Graph_Op<string mnemonic, list<Trait> traits = []>
    : Op<Graph_Dialect, mnemonic, traits>;

// The memory behind `graph.state` symbols.
def Graph_StateResource : Resource<"::millrace::graph::StateResource">;
def Graph_ReadsState : MemoryEffects<[MemRead<Graph_StateResource>]>;
def Graph_UpdatesState
    : MemoryEffects<[MemRead<Graph_StateResource>, MemWrite<Graph_StateResource>]>;

class Graph_StaticTensor<list<Type> elements, list<Pred> predicates, string what>
    : RankedTensorOf<elements, !listconcat([HasStaticShapePred], predicates),
                     "static " # what>;

def Graph_Tensor : Graph_StaticTensor<[F32, F16, I32], [], "tensor">;
def Graph_FloatTensor : Graph_StaticTensor<[F32, F16], [], "tensor">;
def Graph_Vector : Graph_StaticTensor<[F32, F16], [HasAnyRankOfPred<[1]>], "1D tensor">;
def Graph_Table : Graph_StaticTensor<[F32, F16], [HasAnyRankOfPred<[2]>], "2D tensor">;
def Graph_Cache : Graph_StaticTensor<[F32, F16], [HasAnyRankOfPred<[3]>], "3D tensor">;
def Graph_LinearWeight
    : Graph_StaticTensor<[F32, F16], [HasAnyRankOfPred<[2, 3]>], "2D or 3D tensor">;
def Graph_Activation
    : Graph_StaticTensor<[F32, F16], [HasAnyRankOfPred<[4]>], "4D tensor (BxHxWxC)">;
def Graph_Tokens : Graph_StaticTensor<[I32], [HasAnyRankOfPred<[1]>], "1D tensor">;

def Graph_Rows : AnyTypeOf<[Graph_Activation, Graph_Tokens]>;

def Graph_Positive : ConfinedAttr<I64Attr, [IntPositive]>;
def Graph_NonNegative : ConfinedAttr<I64Attr, [IntNonNegative]>;

#endif  // MILLRACE_COMPILER_GRAPH_IR_GRAPH_DIALECT_TD_
