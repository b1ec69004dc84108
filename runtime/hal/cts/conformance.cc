// SPDX-License-Identifier: Apache-2.0
#include "runtime/hal/cts/conformance.h"

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace millrace::hal::cts {

Backend::~Backend() = default;

void ConformanceTest::SetUp() {
  absl::StatusOr<std::unique_ptr<Device>> device = backend().Open();
  if (absl::IsNotFound(device.status())) {
    GTEST_SKIP() << device.status();
  }
  ASSERT_TRUE(device.ok()) << device.status();
  device_ = *std::move(device);
}

std::unique_ptr<Kernel> ConformanceTest::MakeKernel(const std::string& source,
                                                    const std::string& entry,
                                                    ObjectKind kind) {
  auto program = device().BuildProgram("conformance", source, "");
  EXPECT_TRUE(program.ok()) << program.status();
  if (!program.ok()) {
    return nullptr;
  }
  auto kernel = (*program)->CreateKernel(entry, TwoOf(kind));
  EXPECT_TRUE(kernel.ok()) << kernel.status();
  return kernel.ok() ? *std::move(kernel) : nullptr;
}

void StorageTest::SetUp() {
  absl::StatusOr<std::unique_ptr<Device>> device = backend().Open();
  if (absl::IsNotFound(device.status())) {
    GTEST_SKIP() << device.status();
  }
  ASSERT_TRUE(device.ok()) << device.status();
  device_ = *std::move(device);
  const ImageAbility ability =
      ImageAbilityOf(device_->info(), kind(), scalar());
  if (!ability.read || !ability.write) {
    GTEST_SKIP() << "the device cannot read and write "
                 << ObjectKindName(kind()) << " of "
                 << ScalarTypeName(scalar());
  }
}

std::string StorageCaseName(const testing::TestParamInfo<StorageCase>& info) {
  return absl::StrCat(ObjectKindName(std::get<1>(info.param)), "_",
                      ScalarTypeName(std::get<2>(info.param)));
}

uint16_t SmallIntToHalf(int value) {
  if (value == 0) {
    return 0;
  }
  int exponent = 0;
  while (value >> (exponent + 1) != 0) {
    ++exponent;
  }
  const int mantissa = (value << 10 >> exponent) & 0x3ff;
  return static_cast<uint16_t>((exponent + 15) << 10 | mantissa);
}

int HalfToSmallInt(uint16_t half) {
  if (half == 0) {
    return 0;
  }
  return ((half & 0x3ff) | 0x400) << ((half >> 10) - 15) >> 10;
}

std::vector<uint8_t> Ramp(ScalarType scalar, int64_t count, int first) {
  const int64_t size = ScalarBytes(scalar);
  std::vector<uint8_t> bytes(count * size);
  for (int64_t i = 0; i < count; ++i) {
    const int32_t value = first + static_cast<int32_t>(i % 100);
    const float real = static_cast<float>(value);
    const uint16_t half = SmallIntToHalf(value);
    const void* from = scalar == ScalarType::kF32 ? &real
                       : scalar == ScalarType::kF16
                           ? static_cast<const void*>(&half)
                           : &value;
    std::memcpy(bytes.data() + i * size, from, size);
  }
  return bytes;
}

}  // namespace millrace::hal::cts
