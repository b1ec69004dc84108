// SPDX-License-Identifier: Apache-2.0
//
// Runs the cases that write_cases left in a folder on the OpenCL device that
// the environment selects, and compares with what the interpreter said:
//
//   run_cases FOLDER
//
// Prints each case that fails and a count; exits with 1 if any did.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "base/status_macros.h"
#include "runtime/hal/driver.h"
#include "tests/ops/compiled_case.h"

namespace millrace::ops {
namespace {

absl::Status RunFolder(const std::string& folder, hal::Device& device) {
  MR_ASSIGN_OR_RETURN(const CompiledCase compiled, ReadCase(folder));
  MR_ASSIGN_OR_RETURN(const plan::Plan plan,
                      plan::Plan::FromBytes(compiled.plan_file));
  MR_ASSIGN_OR_RETURN(const Results found, RunOnDevice(plan, compiled.params,
                                                       compiled.calls, device));
  return CompareResults(compiled, found);
}

std::vector<std::string> FoldersIn(const std::string& path) {
  std::vector<std::string> folders;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(path, error)) {
    folders.push_back(entry.path().string());
  }
  std::sort(folders.begin(), folders.end());
  return folders;
}

int Main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: run_cases FOLDER\n");
    return 1;
  }
  absl::StatusOr<hal::DeviceSelector> selector = hal::SelectorFromEnvironment();
  auto device =
      selector.ok()
          ? hal::OpenDevice(*selector)
          : absl::StatusOr<std::unique_ptr<hal::Device>>(selector.status());
  if (!device.ok()) {
    std::fprintf(stderr, "run_cases: %s\n",
                 std::string(device.status().message()).c_str());
    return 1;
  }
  int passed = 0;
  int failed = 0;
  for (const std::string& folder : FoldersIn(argv[1])) {
    const absl::Status status = RunFolder(folder, **device);
    ++(status.ok() ? passed : failed);
    if (!status.ok()) {
      std::printf("%s: %s\n", folder.c_str(),
                  std::string(status.message()).c_str());
    }
  }
  std::printf("%s: %d passed, %d failed\n", (*device)->info().device.c_str(),
              passed, failed);
  return failed == 0 && passed > 0 ? 0 : 1;
}

}  // namespace
}  // namespace millrace::ops

int main(int argc, char** argv) { return millrace::ops::Main(argc, argv); }
