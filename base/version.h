// SPDX-License-Identifier: Apache-2.0
#ifndef MILLRACE_BASE_VERSION_H_
#define MILLRACE_BASE_VERSION_H_

namespace millrace {

// Of the programs, as `--version` prints it.
inline constexpr char kVersion[] = "0.1";

}  // namespace millrace

#endif  // MILLRACE_BASE_VERSION_H_
