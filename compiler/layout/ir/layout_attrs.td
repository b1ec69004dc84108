// SPDX-License-Identifier: Apache-2.0
//
// The layout of a tensor as the encoding of its type.

#ifndef MILLRACE_COMPILER_LAYOUT_IR_LAYOUT_ATTRS_TD_
#define MILLRACE_COMPILER_LAYOUT_IR_LAYOUT_ATTRS_TD_

include "compiler/layout/ir/layout_dialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/TensorEncoding.td"

def LayoutAttr : AttrDef<LayoutDialect, "Layout", [
    DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let mnemonic = "of";
  let summary = "The storage and the form of a tensor.";
  let description = [{
    The kind of GPU object, and a form: a name such as HSWBDC4, or a text in the
    grammar of layout/form.h. Forms of weights take `og`, the
    output slices that lie next to each other for one input slice; 1, the
    default, is not printed.

    ```mlir
    tensor<1x1x1024x96xf16, #layout.of<texture_2d, "HSWBDC4">>
    tensor<128x96xf16, #layout.of<buffer, "WEIGHTS_O4I4", og = 4>>
    tensor<128x96xf16, #layout.of<texture_2d, "I4: SO, SI | O4">>
    ```

    Each layout prints once, under a name made of its form and storage, such as
    `#hswbdc4_texture_2d`.

    (L1) The form is known or its text is well formed, and takes `og` if one is
    given. (L2) As an encoding: the tensor is static, its elements are integers
    or floats, and the form places each of its axes on the storage.
  }];
  let parameters = (ins
    "::millrace::layout::StorageKind":$storage,
    StringRefParameter<"name or text of the form">:$form,
    "int64_t":$og
  );
  let builders = [
    AttrBuilder<(ins "::millrace::layout::StorageKind":$storage,
                     "::llvm::StringRef":$form), [{
      return $_get($_ctxt, storage, form, /*og=*/1);
    }]>
  ];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

#endif  // MILLRACE_COMPILER_LAYOUT_IR_LAYOUT_ATTRS_TD_
