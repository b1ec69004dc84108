// SPDX-License-Identifier: Apache-2.0
#include "compiler/graph/interpreter/model_runner.h"

#include <algorithm>
#include <string>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"

namespace millrace::graph {

namespace {

// Logits are the first result of each entry point.
template <typename T>
absl::StatusOr<std::vector<T>> Logits(Interpreter<T>& interpreter,
                                      const char* entry,
                                      absl::Span<const Tensor<T>> inputs,
                                      const Params& params) {
  MR_ASSIGN_OR_RETURN(std::vector<Tensor<T>> results,
                      interpreter.Run(entry, inputs, params));
  if (results.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "@", entry, ": logits as first result wanted, found none"));
  }
  return std::move(results[0].values);
}

// What a chunk of `active` tokens from `position` on is to the entry points,
// with the logits of row `row`.
Params ForChunk(int32_t position, int32_t active, int32_t row) {
  return {{"position", position},
          {"active", active},
          {"end", position + active},
          {"row", row}};
}

}  // namespace

template <typename T>
absl::StatusOr<std::vector<std::vector<T>>> ModelRunner<T>::Prefill(
    absl::Span<const int32_t> tokens, int64_t chunk) {
  std::vector<std::vector<T>> logits;
  for (size_t start = 0; start < tokens.size(); start += chunk) {
    const auto part = tokens.subspan(start, chunk);
    std::vector<int32_t> padded(part.begin(), part.end());
    padded.resize(chunk, 0);
    const Tensor<T> input = Tensor<T>::Integers({chunk}, std::move(padded));
    const auto active = static_cast<int32_t>(part.size());
    MR_RETURN_IF_ERROR(
        interpreter_.Run("prefill", {input}, ForChunk(position_, active, 0))
            .status());
    for (int32_t row = 0; row < active; ++row) {
      MR_ASSIGN_OR_RETURN(logits.emplace_back(),
                          Logits<T>(interpreter_, "head", {},
                                    ForChunk(position_, active, row)));
    }
    position_ += active;
  }
  return logits;
}

template <typename T>
absl::StatusOr<std::vector<T>> ModelRunner<T>::Decode(int32_t token) {
  const Tensor<T> input = Tensor<T>::Integers({1}, {token});
  MR_ASSIGN_OR_RETURN(
      std::vector<T> logits,
      Logits<T>(interpreter_, "decode", {input}, ForChunk(position_, 1, 0)));
  ++position_;
  return logits;
}

template <typename T>
void ModelRunner<T>::Reset() {
  interpreter_.ResetStates();
  position_ = 0;
}

template class ModelRunner<float>;
template class ModelRunner<double>;

}  // namespace millrace::graph
