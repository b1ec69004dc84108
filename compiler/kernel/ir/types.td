// SPDX-License-Identifier: Apache-2.0
//
// Types of the dialect `kernel`.

#ifndef MILLRACE_COMPILER_KERNEL_IR_TYPES_TD_
#define MILLRACE_COMPILER_KERNEL_IR_TYPES_TD_

include "mlir/IR/AttrTypeBase.td"
include "compiler/kernel/ir/dialect.td"

def ObjectType : TypeDef<KernelDialect, "Object"> {
  let mnemonic = "object";
  let summary = "One physical GPU object, as a kernel's argument.";
  let description = [{
    The kind of storage (see layout/storage.h), the number and
    type of the elements that one coordinate addresses, and what the kernel does
    to it.

    ```mlir
    !kernel.object<texture_2d, 4 x f16, read>
    !kernel.object<buffer, 1 x f32, write>
    ```

    (O1) elements are f32, f16 or i32. (O2) textures and image buffers have four
    lanes. (O3) textures and image buffers hold f32 or f16 and are not read_write.
  }];
  let parameters = (ins
    "::millrace::layout::StorageKind":$storage,
    "int64_t":$lanes,
    "::mlir::Type":$elementType,
    "::millrace::kernel::Access":$access
  );
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    bool IsBuffer() const;
    // Coordinates that address a texel: 1, 2 or 3.
    int64_t NumCoordinates() const;
    // What a load of one texel yields: f32 or i32, or a vector of them.
    ::mlir::Type LoadedType() const;
  }];
}

def AnyTensorOfStorage : TensorOf<[F32, F16, I32]>;
def KernelValue : AnyTypeOf<[F32, I32, VectorOfLengthAndType<[2, 4, 8, 16], [F32, I32]>]>;
def FloatVector : VectorOfLengthAndType<[2, 4, 8, 16], [F32]>;

#endif  // MILLRACE_COMPILER_KERNEL_IR_TYPES_TD_
