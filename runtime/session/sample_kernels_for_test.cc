// SPDX-License-Identifier: Apache-2.0
#include "runtime/session/sample_kernels_for_test.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace millrace::session {
namespace {

using Args = absl::Span<const hal::NullArg>;
using hal::Size3;

template <typename T>
T* Data(Args args, size_t index) {
  return reinterpret_cast<T*>(args[index].bytes.data());
}

// (tokens, table, gain, x, params), one group a token.
void Embed(Args args, const Size3& groups, const Size3&) {
  for (uint32_t w = 0; w < groups[0]; ++w) {
    const int32_t token = Data<int32_t>(args, 0)[w];
    const auto scale =
        static_cast<float>(Data<int32_t>(args, 4)[0] + static_cast<int>(w) + 1);
    for (uint32_t c = 0; c < 4; ++c) {
      Data<float>(args, 3)[4 * w + c] =
          Data<float>(args, 1)[4 * token + static_cast<int>(c)] *
          Data<float>(args, 2)[c] * scale;
    }
  }
}

// (x, acc, hidden, params)
void Accumulate(Args args, const Size3&, const Size3&) {
  const int32_t active = Data<int32_t>(args, 3)[1];
  for (int32_t i = 0; i < 4 * active; ++i) {
    float& acc = Data<float>(args, 1)[i % 4];
    acc += Data<float>(args, 0)[i];
    Data<float>(args, 2)[i] = acc;
  }
}

// (hidden, row, params)
void Pick(Args args, const Size3&, const Size3&) {
  const int32_t row = Data<int32_t>(args, 2)[3];
  for (int32_t c = 0; c < 4; ++c) {
    Data<float>(args, 1)[c] = Data<float>(args, 0)[4 * row + c];
  }
}

// (row, weight, logits)
void Head(Args args, const Size3& groups, const Size3& local) {
  for (uint32_t o = 0; o < groups[0] * local[0]; ++o) {
    float sum = 0;
    for (uint32_t c = 0; c < 4; ++c) {
      sum += Data<float>(args, 0)[c] * Data<float>(args, 1)[4 * o + c];
    }
    Data<float>(args, 2)[o] = sum;
  }
}

// (logits, token)
void Argmax(Args args, const Size3&, const Size3&) {
  const float* logits = Data<float>(args, 0);
  int32_t best = 0;
  for (int32_t o = 1; o < 8; ++o) {
    if (logits[o] > logits[best]) {
      best = o;
    }
  }
  const bool is_finite = std::all_of(
      logits, logits + 8, [](float logit) { return std::isfinite(logit); });
  *Data<int32_t>(args, 1) = is_finite ? best : -1;
}

}  // namespace

void DefineSampleKernels(hal::NullDevice& device) {
  const struct {
    const char* name;
    int args;
    void (*run)(Args, const Size3&, const Size3&);
  } kernels[] = {{"embed", 5, Embed},
                 {"accumulate", 4, Accumulate},
                 {"pick", 3, Pick},
                 {"head", 3, Head},
                 {"argmax", 2, Argmax}};
  for (const auto& kernel : kernels) {
    hal::NullKernel defined;
    defined.num_args = kernel.args;
    defined.run = kernel.run;
    device.DefineKernel(kernel.name, std::move(defined));
  }
}

}  // namespace millrace::session
