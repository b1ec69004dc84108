// SPDX-License-Identifier: Apache-2.0
//
// Compiled cases on disk.
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "nlohmann/json.hpp"
#include "tests/ops/compiled_case.h"

namespace millrace::ops {
namespace {

absl::Status WriteFile(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  return file.good()
             ? absl::OkStatus()
             : absl::UnavailableError(absl::StrCat("cannot write ", path));
}

absl::StatusOr<std::string> ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file.good()) {
    return absl::NotFoundError(absl::StrCat("cannot read ", path));
  }
  return text.str();
}

}  // namespace

absl::Status WriteCase(const CompiledCase& compiled,
                       const std::string& directory) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  nlohmann::json json;
  json["name"] = compiled.name;
  json["params"] = {compiled.params.position, compiled.params.active,
                    compiled.params.end, compiled.params.row};
  json["calls"] = compiled.calls;
  json["tolerance"] = compiled.tolerance;
  json["wanted"] = compiled.wanted;
  MR_RETURN_IF_ERROR(WriteFile(directory + "/case.json", json.dump()));
  return WriteFile(directory + "/plan.mrp", compiled.plan_file);
}

absl::StatusOr<CompiledCase> ReadCase(const std::string& directory) {
  MR_ASSIGN_OR_RETURN(const std::string text,
                      ReadFile(directory + "/case.json"));
  const nlohmann::json json =
      nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object() || !json.contains("wanted")) {
    return absl::InvalidArgumentError(
        absl::StrCat(directory, "/case.json is not a case"));
  }
  CompiledCase compiled;
  compiled.name = json["name"].get<std::string>();
  const auto params = json["params"].get<std::vector<int32_t>>();
  compiled.params = {params[0], params[1], params[2], params[3]};
  compiled.calls = json["calls"].get<int>();
  compiled.tolerance = json["tolerance"].get<double>();
  compiled.wanted = json["wanted"].get<Results>();
  MR_ASSIGN_OR_RETURN(compiled.plan_file, ReadFile(directory + "/plan.mrp"));
  return compiled;
}

}  // namespace millrace::ops
