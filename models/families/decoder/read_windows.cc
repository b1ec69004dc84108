// SPDX-License-Identifier: Apache-2.0
#include "models/families/decoder/read_windows.h"

#include <cstddef>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"

namespace millrace::families {

using checkpoints::Json;
using checkpoints::JsonFields;

namespace {

absl::StatusOr<bool> IsSliding(const JsonFields& fields, const Json& type) {
  if (type == "sliding_attention") {
    return true;
  }
  if (type == "full_attention") {
    return false;
  }
  return checkpoints::WrongJson(fields.Where("layer_types"),
                                "'full_attention' or 'sliding_attention'",
                                type);
}

}  // namespace

absl::Status ReadWindows(const JsonFields& fields, int64_t window,
                         absl::FunctionRef<bool(int64_t layer)> slides,
                         DecoderConfig* config) {
  const size_t layers = config->layers.size();
  if (fields.Find("layer_types") == nullptr) {
    for (size_t i = 0; i < layers; ++i) {
      config->layers[i].window = slides(static_cast<int64_t>(i)) ? window : 0;
    }
    return absl::OkStatus();
  }
  MR_ASSIGN_OR_RETURN(const Json* types, fields.Array("layer_types"));
  if (types->size() != layers) {
    return checkpoints::WrongJson(
        fields.Where("layer_types"),
        absl::StrCat("one for each of the ", layers, " layers"), *types);
  }
  for (size_t i = 0; i < layers; ++i) {
    MR_ASSIGN_OR_RETURN(const bool sliding, IsSliding(fields, (*types)[i]));
    config->layers[i].window = sliding ? window : 0;
  }
  return absl::OkStatus();
}

}  // namespace millrace::families
