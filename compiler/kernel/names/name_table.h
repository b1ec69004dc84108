// SPDX-License-Identifier: Apache-2.0
//
// Names that OpenCL C and the Metal shading language (C++) both accept, each
// given out once.

#ifndef MILLRACE_COMPILER_KERNEL_NAMES_NAME_TABLE_H_
#define MILLRACE_COMPILER_KERNEL_NAMES_NAME_TABLE_H_

#include <string>

#include "absl/strings/string_view.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace millrace::kernel {

// True for a keyword, a type, or a built-in function or constant of either
// language, and for what the emitted preludes define.
bool IsReservedName(absl::string_view name);

// An identifier that is not reserved, nor reserved for implementations (a
// leading underscore, two in a row).
bool IsLegalName(absl::string_view name);

class NameTable {
 public:
  // `wanted` made legal and unlike all names given out so far; later ones of
  // the same wish are numbered: "acc", "acc_1", "acc_2".
  std::string Add(absl::string_view wanted);

 private:
  llvm::StringSet<> taken_;
  llvm::StringMap<int> counts_;
};

}  // namespace millrace::kernel

#endif  // MILLRACE_COMPILER_KERNEL_NAMES_NAME_TABLE_H_
