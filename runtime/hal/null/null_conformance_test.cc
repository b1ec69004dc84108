// SPDX-License-Identifier: Apache-2.0
//
// The conformance suite on the null device, with its kernels as C++.
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>

#include "runtime/hal/cts/conformance.h"
#include "runtime/hal/null/null_device.h"

namespace millrace::hal::cts {
namespace {

// Reads, adds one to and writes back a scalar at `from`.
void AddOne(ScalarType scalar, const uint8_t* from, uint8_t* to) {
  if (scalar == ScalarType::kF16) {
    uint16_t half;
    std::memcpy(&half, from, sizeof(half));
    half = SmallIntToHalf(HalfToSmallInt(half) + 1);
    std::memcpy(to, &half, sizeof(half));
  } else if (scalar == ScalarType::kF32) {
    float value;
    std::memcpy(&value, from, sizeof(value));
    value += 1.0f;
    std::memcpy(to, &value, sizeof(value));
  } else {
    int32_t value;
    std::memcpy(&value, from, sizeof(value));
    ++value;
    std::memcpy(to, &value, sizeof(value));
  }
}

NullKernel PlusOneKernel(ScalarType scalar) {
  NullKernel kernel;
  kernel.num_args = 2;
  kernel.run = [scalar](absl::Span<const NullArg> args, const Size3&,
                        const Size3&) {
    const int64_t size = ScalarBytes(scalar);
    const int64_t count = args[0].bytes.size() / size;
    for (int64_t i = 0; i < count; ++i) {
      AddOne(scalar, args[0].bytes.data() + i * size,
             args[1].bytes.data() + i * size);
    }
  };
  return kernel;
}

NullKernel ReverseKernel() {
  NullKernel kernel;
  kernel.num_args = 2;
  kernel.run = [](absl::Span<const NullArg> args, const Size3& groups,
                  const Size3& local) {
    for (uint32_t i = 0; i < groups[0] * local[0]; ++i) {
      const uint32_t group = i / local[0] * local[0];
      const uint32_t from = group + local[0] - 1 - i % local[0];
      std::memcpy(args[1].bytes.data() + i * 4, args[0].bytes.data() + from * 4,
                  4);
    }
  };
  return kernel;
}

// The "source" is the scalar's name; the kernel is defined when it is built.
class ConformingNullDevice : public NullDevice {
 public:
  absl::StatusOr<std::unique_ptr<Program>> BuildProgram(
      absl::string_view name, absl::string_view source,
      absl::string_view options) override {
    for (ScalarType scalar :
         {ScalarType::kF32, ScalarType::kF16, ScalarType::kI32}) {
      if (source == ScalarTypeName(scalar)) {
        DefineKernel("plus_one", PlusOneKernel(scalar));
      }
    }
    DefineKernel("reverse_group", ReverseKernel());
    return NullDevice::BuildProgram(name, source, options);
  }
};

class NullBackend : public Backend {
 public:
  absl::StatusOr<std::unique_ptr<Device>> Open() const override {
    return std::make_unique<ConformingNullDevice>();
  }
  std::string PlusOne(ObjectKind, ScalarType scalar) const override {
    return std::string(ScalarTypeName(scalar));
  }
  std::string ReverseGroup() const override { return "reverse_group"; }
  std::string Broken() const override { return ""; }
};

const NullBackend backend;

MILLRACE_INSTANTIATE_CONFORMANCE(Null, &backend);

}  // namespace
}  // namespace millrace::hal::cts
