// SPDX-License-Identifier: Apache-2.0
//
// The conformance suite: what every driver must do, written once and run by
// each. A driver implements `Backend` and has a test file with one line,
//
//   MILLRACE_INSTANTIATE_CONFORMANCE(OpenCl, &backend)
//
// A test is skipped only when opening the device gives NotFound (no library, no
// device) or the device says it cannot do what is tested; all else fails.
#ifndef MILLRACE_RUNTIME_HAL_CTS_CONFORMANCE_H_
#define MILLRACE_RUNTIME_HAL_CTS_CONFORMANCE_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <ostream>
#include <string>
#include <tuple>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/hal/device.h"

namespace millrace::hal::cts {

// Work-items of one group of `reverse_group`.
inline constexpr uint32_t kReverseGroup = 64;

// A driver under test: its device, and the suite's kernels in its language.
class Backend {
 public:
  virtual ~Backend();
  virtual absl::StatusOr<std::unique_ptr<Device>> Open() const = 0;

  // Kernel `plus_one(src, dst)`: both objects of this kind and scalar. The
  // work-item (x, y, z) adds one to each lane of the unit there: a scalar of a
  // buffer, a texel of an image. f16 is converted to float and back.
  virtual std::string PlusOne(ObjectKind kind, ScalarType scalar) const = 0;
  // Kernel `reverse_group(src, dst)`, f32 buffers: each group of kReverseGroup
  // work-items reverses its elements, through local memory and a barrier.
  virtual std::string ReverseGroup() const = 0;
  // A source whose build must fail with a log; empty where nothing fails.
  virtual std::string Broken() const = 0;
};

// Opens a fresh device for each test.
class ConformanceTest : public testing::TestWithParam<const Backend*> {
 protected:
  void SetUp() override;
  const Backend& backend() const { return *GetParam(); }
  Device& device() { return *device_; }
  Queue& queue() { return device_->queue(); }

  // Builds one of the suite's programs; fails the test on an error.
  // The kernel takes two objects of `kind`.
  std::unique_ptr<Kernel> MakeKernel(const std::string& source,
                                     const std::string& entry,
                                     ObjectKind kind = ObjectKind::kBuffer);

  std::unique_ptr<Device> device_;
};

// Of kernels that take two objects of `kind`.
inline Signature TwoOf(ObjectKind kind) {
  return {ArgKindOf(kind), ArgKindOf(kind)};
}

using StorageCase = std::tuple<const Backend*, ObjectKind, ScalarType>;

// One object kind with one scalar type.
class StorageTest : public testing::TestWithParam<StorageCase> {
 protected:
  void SetUp() override;
  const Backend& backend() const { return *std::get<0>(GetParam()); }
  ObjectKind kind() const { return std::get<1>(GetParam()); }
  ScalarType scalar() const { return std::get<2>(GetParam()); }

  std::unique_ptr<Device> device_;
};

// `texture_2d_f16`.
std::string StorageCaseName(const testing::TestParamInfo<StorageCase>& info);

// Bytes of `count` scalars with value(i) = first + i % 100 (exact in f16).
std::vector<uint8_t> Ramp(ScalarType scalar, int64_t count, int first);

template <typename T>
absl::Span<const uint8_t> AsBytes(const std::vector<T>& values) {
  return {reinterpret_cast<const uint8_t*>(values.data()),
          values.size() * sizeof(T)};
}
template <typename T>
absl::Span<uint8_t> AsMutableBytes(std::vector<T>& values) {
  return {reinterpret_cast<uint8_t*>(values.data()), values.size() * sizeof(T)};
}

// Half precision, for the few hundred integers that the suite uses.
uint16_t SmallIntToHalf(int value);
int HalfToSmallInt(uint16_t half);

}  // namespace millrace::hal::cts

namespace millrace::hal {

// GoogleTest prints parameters with these.
inline void PrintTo(ObjectKind kind, std::ostream* out) {
  *out << ObjectKindName(kind);
}
inline void PrintTo(ScalarType scalar, std::ostream* out) {
  *out << ScalarTypeName(scalar);
}

}  // namespace millrace::hal

#define MILLRACE_INSTANTIATE_CONFORMANCE(Prefix, backend)                    \
  INSTANTIATE_TEST_SUITE_P(                                                  \
      Prefix, ConformanceTest,                                               \
      testing::Values(                                                       \
          static_cast<const ::millrace::hal::cts::Backend*>(backend)),       \
      [](const auto&) { return "device"; });                                 \
  INSTANTIATE_TEST_SUITE_P(                                                  \
      Prefix, StorageTest,                                                   \
      testing::Combine(                                                      \
          testing::Values(                                                   \
              static_cast<const ::millrace::hal::cts::Backend*>(backend)),   \
          testing::Values(ObjectKind::kBuffer, ObjectKind::kImageBuffer,     \
                          ObjectKind::kTexture2d, ObjectKind::kTextureArray, \
                          ObjectKind::kTexture3d),                           \
          testing::Values(ScalarType::kF32, ScalarType::kF16,                \
                          ScalarType::kI32)),                                \
      StorageCaseName)

#endif  // MILLRACE_RUNTIME_HAL_CTS_CONFORMANCE_H_
