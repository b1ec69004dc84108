// SPDX-License-Identifier: Apache-2.0
//
// A checkpoint in, a plan and its weights out: see --help.
#include "absl/types/span.h"
#include "base/temporary_files.h"
#include "base/working_directory.h"
#include "compiler/pipeline/compile_tool.h"

int main(int argc, char** argv) {
  millrace::UseCallersDirectory();
  millrace::RemoveTemporaryFilesOnSignals();
  return millrace::pipeline::RunCompileTool(
      absl::MakeConstSpan(argv, argc).subspan(1));
}
