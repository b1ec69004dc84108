// SPDX-License-Identifier: Apache-2.0
//
// What building any model's module takes: declared weights and states, entry
// points, labelled ops.
#ifndef MILLRACE_MODELS_FAMILIES_DECODER_GRAPH_MODULE_BUILDER_H_
#define MILLRACE_MODELS_FAMILIES_DECODER_GRAPH_MODULE_BUILDER_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/graph/ir/graph.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"

namespace millrace::families {

using Shape = llvm::ArrayRef<int64_t>;

class ModuleBuilder {
 public:
  explicit ModuleBuilder(mlir::ModuleOp module)
      : module_(module),
        symbols_(module),
        builder_(mlir::OpBuilder::atBlockEnd(module.getBody())),
        location_(module.getLoc()) {}

 protected:
  using Value = mlir::Value;

  // Labels the ops that follow.
  void At(llvm::StringRef label);

  // ---- Symbols ----

  // A weight that is `source` with `offset` added to each element.
  void DeclareWeight(llvm::StringRef symbol, llvm::StringRef source,
                     Shape shape, double offset);
  void DeclareState(llvm::StringRef symbol, Shape shape);

  Value Weight(std::string_view symbol) {
    return Get<graph::WeightOp, graph::GetWeightOp>(symbol);
  }
  Value State(std::string_view symbol) {
    return Get<graph::StateOp, graph::GetStateOp>(symbol);
  }
  bool HasWeight(std::string_view symbol) {
    return symbols_.lookup<graph::WeightOp>(llvm::StringRef(symbol)) != nullptr;
  }

  // A per-call value in [min, max]: the host's, or the sum of the parameters
  // `sum_of`.
  void DeclareParameter(llvm::StringRef symbol, int64_t min, int64_t max,
                        llvm::ArrayRef<llvm::StringRef> sum_of = {});
  Value Param(llvm::StringRef name) {
    return Create<graph::ParamOp>(builder_.getI32Type(), name);
  }

  // A constant f32 vector.
  Value Vector(llvm::ArrayRef<float> values);

  // ---- Entry points ----

  // A tensor that the host writes or reads, under the name that the plan gives
  // it.
  struct Port {
    llvm::StringRef name;
    mlir::Type type;
    llvm::StringRef bounded_by = {};  // the parameter that says how much counts
  };

  // Opens a function; returns its arguments.
  std::vector<Value> BeginEntry(llvm::StringRef name,
                                llvm::ArrayRef<Port> arguments,
                                llvm::ArrayRef<Port> results);
  void EndEntry(llvm::ArrayRef<Value> results);

  // ---- Ops and types ----

  template <typename Op, typename... Args>
  Value Create(Args&&... args) {
    return Op::create(builder_, location_, std::forward<Args>(args)...);
  }

  static mlir::RankedTensorType TypeOf(Value value) {
    return mlir::cast<mlir::RankedTensorType>(value.getType());
  }
  mlir::RankedTensorType FloatType(Shape shape) {
    return mlir::RankedTensorType::get(shape, builder_.getF32Type());
  }
  mlir::RankedTensorType IntegerType(Shape shape) {
    return mlir::RankedTensorType::get(shape, builder_.getI32Type());
  }
  // [1,1,tokens,channels].
  mlir::RankedTensorType RowsType(int64_t tokens, int64_t channels) {
    return FloatType({1, 1, tokens, channels});
  }

 private:
  template <typename Symbol, typename GetOp>
  Value Get(std::string_view symbol) {
    auto op = symbols_.lookup<Symbol>(llvm::StringRef(symbol));
    return Create<GetOp>(op.getType(), op.getSymName());
  }

  mlir::ModuleOp module_;
  mlir::SymbolTable symbols_;
  mlir::OpBuilder builder_;
  mlir::Location location_;
};

}  // namespace millrace::families

#endif  // MILLRACE_MODELS_FAMILIES_DECODER_GRAPH_MODULE_BUILDER_H_
