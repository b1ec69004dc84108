// SPDX-License-Identifier: Apache-2.0
//
// What MLIR has to say, as the lines a user sees: one a diagnostic, with the
// label of the op it is about ("layers.0.attn.q: ...").
#ifndef MILLRACE_COMPILER_PIPELINE_DIAGNOSTICS_H_
#define MILLRACE_COMPILER_PIPELINE_DIAGNOSTICS_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "mlir/IR/Diagnostics.h"

namespace millrace::pipeline {

// Takes the diagnostics of a context, from any thread, as long as it lives.
class DiagnosticCollector {
 public:
  explicit DiagnosticCollector(mlir::MLIRContext* context);

  // Remarks and warnings so far, in order, without repetitions: the entry
  // points share tensors, and so say some things twice.
  std::vector<std::string> TakeRemarks() { return std::move(remarks_); }

  // The first error, which the others usually follow from; `otherwise` when
  // something failed without a word.
  absl::Status FirstError(absl::string_view otherwise) const;

 private:
  void Handle(const mlir::Diagnostic& diagnostic);

  std::vector<std::string> remarks_;
  std::string first_error_;
  // Last: its handler writes the members above. Orders what the threads of a
  // pass manager report as if there were only one.
  mlir::ScopedDiagnosticHandler handler_;
};

}  // namespace millrace::pipeline

#endif  // MILLRACE_COMPILER_PIPELINE_DIAGNOSTICS_H_
