// SPDX-License-Identifier: Apache-2.0
//
// tokenizer.json, and a text through the tokenizer where the file is accepted.
#include <cstddef>
#include <cstdint>

#include "absl/strings/string_view.h"
#include "models/text/bpe_tokenizer.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const absl::string_view json(reinterpret_cast<const char*>(data), size);
  const auto tokenizer =
      millrace::text::BpeTokenizer::Parse(json, "tokenizer.json");
  if (!tokenizer.ok()) {
    return 0;
  }
  for (const absl::string_view text :
       {"a  caf\xc3\xa9 <s> 12, don't\n\n", "\xe2\x96\x81x \xf0\x9f\x98\x80"}) {
    const auto ids = (*tokenizer)->EncodePrompt(text);
    if (ids.ok()) {
      (*tokenizer)->Decode(*ids, false);
    }
  }
  return 0;
}
