// SPDX-License-Identifier: Apache-2.0
//
// RMS normalisation, alone and with the residual sum before it (paper section
// 3.6, Fig. 4): one work-group for each row, which its items share by slices.
#include "compiler/kernel/builders/families.h"

namespace millrace::kernel {
namespace {

// `x` has the rows that are normalised.
Spec MakeSpec(mlir::Value x, const Lowering& lowering) {
  const Extents extents = ExtentsOf(x);
  const int64_t items =
      std::min(lowering.profile().reduce_items,
               static_cast<int64_t>(llvm::PowerOf2Ceil(extents.slices())));
  Spec spec;
  spec.group = {items, 1, 1};
  spec.grid = {lowering.Groups(1), lowering.RowGroups(x, 1),
               lowering.Groups(extents.b * extents.h)};
  spec.flops = 4 * extents.b * extents.h * extents.w * extents.c;
  return spec;
}

// Sum over the row of the squares of what `value(s)` gives for slice s. Padded
// channels are 0 in storage, so they add nothing.
Val SumOfSquares(Body& body, int64_t slices, int64_t items,
                 llvm::function_ref<Val(Val s)> value) {
  std::vector<Val> partial = body.For(
      body.LocalId(0), body.Index(slices), items,
      {body.FloatVector(0.0, kSlice)}, [&](Val s, std::vector<Val> carried) {
        Val v = value(s);
        return std::vector<Val>{MultiplyAdd(v, v, carried.front())};
      });
  return body.GroupSum(SumLanes(partial.front()));
}

// 1 / sqrt(mean of squares + eps)
Val InverseRms(Body& body, Val sum, int64_t channels, double eps) {
  Val mean =
      Named(sum * body.Float(1.0 / static_cast<double>(channels)), "mean");
  return Named(Broadcast(Rsqrt(mean + body.Float(eps)), kSlice), "scale");
}

}  // namespace

mlir::LogicalResult LowerRmsNorm(graph::RmsNormOp op, Lowering& lowering) {
  const Extents extents = ExtentsOf(op.getInput());
  const double eps = op.getEps().convertToDouble();
  Spec spec = MakeSpec(op.getResult(), lowering);
  spec.name = "rms_norm";
  spec.inputs = {{"x", op.getInput()}, {"gamma", op.getGamma()}};
  spec.outputs = {"y"};
  const int64_t items = spec.group[0];
  lowering.Emit(op, spec, [&](Body& body, auto arguments) {
    mlir::Value x = arguments[0], gamma = arguments[1], y = arguments[2];
    Val w = Named(body.GroupId(1), "w");
    const BatchHeight bh = SplitBatchHeight(body, body.GroupId(2), extents);
    Val sum = SumOfSquares(body, extents.slices(), items, [&](Val s) {
      return body.Read(x, {bh.b, bh.h, w, s});
    });
    Val scale = InverseRms(body, sum, extents.c, eps);
    body.For(body.LocalId(0), body.Index(extents.slices()), items, [&](Val s) {
      Val v = body.Read(x, {bh.b, bh.h, w, s});
      body.Write(v * scale * body.Read(gamma, {s}), y, {bh.b, bh.h, w, s});
    });
  });
  return mlir::success();
}

mlir::LogicalResult LowerAddRmsNorm(graph::AddRmsNormOp op,
                                    Lowering& lowering) {
  const Extents extents = ExtentsOf(op.getLhs());
  const double eps = op.getEps().convertToDouble();
  Spec spec = MakeSpec(op.getSum(), lowering);
  spec.name = "add_rms_norm";
  spec.inputs = {
      {"a", op.getLhs()}, {"b", op.getRhs()}, {"gamma", op.getGamma()}};
  spec.outputs = {"sum", "norm"};
  const int64_t items = spec.group[0];
  lowering.Emit(op, spec, [&](Body& body, auto arguments) {
    mlir::Value lhs = arguments[0], rhs = arguments[1], gamma = arguments[2];
    mlir::Value sum_out = arguments[3], norm_out = arguments[4];
    Val w = Named(body.GroupId(1), "w");
    const BatchHeight bh = SplitBatchHeight(body, body.GroupId(2), extents);
    // The sum is written here and read again from its inputs below: a texture
    // that a kernel writes cannot be read by it.
    auto add = [&](Val s) {
      return body.Read(lhs, {bh.b, bh.h, w, s}) +
             body.Read(rhs, {bh.b, bh.h, w, s});
    };
    Val squares = SumOfSquares(body, extents.slices(), items, [&](Val s) {
      Val v = add(s);
      body.Write(v, sum_out, {bh.b, bh.h, w, s});
      return v;
    });
    Val scale = InverseRms(body, squares, extents.c, eps);
    body.For(body.LocalId(0), body.Index(extents.slices()), items, [&](Val s) {
      Val v = add(s);
      body.Write(v * scale * body.Read(gamma, {s}), norm_out,
                 {bh.b, bh.h, w, s});
    });
  });
  return mlir::success();
}

}  // namespace millrace::kernel
