// SPDX-License-Identifier: Apache-2.0
//
// emit-source: the emitters as a pass.

#include "compiler/emit/emit.h"
#include "compiler/emit/metal/metal_spelling.h"
#include "compiler/emit/opencl/opencl_spelling.h"
#include "compiler/emit/passes.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"

namespace millrace::emit {

#define GEN_PASS_DEF_EMITSOURCEPASS
#include "compiler/emit/passes.h.inc"

namespace {

class EmitSource : public impl::EmitSourcePassBase<EmitSource> {
 public:
  using EmitSourcePassBase::EmitSourcePassBase;

 private:
  void runOnOperation() override {
    if (language != "opencl" && language != "metal") {
      getOperation().emitError("language wants opencl or metal; found ")
          << language;
      return signalPassFailure();
    }
    const Spelling& spelling =
        language == "metal" ? MetalSpelling() : OpenClSpelling();
    const auto kernels =
        llvm::to_vector(getOperation().getOps<kernel::FuncOp>());
    PrintPrelude(kernels, spelling, llvm::outs());
    for (kernel::FuncOp kernel : kernels) {
      if (mlir::failed(PrintKernel(kernel, spelling, llvm::outs()))) {
        return signalPassFailure();
      }
      llvm::outs() << "\n";
    }
    markAllAnalysesPreserved();
  }
};

}  // namespace
}  // namespace millrace::emit
