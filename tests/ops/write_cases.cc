// SPDX-License-Identifier: Apache-2.0
//
// Compiles op cases into a folder, for run_cases on another machine or under a
// checker:
//
//   write_cases OUT DEVICE_PROFILE STORAGE[,STORAGE...] f32|f16|both [ALL]
//
// Each case has one channel count, 5, unless ALL is given.
#include <cstdio>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "tests/ops/op_compiler.h"

namespace millrace::ops {
namespace {

std::vector<int64_t> ChannelsOf(const OpCase& op_case, bool all) {
  return all ? op_case.channels
             : std::vector<int64_t>{RepresentativeChannels(op_case)};
}

absl::Status WriteAll(const std::string& out, const Target& target, bool all) {
  for (const OpCase& op_case : AllCases()) {
    for (int64_t channels : ChannelsOf(op_case, all)) {
      absl::StatusOr<CompiledCase> compiled =
          CompileCase(op_case, channels, target);
      if (!compiled.ok()) {
        return absl::InternalError(absl::StrCat(CaseName(op_case, target), ": ",
                                                compiled.status().message()));
      }
      const std::string folder =
          absl::StrReplaceAll(compiled->name, {{"/", "."}});
      absl::Status written =
          WriteCase(*compiled, absl::StrCat(out, "/", folder));
      if (!written.ok()) {
        return written;
      }
    }
  }
  return absl::OkStatus();
}

int Main(int argc, char** argv) {
  if (argc < 5) {
    std::fprintf(
        stderr, "usage: write_cases OUT PROFILE STORAGES f32|f16|both [ALL]\n");
    return 1;
  }
  const std::string precision = argv[4];
  for (absl::string_view storage : absl::StrSplit(argv[3], ',')) {
    for (bool half : {false, true}) {
      if (precision == (half ? "f32" : "f16")) {
        continue;
      }
      Target target;
      target.device = argv[2];
      target.storage = std::string(storage);
      target.half = half;
      const absl::Status status = WriteAll(argv[1], target, argc > 5);
      if (!status.ok()) {
        std::fprintf(stderr, "write_cases: %s\n",
                     std::string(status.message()).c_str());
        return 1;
      }
    }
  }
  return 0;
}

}  // namespace
}  // namespace millrace::ops

int main(int argc, char** argv) { return millrace::ops::Main(argc, argv); }
