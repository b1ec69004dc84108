// SPDX-License-Identifier: Apache-2.0
//
// Small helpers of the tests of models/: files made on the spot, and the rule
// that an error is one clear line.
#ifndef MILLRACE_MODELS_CHECKPOINTS_TESTING_H_
#define MILLRACE_MODELS_CHECKPOINTS_TESTING_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace millrace::checkpoints {

// A fresh empty directory below the test's temporary directory.
std::string MakeTestDirectory();

// Writes a file and returns its path.
std::string WriteTestFile(const std::string& directory, const std::string& name,
                          absl::string_view bytes);

// A safetensors file: 8 bytes of length, `header`, `data`.
std::string SafetensorsBytes(absl::string_view header, absl::string_view data);

// Expects an error of one line that contains `part`.
void ExpectOneLineError(const absl::Status& status, absl::string_view part);

}  // namespace millrace::checkpoints

#endif  // MILLRACE_MODELS_CHECKPOINTS_TESTING_H_
