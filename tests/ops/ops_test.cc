// SPDX-License-Identifier: Apache-2.0
//
// Every op on every storage of activations, in f32 and f16 storage, against the
// reference interpreter. One test each, named like rms_norm/texture_2d/f16.
//
// With --checker the device is oclgrind, which interprets kernels: all channel
// counts take a second a test, and its log of accesses out of bounds, data
// races and misuse of the API must stay empty. (It is not asked for
// uninitialised reads: version 21.10 reports them for inputs that were written
// in full.) Without, it is the OpenCL device that the environment selects, and
// one channel count each, because PoCL compiles for 0.4 s a kernel; in two of
// the storages also the largest. --profile=NAME compiles for another profile
// than PoCL's.
//
// Products are also tried with each form that a weight can have, in tests named
// like linear_matrix/buffer/WEIGHTS_I4/f16.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "compiler/device/profile.h"
#include "gtest/gtest.h"
#include "layout/storage.h"
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

// Where oclgrind's library lies in Debian and when built by hand.
constexpr const char* kCheckers[] = {
    "/usr/lib/oclgrind/liboclgrind-rt.so",
    "/usr/local/lib/liboclgrind-rt.so",
};

// Selects oclgrind and its checks for this process; false if it is not there.
// docs/device_workarounds.md says why one thread and no optimisation.
bool UseChecker(const std::string& log) {
  for (const char* library : kCheckers) {
    if (std::filesystem::exists(library)) {
      setenv("MILLRACE_OPENCL_LIBRARY", library, 1);
      setenv("MILLRACE_NO_CACHE", "1", 1);
      setenv("MILLRACE_BUILD_THREADS", "1", 1);
      setenv("OCLGRIND_BUILD_OPTIONS", "-cl-opt-disable", 1);
      setenv("OCLGRIND_DATA_RACES", "1", 1);
      setenv("OCLGRIND_CHECK_API", "1", 1);
      setenv("OCLGRIND_LOG", log.c_str(), 1);
      return true;
    }
  }
  std::fprintf(
      stderr, "oclgrind is not installed; install Debian's package oclgrind\n");
  return false;
}

// Of the checker, when there is one; it must stay empty.
std::string* checker_log = nullptr;

void ExpectCleanLog() {
  if (checker_log == nullptr) {
    return;
  }
  std::ifstream file(*checker_log);
  std::string line;
  std::string text;
  while (std::getline(file, line) && text.size() < 2000) {
    text += line + "\n";
  }
  EXPECT_EQ(text, "") << "the checker found something";
}

// The channel counts that there is time for.
std::vector<int64_t> ChannelsFor(const OpCase& op_case, const Target& target) {
  if (checker_log != nullptr) {
    return op_case.channels;
  }
  std::vector<int64_t> channels = {RepresentativeChannels(op_case)};
  const bool with_largest =
      target.storage == (target.half ? "texture_2d" : "buffer");
  if (with_largest && op_case.channels.back() != channels.front()) {
    channels.push_back(op_case.channels.back());
  }
  return channels;
}

class OpTest : public testing::Test {
 public:
  OpTest(OpCase op_case, Target target)
      : op_case_(std::move(op_case)), target_(std::move(target)) {}

  void TestBody() override {
    ASSERT_NE(Device(), nullptr) << "no OpenCL device";
    for (int64_t channels : ChannelsFor(op_case_, target_)) {
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
    ExpectCleanLog();
  }

 private:
  OpCase op_case_;
  Target target_;
};

void RegisterTest(const OpCase& op_case, const Target& target) {
  testing::RegisterTest(
      "ops", CaseName(op_case, target).c_str(), nullptr, nullptr, __FILE__,
      __LINE__, [=]() -> OpTest* { return new OpTest(op_case, target); });
}

// On every storage, or on buffers only.
void RegisterStorages(const OpCase& op_case, Target target) {
  for (layout::StorageKind storage : layout::kAllStorageKinds) {
    if (op_case.on_every_storage || storage == layout::StorageKind::kBuffer) {
      target.storage = std::string(layout::StorageName(storage));
      RegisterTest(op_case, target);
    }
  }
}

// For the profiles besides the test's that the case names.
void RegisterProfiles(const OpCase& op_case) {
  for (const std::string& profile : op_case.profiles) {
    OpCase as_profile = op_case;
    as_profile.op += "_as_" + profile;
    Target target;
    target.device = profile;
    target.storage = "buffer";
    RegisterTest(as_profile, target);
  }
}

void RegisterWeightForms(const OpCase& op_case, Target target) {
  target.storage = "buffer";
  for (absl::string_view form : device::WeightForms()) {
    target.weight_form = std::string(form);
    RegisterTest(op_case, target);
  }
}

// A profile whose groups, tiles and vectors have odd sizes: the paths that only
// large devices take elsewhere.
constexpr char kAwkwardProfile[] = "test-awkward";

void RegisterAwkward(const OpCase& op_case) {
  OpCase as_profile = op_case;
  as_profile.op += absl::StrCat("_as_", kAwkwardProfile);
  Target target;
  target.device = kAwkwardProfile;
  for (bool half : {false, true}) {
    target.half = half;
    RegisterTest(as_profile, target);
  }
}

// No op has more schedules than this; a number past the last means the last.
constexpr int64_t kMostCandidates = 8;

void RegisterCandidates(OpCase op_case, const std::string& profile) {
  op_case.op += absl::StrCat("_as_", profile);
  Target target;
  target.device = profile;
  for (int64_t candidate = 1; candidate < kMostCandidates; ++candidate) {
    target.candidate = candidate;
    target.half = candidate % 2 == 0;
    RegisterTest(op_case, target);
  }
}

void RegisterTests(const std::string& profile) {
  for (bool half : {false, true}) {
    Target target;
    target.device = profile;
    target.half = half;
    for (const OpCase& op_case : AllCases()) {
      RegisterStorages(op_case, target);
    }
    for (const OpCase& op_case : LinearCases()) {
      RegisterWeightForms(op_case, target);
    }
  }
  for (const OpCase& op_case : AllCases()) {
    RegisterProfiles(op_case);
    RegisterAwkward(op_case);
  }
  for (const OpCase& op_case : LinearCases()) {
    RegisterCandidates(op_case, profile);
    RegisterCandidates(op_case, kAwkwardProfile);
  }
}

// The value of --NAME=, if one of the arguments is that.
std::string Flag(int argc, char** argv, absl::string_view name,
                 absl::string_view otherwise) {
  const std::string prefix = absl::StrCat("--", name, "=");
  for (int i = 1; i < argc; ++i) {
    if (absl::StartsWith(argv[i], prefix)) {
      return argv[i] + prefix.size();
    }
  }
  return std::string(otherwise);
}

int Main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (argc > 1 && std::string(argv[1]) == "--checker") {
    const char* folder = std::getenv("TEST_TMPDIR");
    checker_log = new std::string(
        absl::StrCat(folder == nullptr ? "/tmp" : folder, "/oclgrind.log"));
    std::filesystem::remove(*checker_log);
    if (!UseChecker(*checker_log)) {
      return 1;
    }
  }
  RegisterTests(Flag(argc, argv, "profile", "pocl-cpu"));
  return RUN_ALL_TESTS();
}

}  // namespace
}  // namespace millrace::ops

int main(int argc, char** argv) { return millrace::ops::Main(argc, argv); }
