// SPDX-License-Identifier: Apache-2.0
#ifndef MILLRACE_BASE_BYTES_TEXT_H_
#define MILLRACE_BASE_BYTES_TEXT_H_

#include <cstdint>
#include <string>

namespace millrace {

// A size for people: "154.6 GB", "8.0 MB", "512 bytes". Decimal units.
std::string BytesText(int64_t bytes);

}  // namespace millrace

#endif  // MILLRACE_BASE_BYTES_TEXT_H_
