// SPDX-License-Identifier: Apache-2.0
#include "runtime/cli/numbers.h"

#include <cmath>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace millrace::cli {

absl::StatusOr<std::vector<int32_t>> ParseTokens(const std::string& text) {
  std::vector<int32_t> tokens;
  for (absl::string_view part : absl::StrSplit(text, ',')) {
    int32_t token = 0;
    if (!absl::SimpleAtoi(part, &token) || token < 0) {
      return absl::InvalidArgumentError(absl::StrCat(
          "--tokens: wanted token ids as in 1,15,7, found '", part, "'"));
    }
    tokens.push_back(token);
  }
  return tokens;
}

absl::StatusOr<double> ParseNumber(absl::string_view option,
                                   const std::string& text) {
  double value = 0;
  if (!absl::SimpleAtod(text, &value) || !std::isfinite(value)) {
    return absl::InvalidArgumentError(
        absl::StrCat("--", option, ": wanted a number, found '", text, "'"));
  }
  return value;
}

absl::StatusOr<int32_t> CheckInteger(absl::string_view option, int64_t value,
                                     int32_t low, int32_t high) {
  if (value < low || value > high) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--", option, ": wanted ", low, " to ", high, ", found ", value));
  }
  return static_cast<int32_t>(value);
}

}  // namespace millrace::cli
