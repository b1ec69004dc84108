// SPDX-License-Identifier: Apache-2.0
//
// millrace: runs compiled models. No compiler in it.
#include "absl/types/span.h"
#include "base/temporary_files.h"
#include "base/working_directory.h"
#include "runtime/cli/commands.h"

int main(int argc, char** argv) {
  millrace::UseCallersDirectory();
  millrace::RemoveTemporaryFilesOnSignals();
  return millrace::cli::Main(
      absl::MakeConstSpan(argv + 1, argc > 1 ? argc - 1 : 0));
}
