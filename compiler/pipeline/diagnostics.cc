// SPDX-License-Identifier: Apache-2.0
#include "compiler/pipeline/diagnostics.h"

#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "compiler/graph/ir/label.h"

namespace millrace::pipeline {
namespace {

// Diagnostics may quote IR; a user wants the first line of it at most.
std::string FirstLine(std::string text) {
  return text.substr(0, text.find('\n'));
}

std::string Line(const mlir::Diagnostic& diagnostic) {
  const std::string text = FirstLine(diagnostic.str());
  const std::string label = graph::LabelIn(diagnostic.getLocation());
  // Some texts start with the name already.
  const bool says_it = label.empty() || absl::StartsWith(text, label);
  return says_it ? text : absl::StrCat(label, ": ", text);
}

}  // namespace

DiagnosticCollector::DiagnosticCollector(mlir::MLIRContext* context)
    : handler_(context, [this](mlir::Diagnostic& diagnostic) {
        Handle(diagnostic);
        return mlir::success();
      }) {}

void DiagnosticCollector::Handle(const mlir::Diagnostic& diagnostic) {
  std::string line = Line(diagnostic);
  if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error) {
    if (first_error_.empty()) {
      first_error_ = std::move(line);
    }
    return;
  }
  if (std::find(remarks_.begin(), remarks_.end(), line) == remarks_.end()) {
    remarks_.push_back(std::move(line));
  }
}

absl::Status DiagnosticCollector::FirstError(
    absl::string_view otherwise) const {
  return absl::InternalError(first_error_.empty() ? otherwise : first_error_);
}

}  // namespace millrace::pipeline
