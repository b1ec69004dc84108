// SPDX-License-Identifier: Apache-2.0
#include "compiler/pipeline/emit_sources.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "compiler/emit/emit.h"
#include "compiler/emit/metal/metal_spelling.h"
#include "compiler/emit/opencl/opencl_spelling.h"
#include "compiler/kernel/ir/kernel.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"

namespace millrace::pipeline {
namespace {

const emit::Spelling& SpellingOf(device::Language language) {
  return language == device::Language::kMetal ? emit::MetalSpelling()
                                              : emit::OpenClSpelling();
}

absl::StatusOr<std::string> Emit(llvm::ArrayRef<kernel::FuncOp> kernels,
                                 device::Language language) {
  const emit::Spelling& spelling = SpellingOf(language);
  std::string text;
  llvm::raw_string_ostream stream(text);
  emit::PrintPrelude(kernels, spelling, stream);
  for (kernel::FuncOp kernel : kernels) {
    if (kernel != kernels.front()) {
      stream << "\n";
    }
    if (mlir::failed(emit::PrintKernel(kernel, spelling, stream))) {
      return absl::InternalError(absl::StrCat(
          "kernel ", kernel.getSymName().str(), " cannot be printed"));
    }
  }
  return text;
}

}  // namespace

absl::StatusOr<std::map<std::string, std::string>> EmitSources(
    mlir::ModuleOp module, device::Language language) {
  std::map<std::string, std::string> sources;
  for (auto kernel : module.getOps<kernel::FuncOp>()) {
    MR_ASSIGN_OR_RETURN(sources[kernel.getSymName().str()],
                        Emit(kernel, language));
  }
  return sources;
}

absl::StatusOr<std::string> EmitOneSource(mlir::ModuleOp module,
                                          device::Language language) {
  return Emit(llvm::to_vector(module.getOps<kernel::FuncOp>()), language);
}

}  // namespace millrace::pipeline
