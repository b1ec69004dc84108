// SPDX-License-Identifier: Apache-2.0
//
// The command line of millrace-compile.
#ifndef MILLRACE_COMPILER_PIPELINE_TOOL_OPTIONS_H_
#define MILLRACE_COMPILER_PIPELINE_TOOL_OPTIONS_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "compiler/pipeline/compile.h"
#include "compiler/pipeline/load_model.h"

namespace millrace::pipeline {

enum class ToolAction { kCompile, kHelp, kListDevices };

struct ToolOptions {
  ToolAction action = ToolAction::kCompile;
  std::string model;  // a checkpoint's directory
  std::string out;    // "" when a phase is to be printed
  ModelOptions sizes;
  CompileOptions compile;
  bool prints_phase = false;  // --stop-after was given
  bool packs_weights = true;
};

// The options, checked as far as that goes without reading a file.
absl::StatusOr<ToolOptions> ParseToolOptions(
    absl::Span<const char* const> arguments);

// What --help prints: options, phases, devices.
std::string ToolHelp();

// What --list-devices prints.
std::string DeviceList();

// The options that shape the plan, as one line for its provenance.
std::string ProvenanceOf(const ToolOptions& options);

}  // namespace millrace::pipeline

#endif  // MILLRACE_COMPILER_PIPELINE_TOOL_OPTIONS_H_
