// SPDX-License-Identifier: Apache-2.0
#include "base/bytes_text.h"

#include "absl/strings/str_format.h"

namespace millrace {

std::string BytesText(int64_t bytes) {
  constexpr int64_t kMega = 1'000'000;
  if (bytes >= 1000 * kMega) {
    return absl::StrFormat("%.1f GB", static_cast<double>(bytes) * 1e-9);
  }
  if (bytes >= kMega) {
    return absl::StrFormat("%.1f MB", static_cast<double>(bytes) * 1e-6);
  }
  return absl::StrFormat("%d bytes", bytes);
}

}  // namespace millrace
