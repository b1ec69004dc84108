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
    Params params = Params::ForChunk(position_, part.size());
    MR_RETURN_IF_ERROR(interpreter_.Run("prefill", {input}, params).status());
    for (params.row = 0; params.row < params.active; ++params.row) {
      MR_ASSIGN_OR_RETURN(logits.emplace_back(),
                          Logits<T>(interpreter_, "head", {}, params));
    }
    position_ += params.active;
  }
  return logits;
}

template <typename T>
absl::StatusOr<std::vector<T>> ModelRunner<T>::Decode(int32_t token) {
  const Tensor<T> input = Tensor<T>::Integers({1}, {token});
  MR_ASSIGN_OR_RETURN(std::vector<T> logits,
                      Logits<T>(interpreter_, "decode", {input},
                                Params::ForChunk(position_, 1)));
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
