// SPDX-License-Identifier: Apache-2.0
#include "tests/ops/compiled_case.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/types/span.h"
#include "base/status_macros.h"
#include "models/checkpoints/convert.h"
#include "models/checkpoints/random_weights.h"
#include "runtime/session/session.h"
#include "runtime/weights/provider.h"
#include "runtime/weights/source.h"

namespace millrace::ops {
namespace {

int64_t Elements(const plan::schema::Port& port) {
  int64_t count = 1;
  for (int64_t extent : *port.shape()) {
    count *= extent;
  }
  return count;
}

bool IsHalf(const plan::schema::Port& port) {
  return port.scalar() == plan::schema::ScalarType::F16;
}

template <typename T>
std::vector<uint8_t> AsBytes(const std::vector<T>& values) {
  const auto* data = reinterpret_cast<const uint8_t*>(values.data());
  return std::vector<uint8_t>(data, data + values.size() * sizeof(T));
}

std::vector<uint8_t> BytesOf(const InputValues& input, bool half) {
  if (!input.integers.empty()) {
    return AsBytes(input.integers);
  }
  if (!half) {
    return AsBytes(input.floats);
  }
  std::vector<uint16_t> halves;
  for (float value : input.floats) {
    halves.push_back(checkpoints::FloatToHalf(value));
  }
  return AsBytes(halves);
}

template <typename T>
std::vector<T> Reinterpret(const std::vector<uint8_t>& bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

absl::StatusOr<std::vector<float>> ReadResult(session::Session& session,
                                              const plan::schema::Port& port,
                                              int number) {
  std::vector<uint8_t> bytes(Elements(port) * (IsHalf(port) ? 2 : 4));
  MR_RETURN_IF_ERROR(session.ReadOutput(0, number, absl::MakeSpan(bytes)));
  if (IsHalf(port)) {
    std::vector<float> values;
    for (uint16_t half : Reinterpret<uint16_t>(bytes)) {
      values.push_back(checkpoints::HalfToFloat(half));
    }
    return values;
  }
  if (port.scalar() == plan::schema::ScalarType::I32) {
    const auto integers = Reinterpret<int32_t>(bytes);
    return std::vector<float>(integers.begin(), integers.end());
  }
  return Reinterpret<float>(bytes);
}

absl::StatusOr<Results> CallOnce(session::Session& session,
                                 const plan::schema::EntryPoint& entry,
                                 const CaseParams& params, int call) {
  for (uint32_t i = 0; i < entry.inputs()->size(); ++i) {
    const plan::schema::Port& port = *entry.inputs()->Get(i);
    MR_RETURN_IF_ERROR(session.SetInput(
        0, i, BytesOf(MakeInput(port, call, i), IsHalf(port))));
  }
  const int32_t words[] = {params.position, params.active, params.end,
                           params.row};
  MR_RETURN_IF_ERROR(session.Run(0, words));
  Results results;
  for (uint32_t i = 0; i < entry.outputs()->size(); ++i) {
    MR_ASSIGN_OR_RETURN(std::vector<float> values,
                        ReadResult(session, *entry.outputs()->Get(i), i));
    results.push_back(std::move(values));
  }
  return results;
}

}  // namespace

InputValues MakeInput(const plan::schema::Port& port, int call, int number) {
  InputValues input;
  input.shape.assign(port.shape()->begin(), port.shape()->end());
  const int64_t count = Elements(port);
  if (port.scalar() == plan::schema::ScalarType::I32) {
    for (int64_t i = 0; i < count; ++i) {
      input.integers.push_back(
          static_cast<int32_t>(i == 1 ? 1000 : (i * 5 + call) % 9));
    }
    return input;
  }
  input.floats.resize(count);
  const int64_t column[] = {count, 1};
  checkpoints::RandomTensor(kWeightSeed,
                            absl::StrCat("input.", call, ".", number), column)
      .Fill(0, absl::MakeSpan(input.floats));
  if (IsHalf(port)) {
    for (float& value : input.floats) {
      value = checkpoints::HalfToFloat(checkpoints::FloatToHalf(value));
    }
  }
  return input;
}

absl::StatusOr<Results> RunOnDevice(const plan::Plan& plan,
                                    const CaseParams& params, int calls,
                                    hal::Device& device) {
  std::unique_ptr<weights::WeightProvider> weights =
      weights::PackOnTheFly(*plan, weights::RandomSource(kWeightSeed));
  session::SessionOptions options;
  options.show_progress = false;
  MR_ASSIGN_OR_RETURN(std::unique_ptr<session::Session> session,
                      session::Session::Open(device, *plan, *weights, options));
  Results results;
  for (int call = 0; call < calls; ++call) {
    MR_ASSIGN_OR_RETURN(
        results,
        CallOnce(*session, *plan->entry_points()->Get(0), params, call));
  }
  return results;
}

absl::Status CompareResults(const CompiledCase& compiled,
                            const Results& found) {
  if (found.size() != compiled.wanted.size()) {
    return absl::InternalError("another number of results");
  }
  for (size_t k = 0; k < found.size(); ++k) {
    const std::vector<float>& wanted = compiled.wanted[k];
    if (found[k].size() != wanted.size()) {
      return absl::InternalError(
          absl::StrFormat("result %d: wanted %d elements, found %d", k,
                          wanted.size(), found[k].size()));
    }
    double largest = 1e-3;
    for (float value : wanted) {
      largest = std::max(largest, std::fabs(static_cast<double>(value)));
    }
    const double bound = compiled.tolerance * largest;
    for (size_t i = 0; i < wanted.size(); ++i) {
      // Written so that a NaN fails.
      if (!(std::fabs(found[k][i] - wanted[i]) <= bound)) {
        return absl::InternalError(absl::StrFormat(
            "result %d, element %d: wanted %g, found %g, bound %g", k, i,
            wanted[i], found[k][i], bound));
      }
    }
  }
  return absl::OkStatus();
}

}  // namespace millrace::ops
