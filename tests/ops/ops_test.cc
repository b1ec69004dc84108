// SPDX-License-Identifier: Apache-2.0
//
// Every op on every storage of activations, in f32 and f16 storage, against the
// reference interpreter. One test each, named like rms_norm/texture_2d/f16.
#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "compiler/layout/algebra/storage.h"
#include "gtest/gtest.h"
#include "runtime/hal/driver.h"
#include "tests/ops/op_case.h"
#include "tests/ops/op_runner.h"

namespace millrace::ops {

std::vector<OpCase> AllCases() {
  std::vector<OpCase> cases;
  for (auto family :
       {ElementwiseCases, LinearCases, NormCases, AttentionCases, MoveCases}) {
    for (OpCase& op_case : family()) {
      cases.push_back(std::move(op_case));
    }
  }
  return cases;
}

namespace {

// Half a unit in the last place of f16, relative.
constexpr double kHalfRounding = 1.0 / 2048.0;

// One device for all tests of the process.
hal::Device* Device() {
  static hal::Device* device = [] {
    absl::StatusOr<hal::DeviceSelector> selector =
        hal::SelectorFromEnvironment();
    if (!selector.ok()) {
      return static_cast<hal::Device*>(nullptr);
    }
    auto opened = hal::OpenDevice(*selector);
    return opened.ok() ? opened->release() : nullptr;
  }();
  return device;
}

void ExpectClose(const std::vector<float>& found,
                 const std::vector<float>& wanted, double tolerance) {
  ASSERT_EQ(found.size(), wanted.size());
  double largest = 0.0;
  for (float value : wanted) {
    largest = std::max(largest, std::fabs(static_cast<double>(value)));
  }
  const double bound = tolerance * std::max(largest, 1e-3);
  int shown = 0;
  for (size_t i = 0; i < wanted.size() && shown < 4; ++i) {
    if (!(std::fabs(found[i] - wanted[i]) <= bound)) {
      ADD_FAILURE() << "element " << i << ": wanted " << wanted[i] << ", found "
                    << found[i] << ", bound " << bound;
      ++shown;
    }
  }
}

class OpTest : public testing::Test {
 public:
  OpTest(OpCase op_case, Target target)
      : op_case_(std::move(op_case)), target_(std::move(target)) {}

  void TestBody() override {
    ASSERT_NE(Device(), nullptr) << "no OpenCL device";
    // Each op stores at most twice on the way to a result (its own result, and
    // one that it reads), each time off by half a unit at the most.
    const double tolerance =
        op_case_.tolerance == 0.0
            ? 0.0
            : op_case_.tolerance + (target_.half ? 2 * kHalfRounding : 0.0);
    for (int64_t channels : op_case_.channels) {
      SCOPED_TRACE(absl::StrCat("channels ", channels));
      absl::StatusOr<Outcome> outcome =
          RunCase(op_case_, channels, target_, *Device());
      ASSERT_TRUE(outcome.ok()) << outcome.status();
      for (size_t i = 0; i < outcome->wanted.size(); ++i) {
        SCOPED_TRACE(absl::StrCat("result ", i));
        ExpectClose(outcome->found[i], outcome->wanted[i], tolerance);
      }
    }
  }

 private:
  OpCase op_case_;
  Target target_;
};

void RegisterTests() {
  for (const OpCase& op_case : AllCases()) {
    for (layout::StorageKind storage : layout::kAllStorageKinds) {
      for (bool half : {false, true}) {
        Target target;
        target.storage = std::string(layout::StorageName(storage));
        target.half = half;
        const std::string name = absl::StrCat(op_case.op, "/", target.storage,
                                              "/", half ? "f16" : "f32");
        testing::RegisterTest(
            "ops", name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
            [=]() -> OpTest* { return new OpTest(op_case, target); });
      }
    }
  }
}

}  // namespace
}  // namespace millrace::ops

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  millrace::ops::RegisterTests();
  return RUN_ALL_TESTS();
}
