// SPDX-License-Identifier: Apache-2.0
//
// Writes a matrix of floats as a NumPy array file (.npy, format 1.0), row by
// row. The file appears when all rows are there, or not at all.
#ifndef MILLRACE_RUNTIME_CLI_NPY_H_
#define MILLRACE_RUNTIME_CLI_NPY_H_

#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "base/atomic_file.h"

namespace millrace::cli {

class NpyWriter {
 public:
  // An array of shape [rows, columns], f32, row-major.
  static absl::StatusOr<NpyWriter> Create(const std::string& path, int64_t rows,
                                          int64_t columns);

  absl::Status Append(absl::Span<const float> row);

  // After the last row.
  absl::Status Commit();

 private:
  NpyWriter(AtomicFile file, int64_t rows, int64_t columns)
      : file_(std::move(file)), rows_left_(rows), columns_(columns) {}

  AtomicFile file_;
  int64_t rows_left_;
  int64_t columns_;
};

}  // namespace millrace::cli

#endif  // MILLRACE_RUNTIME_CLI_NPY_H_
