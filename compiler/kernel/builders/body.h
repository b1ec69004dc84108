// SPDX-License-Identifier: Apache-2.0
//
// A small language for kernel bodies, so that a builder reads like the
// algorithm it writes: `Val` is a value being computed, its operators append
// the op, `Body` has loops, branches, ids and access to tensors. Nothing here
// knows about layouts or devices.
#ifndef MILLRACE_COMPILER_KERNEL_BUILDERS_BODY_H_
#define MILLRACE_COMPILER_KERNEL_BUILDERS_BODY_H_

#include <cstdint>
#include <vector>

#include "compiler/kernel/ir/kernel.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "mlir/IR/Builders.h"

namespace millrace::kernel {

class Body;

// A value of index, i32, f32 or a vector of f32 or i32 type. Operators need
// operands of one type; integers stand for index constants. Division and
// remainder are unsigned on index.
class Val {
 public:
  Val() = default;
  Val(Body* body, mlir::Value value) : body_(body), value_(value) {}

  Body* body() const { return body_; }
  mlir::Value value() const { return value_; }
  operator mlir::Value() const { return value_; }  // NOLINT: ops take values
  bool IsFloat() const;

 private:
  Body* body_ = nullptr;
  mlir::Value value_;
};

Val operator+(Val a, Val b);
Val operator-(Val a, Val b);
Val operator*(Val a, Val b);
Val operator/(Val a, Val b);
Val operator%(Val a, Val b);
Val operator+(Val a, int64_t b);
Val operator-(Val a, int64_t b);
Val operator*(Val a, int64_t b);
Val operator/(Val a, int64_t b);
Val operator%(Val a, int64_t b);

// Comparisons of index or i32 values (signed), lane by lane of vectors.
Val Less(Val a, Val b);
Val LessEqual(Val a, Val b);
Val Equal(Val a, Val b);
Val EqualFloat(Val a, Val b);
Val LessFloat(Val a, Val b);
// By the bits: comparisons are taken to have no NaN by some languages.
Val IsNotFinite(Val value);
Val And(Val a, Val b);
Val Select(Val condition, Val yes, Val no);

// Arithmetic that has no operator.
Val MultiplyAdd(Val a, Val b, Val c);  // a * b + c
Val Max(Val a, Val b);                 // of floats
Val Min(Val a, Val b);                 // of index values
Val Exp(Val a);
Val Rsqrt(Val a);
Val FloatToInt(Val a);  // f32 -> i32, towards zero
Val Sin(Val a);
Val Cos(Val a);
Val Tanh(Val a);

// The same value, under this name in the source text.
Val Named(Val value, llvm::StringRef name);

// Vectors.
Val Lane(Val vector, int64_t lane);
Val Broadcast(Val scalar, int64_t lanes);
Val Pack(std::vector<Val> scalars);
Val Shuffle(Val vector, std::vector<int64_t> lanes);
// The lanes of vectors of one width, one after the other; a single vector as it
// is. `Part` is the inverse: lanes index * lanes and on, `lanes` of them.
Val Join(const std::vector<Val>& vectors);
Val Part(Val vector, int64_t index, int64_t lanes);
Val SumLanes(Val vector);
// Of 16 lanes: the sums of each four neighbours, as a vector of four.
Val SumFours(Val vector);
Val MaxLanes(Val vector);

// Appends to the body of one kernel.
class Body {
 public:
  Body(mlir::OpBuilder& builder, mlir::Location loc)
      : builder_(builder), loc_(loc) {}

  mlir::OpBuilder& builder() { return builder_; }
  mlir::Location loc() const { return loc_; }
  Val Wrap(mlir::Value value) { return Val(this, value); }

  Val Index(int64_t value);
  Val Float(double value);  // f32
  Val FloatVector(double value, int64_t lanes);
  Val IntVector(std::vector<int32_t> values);  // i32 lanes
  Val ToInt(Val index);                        // index -> i32
  Val ToIndex(Val i32);                        // i32 -> index, not negative
  Val ToFloat(Val integer);                    // index or i32 -> f32

  Val GlobalId(int64_t dimension);
  Val LocalId(int64_t dimension);
  Val GroupId(int64_t dimension);
  Val Param(mlir::FlatSymbolRefAttr parameter);  // index

  // Logical coordinates; see kernel.read. `Read` yields what the lanes hold,
  // `ReadBlock` 4 x 4 elements of a weight, O-major.
  Val Read(mlir::Value tensor, std::vector<Val> at);
  Val ReadBlock(mlir::Value tensor, std::vector<Val> at);
  void Write(Val value, mlir::Value tensor, std::vector<Val> at);
  Val ReadElement(mlir::Value tensor, std::vector<Val> at);
  void WriteElement(Val value, mlir::Value tensor, std::vector<Val> at);

  // Over the group, or over some of its dimensions.
  Val GroupSum(Val value, std::vector<int64_t> over = {});
  Val GroupMax(Val value, std::vector<int64_t> over = {});

  // for (i = from; i < to; i += step) with values carried from step to step.
  using LoopBody =
      llvm::function_ref<std::vector<Val>(Val i, std::vector<Val> carried)>;
  std::vector<Val> For(Val from, Val to, int64_t step, std::vector<Val> carried,
                       LoopBody body);
  void For(Val from, Val to, int64_t step,
           llvm::function_ref<void(Val i)> body);

  void If(Val condition, llvm::function_ref<void()> then);

 private:
  mlir::OpBuilder& builder_;
  mlir::Location loc_;
};

}  // namespace millrace::kernel

#endif  // MILLRACE_COMPILER_KERNEL_BUILDERS_BODY_H_
