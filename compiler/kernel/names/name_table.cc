// SPDX-License-Identifier: Apache-2.0

#include "compiler/kernel/names/name_table.h"

#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"

namespace millrace::kernel {
namespace {

// Letters, digits and single underscores, a letter first.
std::string Clean(absl::string_view wanted) {
  std::string name;
  for (char c : wanted) {
    const char legal = absl::ascii_isalnum(c) ? c : '_';
    if (legal == '_' && (name.empty() || name.back() == '_')) {
      continue;
    }
    name.push_back(legal);
  }
  while (!name.empty() && name.back() == '_') {
    name.pop_back();
  }
  if (name.empty()) {
    return "v";
  }
  if (absl::ascii_isdigit(name.front())) {
    name.insert(0, "v");
  }
  if (IsReservedName(name)) {
    name.push_back('_');
  }
  return name;
}

}  // namespace

bool IsLegalName(absl::string_view name) {
  return !name.empty() && Clean(name) == name;
}

std::string NameTable::Add(absl::string_view wanted) {
  const std::string clean = Clean(wanted);
  std::string name = clean;
  while (!taken_.insert(name).second) {
    name = absl::StrCat(absl::StripSuffix(clean, "_"), "_", ++counts_[clean]);
  }
  return name;
}

}  // namespace millrace::kernel
