// SPDX-License-Identifier: Apache-2.0
#include "runtime/cli/npy.h"

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"

namespace millrace::cli {
namespace {

// The data starts at a multiple of this.
constexpr size_t kAlignment = 64;
constexpr size_t kPreamble = 10;  // magic, version, length of the dictionary

std::string Header(int64_t rows, int64_t columns) {
  std::string dictionary =
      absl::StrCat("{'descr': '<f4', 'fortran_order': False, 'shape': (", rows,
                   ", ", columns, "), }");
  const size_t used = kPreamble + dictionary.size() + 1;
  dictionary.append((kAlignment - used % kAlignment) % kAlignment, ' ');
  dictionary.push_back('\n');
  std::string header("\x93NUMPY\x01\x00", 8);
  header.push_back(static_cast<char>(dictionary.size() & 0xff));
  header.push_back(static_cast<char>(dictionary.size() >> 8));
  return header + dictionary;
}

}  // namespace

absl::StatusOr<NpyWriter> NpyWriter::Create(const std::string& path,
                                            int64_t rows, int64_t columns) {
  MR_ASSIGN_OR_RETURN(AtomicFile file, AtomicFile::Create(path));
  MR_RETURN_IF_ERROR(file.Append(Header(rows, columns)));
  return NpyWriter(std::move(file), rows, columns);
}

absl::Status NpyWriter::Append(absl::Span<const float> row) {
  if (static_cast<int64_t>(row.size()) != columns_ || rows_left_ == 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("wanted ", rows_left_, " more rows of ", columns_,
                     " values, found one of ", row.size()));
  }
  --rows_left_;
  return file_.Append(
      absl::MakeConstSpan(reinterpret_cast<const uint8_t*>(row.data()),
                          row.size() * sizeof(float)));
}

absl::Status NpyWriter::Commit() {
  if (rows_left_ != 0) {
    return absl::FailedPreconditionError(
        absl::StrCat(rows_left_, " rows are missing"));
  }
  return file_.Commit();
}

}  // namespace millrace::cli
