// SPDX-License-Identifier: Apache-2.0
//
// config.json of a model.
#include <cstddef>
#include <cstdint>

#include "absl/strings/string_view.h"
#include "models/families/registry.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const absl::string_view text(reinterpret_cast<const char*>(data), size);
  (void)millrace::families::ParseModel(text, "config.json");
  return 0;
}
