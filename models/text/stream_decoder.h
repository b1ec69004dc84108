// SPDX-License-Identifier: Apache-2.0
//
// Turns the bytes of one token after the other into text that can be shown at
// once: only whole characters come out. The start of a character that may still
// be completed is held back; bytes that can be no character become U+FFFD.
#ifndef MILLRACE_MODELS_TEXT_STREAM_DECODER_H_
#define MILLRACE_MODELS_TEXT_STREAM_DECODER_H_

#include <string>

#include "absl/strings/string_view.h"

namespace millrace::text {

class StreamDecoder {
 public:
  // Appends to `out` what `bytes` completes.
  void Push(absl::string_view bytes, std::string* out);

  // The end of the text: what was held back becomes U+FFFD.
  void Finish(std::string* out);

 private:
  std::string held_;  // At most 3 bytes between calls.
};

}  // namespace millrace::text

#endif  // MILLRACE_MODELS_TEXT_STREAM_DECODER_H_
