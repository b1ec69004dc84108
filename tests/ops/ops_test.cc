// SPDX-License-Identifier: Apache-2.0
//
// Every op on every storage of activations, in f32 and f16 storage, against the
// reference interpreter. One test each, named like rms_norm/texture_2d/f16.
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "compiler/layout/algebra/storage.h"
#include "gtest/gtest.h"
#include "runtime/hal/driver.h"
#include "tests/ops/compiled_case.h"
#include "tests/ops/op_case.h"
#include "tests/ops/op_compiler.h"

namespace millrace::ops {

namespace {

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

class OpTest : public testing::Test {
 public:
  OpTest(OpCase op_case, Target target)
      : op_case_(std::move(op_case)), target_(std::move(target)) {}

  void TestBody() override {
    ASSERT_NE(Device(), nullptr) << "no OpenCL device";
    for (int64_t channels : op_case_.channels) {
      SCOPED_TRACE(absl::StrCat("channels ", channels));
      absl::StatusOr<CompiledCase> compiled =
          CompileCase(op_case_, channels, target_);
      ASSERT_TRUE(compiled.ok()) << compiled.status();
      auto plan = plan::Plan::FromBytes(compiled->plan_file);
      ASSERT_TRUE(plan.ok()) << plan.status();
      absl::StatusOr<Results> found =
          RunOnDevice(*plan, compiled->params, compiled->calls, *Device());
      ASSERT_TRUE(found.ok()) << found.status();
      const absl::Status same = CompareResults(*compiled, *found);
      EXPECT_TRUE(same.ok()) << same.message();
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
