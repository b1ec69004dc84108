// SPDX-License-Identifier: Apache-2.0
//
// Values of command-line options that are not plain strings or integers.
#ifndef MILLRACE_RUNTIME_CLI_NUMBERS_H_
#define MILLRACE_RUNTIME_CLI_NUMBERS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace millrace::cli {

// "1,15,7": one or more token ids, none negative.
absl::StatusOr<std::vector<int32_t>> ParseTokens(const std::string& text);

// A finite number; `option` names it in the error.
absl::StatusOr<double> ParseNumber(absl::string_view option,
                                   const std::string& text);

// `value` if it is between the two, else an error that names `option`.
absl::StatusOr<int32_t> CheckInteger(absl::string_view option, int64_t value,
                                     int32_t low, int32_t high);

}  // namespace millrace::cli

#endif  // MILLRACE_RUNTIME_CLI_NUMBERS_H_
