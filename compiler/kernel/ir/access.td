// SPDX-License-Identifier: Apache-2.0
//
// Reading and writing tensors: in logical coordinates, and in physical ones.

#ifndef MILLRACE_COMPILER_KERNEL_IR_ACCESS_TD_
#define MILLRACE_COMPILER_KERNEL_IR_ACCESS_TD_

include "mlir/Interfaces/SideEffectInterfaces.td"
include "compiler/kernel/ir/enums.td"
include "compiler/kernel/ir/types.td"

def ReadOp : KernelOp<"read"> {
  let summary = "Reads a slice of a tensor, in logical coordinates.";
  let description = [{
    One coordinate an axis. The axes that the lanes carry are in units of what the
    lanes hold: channels in slices of 4 of an activation; of weights in slices of 4
    as well (I of the form I4, O of the form O4, both of O4I4). Of a layout with
    one lane a slice is four neighbours along the last axis, those past the end
    read as 0. A read of 16 elements of a rank-2 or rank-3 weight is a block of
    4 x 4 along its last two axes, the last axis fastest, whatever form the layout
    has; both coordinates are in slices then.

    Coordinates must be in range; the padding of the tensor may be read, and a
    weight's or activation's is 0.

    ```mlir
    %v = kernel.read %x[%b, %h, %w, %s] : tensor<1x1x8x64xf32, #act> -> vector<4xf32>
    ```

    (R1) one coordinate an axis. (R2) elements are floats. (R3) the result has as
    many elements as the lanes (4 if there is one lane), or 16 of a weight.
  }];
  let arguments = (ins
    Arg<AnyTensorOfStorage, "", [MemRead]>:$source,
    Variadic<Index>:$indices
  );
  let results = (outs FloatVector:$result);
  let assemblyFormat =
      "$source `[` $indices `]` attr-dict `:` type($source) `->` type($result)";
  let builders = [
    // With the vector that the layout's lanes hold.
    OpBuilder<(ins "::mlir::Value":$source, "::mlir::ValueRange":$indices)>
  ];
  let hasVerifier = 1;
}

def WriteOp : KernelOp<"write"> {
  let summary = "Writes a slice of a tensor, in logical coordinates.";
  let description = [{
    The counterpart of `kernel.read`. Lanes past the end of the axis are written
    as 0 where the layout has room for them, whatever the value holds, and not at
    all where it has not.

    ```mlir
    kernel.write %v, %y[%b, %h, %w, %s] : vector<4xf32>, tensor<1x1x8x64xf32, #act>
    ```

    (W1) one coordinate an axis. (W2) elements are floats. (W3) as R3.
  }];
  let arguments = (ins
    FloatVector:$value,
    Arg<AnyTensorOfStorage, "", [MemWrite]>:$target,
    Variadic<Index>:$indices
  );
  let assemblyFormat =
      "$value `,` $target `[` $indices `]` attr-dict `:` type($value) `,` type($target)";
  let hasVerifier = 1;
}

def ReadElementOp : KernelOp<"read_element"> {
  let summary = "Reads one element of a tensor, in logical coordinates.";
  let description = [{
    Coordinates are in elements, for every layout.

    ```mlir
    %token = kernel.read_element %tokens[%w] : tensor<8xi32, #linear> -> i32
    ```

    (E1) one coordinate an axis. (E2) the result is i32 of a tensor of i32, else f32.
  }];
  let arguments = (ins
    Arg<AnyTensorOfStorage, "", [MemRead]>:$source,
    Variadic<Index>:$indices
  );
  let results = (outs AnyTypeOf<[F32, I32]>:$result);
  let assemblyFormat =
      "$source `[` $indices `]` attr-dict `:` type($source) `->` type($result)";
  let builders = [
    OpBuilder<(ins "::mlir::Value":$source, "::mlir::ValueRange":$indices)>
  ];
  let hasVerifier = 1;
}

def WriteElementOp : KernelOp<"write_element"> {
  let summary = "Writes one element of a tensor, in logical coordinates.";
  let description = [{
    The counterpart of `kernel.read_element`. Only buffers can be written by the
    element; the padding is not touched.

    ```mlir
    kernel.write_element %token, %y[%c0] : i32, tensor<1xi32, #linear>
    ```

    (E3) as E1 and E2.
  }];
  let arguments = (ins
    AnyTypeOf<[F32, I32]>:$value,
    Arg<AnyTensorOfStorage, "", [MemWrite]>:$target,
    Variadic<Index>:$indices
  );
  let assemblyFormat =
      "$value `,` $target `[` $indices `]` attr-dict `:` type($value) `,` type($target)";
  let hasVerifier = 1;
}

def LoadOp : KernelOp<"load", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<ConditionallySpeculatable>]> {
  let summary = "Reads from a physical object.";
  let description = [{
    Coordinates are texels (x; x, y; or x, y, z), for a buffer vectors of its lanes.
    Of a buffer with one lane, a vector of neighbours may be read from any element.
    Of a buffer with more, a scalar or a narrower vector: the coordinate counts
    those then. `half` says
    how f16 in a buffer is spelt; `kernel-expand-half-access` sets it.

    ```mlir
    %v = kernel.load %x[%w, %s] : !kernel.object<texture_2d, 4 x f16, read> -> vector<4xf32>
    ```

    (L1) as many coordinates as the object has. (L2) the object is readable. (L3) the
    result is a texel, or of a buffer a scalar or a vector of another width. (L4)
    i32 if the object's elements are, else f32.
  }];
  let arguments = (ins
    ObjectType:$object,
    Variadic<Index>:$coordinates,
    OptionalAttr<HalfSpellingAttr>:$half
  );
  let results = (outs KernelValue:$result);
  let assemblyFormat = [{
    $object `[` $coordinates `]` (`half` custom<HalfSpelling>($half)^)? attr-dict
    `:` type($object) `->` type($result)
  }];
  let builders = [
    OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$object,
                   "::mlir::ValueRange":$coordinates)>
  ];
  let hasVerifier = 1;
}

def StoreOp : KernelOp<"store", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Writes to a physical object.";
  let description = [{
    The counterpart of `kernel.load`.

    ```mlir
    kernel.store %v, %y[%i] : vector<4xf32>, !kernel.object<buffer, 4 x f16, write>
    ```

    (S1) as L1. (S2) the object is writable. (S3) as L3. (S4) as L4.
  }];
  let arguments = (ins
    KernelValue:$value,
    ObjectType:$object,
    Variadic<Index>:$coordinates,
    OptionalAttr<HalfSpellingAttr>:$half
  );
  let assemblyFormat = [{
    $value `,` $object `[` $coordinates `]` (`half` custom<HalfSpelling>($half)^)?
    attr-dict `:` type($value) `,` type($object)
  }];
  let builders = [
    OpBuilder<(ins "::mlir::Value":$value, "::mlir::Value":$object,
                   "::mlir::ValueRange":$coordinates)>
  ];
  let hasVerifier = 1;
}

#endif  // MILLRACE_COMPILER_KERNEL_IR_ACCESS_TD_
