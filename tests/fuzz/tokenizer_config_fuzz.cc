// SPDX-License-Identifier: Apache-2.0
//
// tokenizer_config.json.
#include <cstddef>
#include <cstdint>

#include "absl/strings/string_view.h"
#include "models/text/tokenizer_config.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const absl::string_view text(reinterpret_cast<const char*>(data), size);
  (void)millrace::text::ParseTokenizerConfig(text, "tokenizer_config.json");
  return 0;
}
