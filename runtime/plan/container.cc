// SPDX-License-Identifier: Apache-2.0
#include "runtime/plan/container.h"

#include <cstring>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/hash64.h"

namespace millrace::plan {
namespace {

constexpr absl::string_view kMagic = "MILLRACE";

void AppendNumber(std::string& out, uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) {
    out.push_back(static_cast<char>(value >> (8 * i)));
  }
}

uint64_t ReadNumber(absl::Span<const uint8_t> in, size_t offset, int bytes) {
  uint64_t value = 0;
  for (int i = bytes - 1; i >= 0; --i) {
    value = (value << 8) | in[offset + static_cast<size_t>(i)];
  }
  return value;
}

template <typename... Parts>
absl::Status Damaged(const Parts&... parts) {
  return absl::DataLossError(absl::StrCat(parts...));
}

}  // namespace

std::string Wrap(absl::Span<const uint8_t> payload) {
  std::string file(kMagic);
  AppendNumber(file, kPlanVersion, 4);
  AppendNumber(file, 0, 4);
  AppendNumber(file, payload.size(), 8);
  AppendNumber(file, Hash64(payload), 8);
  file.append(reinterpret_cast<const char*>(payload.data()), payload.size());
  return file;
}

absl::StatusOr<absl::Span<const uint8_t>> Unwrap(
    absl::Span<const uint8_t> file) {
  if (file.size() < kContainerHeaderBytes) {
    return Damaged("not a plan: wanted at least ", kContainerHeaderBytes,
                   " bytes, found ", file.size());
  }
  if (std::memcmp(file.data(), kMagic.data(), kMagic.size()) != 0) {
    return Damaged("not a plan: the file does not start with ", kMagic);
  }
  const uint64_t version = ReadNumber(file, 8, 4);
  if (version != kPlanVersion || ReadNumber(file, 12, 4) != 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        "a plan of another version: wanted ", kPlanVersion, ", found ", version,
        "; compile the model again with this version's millrace-compile"));
  }
  const absl::Span<const uint8_t> payload = file.subspan(kContainerHeaderBytes);
  const uint64_t size = ReadNumber(file, 16, 8);
  if (size != payload.size()) {
    return Damaged("the plan is cut short or overlong: wanted ", size,
                   " bytes after the header, found ", payload.size());
  }
  if (ReadNumber(file, 24, 8) != Hash64(payload)) {
    return Damaged("the plan is damaged: its checksum does not match");
  }
  return payload;
}

}  // namespace millrace::plan
