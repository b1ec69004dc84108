// SPDX-License-Identifier: Apache-2.0
#include "tests/models/golden.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "models/checkpoints/json_fields.h"
#include "models/checkpoints/mapped_file.h"

namespace millrace::testing {

namespace {

using checkpoints::Json;
using checkpoints::JsonFields;

template <typename T>
absl::StatusOr<std::vector<T>> Numbers(const JsonFields& fields,
                                       absl::string_view key) {
  MR_ASSIGN_OR_RETURN(const Json* array, fields.Array(key));
  std::vector<T> numbers;
  for (const Json& value : *array) {
    if (!value.is_number()) {
      return checkpoints::WrongJson(fields.Where(key), "numbers", value);
    }
    numbers.push_back(value.get<T>());
  }
  return numbers;
}

// The rows of a NumPy file (format 1.0) of f32 [rows, width].
absl::StatusOr<std::vector<std::vector<float>>> LoadRows(
    const std::string& path, size_t rows) {
  constexpr size_t kFixedHeader = 10;  // magic, version, header's size
  MR_ASSIGN_OR_RETURN(const checkpoints::MappedFile file,
                      checkpoints::MappedFile::Open(path));
  const absl::Span<const uint8_t> bytes = file.bytes();
  if (rows == 0 || bytes.size() < kFixedHeader ||
      std::memcmp(bytes.data(), "\x93NUMPY\x01", 7) != 0) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, ": a NumPy file of format 1 wanted"));
  }
  const size_t start = kFixedHeader + bytes[8] + 256 * bytes[9];
  const size_t row_bytes =
      bytes.size() < start ? 0 : (bytes.size() - start) / rows;
  const absl::string_view header(reinterpret_cast<const char*>(bytes.data()),
                                 std::min(start, bytes.size()));
  if (row_bytes == 0 || row_bytes % sizeof(float) != 0 ||
      start + rows * row_bytes != bytes.size() ||
      !absl::StrContains(header, "'<f4'") ||
      !absl::StrContains(header, absl::StrCat("(", rows, ", "))) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, ": ", rows, " rows of f32 wanted"));
  }
  std::vector<std::vector<float>> result(
      rows, std::vector<float>(row_bytes / sizeof(float)));
  for (size_t row = 0; row < rows; ++row) {
    std::memcpy(result[row].data(), bytes.data() + start + row * row_bytes,
                row_bytes);
  }
  return result;
}

absl::StatusOr<GoldenPrompt> LoadPrompt(const Json& entry,
                                        const std::string& directory) {
  MR_ASSIGN_OR_RETURN(const JsonFields fields,
                      JsonFields::Of(entry, directory + "/llama.json"));
  GoldenPrompt prompt;
  MR_ASSIGN_OR_RETURN(prompt.name, fields.String("name"));
  MR_ASSIGN_OR_RETURN(prompt.token_ids, Numbers<int32_t>(fields, "token_ids"));
  MR_ASSIGN_OR_RETURN(
      prompt.first_position,
      fields.Integer("first_position", 0, prompt.token_ids.size()));
  MR_ASSIGN_OR_RETURN(prompt.greedy_ids,
                      Numbers<int32_t>(fields, "greedy_ids"));
  MR_ASSIGN_OR_RETURN(prompt.greedy_margins,
                      Numbers<double>(fields, "greedy_margins"));
  MR_ASSIGN_OR_RETURN(const std::string file, fields.String("logits"));
  MR_ASSIGN_OR_RETURN(
      prompt.logits, LoadRows(absl::StrCat(directory, "/", file),
                              prompt.token_ids.size() - prompt.first_position));
  return prompt;
}

}  // namespace

absl::StatusOr<std::vector<GoldenPrompt>> LoadGoldenPrompts(
    const std::string& directory, const std::string& file) {
  const std::string path = absl::StrCat(directory, "/", file);
  MR_ASSIGN_OR_RETURN(const Json json, checkpoints::ReadJsonFile(path));
  MR_ASSIGN_OR_RETURN(const JsonFields fields, JsonFields::Of(json, path));
  MR_ASSIGN_OR_RETURN(const Json* entries, fields.Array("prompts"));
  std::vector<GoldenPrompt> prompts;
  for (const Json& entry : *entries) {
    MR_ASSIGN_OR_RETURN(prompts.emplace_back(), LoadPrompt(entry, directory));
  }
  return prompts;
}

double LargestDifference(absl::Span<const float> a, absl::Span<const float> b) {
  double largest = 0;
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    const double difference = std::abs(double{a[i]} - double{b[i]});
    if (std::isnan(difference)) {
      return std::numeric_limits<double>::infinity();
    }
    largest = std::max(largest, difference);
  }
  return a.size() == b.size() ? largest
                              : std::numeric_limits<double>::infinity();
}

}  // namespace millrace::testing
