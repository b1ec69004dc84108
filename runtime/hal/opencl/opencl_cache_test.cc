// SPDX-License-Identifier: Apache-2.0
//
// The program cache with a real driver: a second build hits, and an entry that
// is sound for the cache but garbage for the driver is rebuilt.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "runtime/hal/opencl/opencl_device.h"
#include "runtime/hal/program_cache.h"

namespace millrace::hal {
namespace {

namespace fs = std::filesystem;

constexpr char kSource[] =
    R"(
kernel void twice(global char* slab, long offset) {
  global int* x = (global int*)(slab + offset);
  x[get_global_id(0)] *= 2;
}
)";

class OpenClCacheTest : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(folder_);
    unsetenv("MILLRACE_NO_CACHE");
    setenv("MILLRACE_CACHE_DIR", folder_.c_str(), 1);
    auto selector = SelectorFromEnvironment();
    ASSERT_TRUE(selector.ok()) << selector.status();
    DeviceOptions options;
    options.cache_beside_driver = true;
    auto device = OpenOpenClDevice(*selector, options);
    if (absl::IsNotFound(device.status())) {
      GTEST_SKIP() << device.status();
    }
    ASSERT_TRUE(device.ok()) << device.status();
    device_ = *std::move(device);
  }

  // Builds, runs, checks the result; true when the binary came from the cache.
  bool BuildAndRun() {
    auto program = device_->BuildProgram("twice", kSource, "");
    EXPECT_TRUE(program.ok()) << program.status();
    if (!program.ok()) {
      return false;
    }
    auto kernel = (*program)->CreateKernel("twice", {ArgKind::kBuffer});
    EXPECT_TRUE(kernel.ok()) << kernel.status();
    auto buffer = device_->CreateBuffer("x", 4);
    EXPECT_TRUE(buffer.ok()) << buffer.status();
    std::vector<uint8_t> word = {21, 0, 0, 0};
    EXPECT_TRUE(device_->queue().WriteAll(**buffer, word).ok());
    EXPECT_TRUE((*kernel)->SetArg(0, **buffer).ok());
    EXPECT_TRUE(device_->queue().Dispatch(**kernel, {1, 1, 1}, {1, 1, 1}).ok());
    EXPECT_TRUE(device_->queue().ReadAll(**buffer, absl::MakeSpan(word)).ok());
    EXPECT_EQ(word[0], 42);
    return (*program)->from_cache();
  }

  const std::string folder_ = testing::TempDir() + "/opencl_cache_test";
  std::unique_ptr<Device> device_;
};

TEST_F(OpenClCacheTest, SecondBuildComesFromTheCache) {
  EXPECT_FALSE(BuildAndRun());
  EXPECT_TRUE(BuildAndRun());
}

TEST_F(OpenClCacheTest, AnEntryTheDriverRefusesIsRebuilt) {
  EXPECT_FALSE(BuildAndRun());
  const DeviceInfo& info = device_->info();
  const CacheKey key =
      MakeCacheKey({kSource, "", info.backend, info.platform, info.device,
                    info.device_version, info.driver});
  const ProgramCache cache(folder_);
  ASSERT_TRUE(cache.Load(key).has_value());
  ASSERT_TRUE(cache.Store(key, "this is no binary").ok());
  EXPECT_FALSE(BuildAndRun());
  EXPECT_TRUE(BuildAndRun());
}

TEST_F(OpenClCacheTest, OffByOption) {
  auto selector = SelectorFromEnvironment();
  DeviceOptions options;
  options.use_program_cache = false;
  auto device = OpenOpenClDevice(*selector, options);
  ASSERT_TRUE(device.ok()) << device.status();
  device_ = *std::move(device);
  EXPECT_FALSE(BuildAndRun());
  EXPECT_FALSE(BuildAndRun());
  EXPECT_FALSE(fs::exists(folder_));
}

}  // namespace
}  // namespace millrace::hal
