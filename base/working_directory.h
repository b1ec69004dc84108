// SPDX-License-Identifier: Apache-2.0
//
// `bazel run` starts a program in a directory of its own; the paths that a user
// types are relative to where they typed them.
#ifndef MILLRACE_BASE_WORKING_DIRECTORY_H_
#define MILLRACE_BASE_WORKING_DIRECTORY_H_

#include <unistd.h>

#include <cstdlib>

namespace millrace {

// Under `bazel run`, changes to the directory of the caller; does nothing
// otherwise. For the start of main functions.
inline void UseCallersDirectory() {
  const char* directory = std::getenv("BUILD_WORKING_DIRECTORY");
  if (directory != nullptr && chdir(directory) != 0) {
    return;  // It is gone: relative paths will say so themselves.
  }
}

}  // namespace millrace

#endif  // MILLRACE_BASE_WORKING_DIRECTORY_H_
