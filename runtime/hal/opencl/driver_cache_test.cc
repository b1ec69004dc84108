// SPDX-License-Identifier: Apache-2.0
#include "runtime/hal/opencl/driver_cache.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "absl/strings/match.h"

namespace millrace::hal {
namespace {

namespace fs = std::filesystem;

TEST(DriverCacheTest, FindsTheFolder) {
  setenv("HOME", "/home/x", 1);
  unsetenv("XDG_CACHE_HOME");
  unsetenv("POCL_CACHE_DIR");
  EXPECT_EQ(PoclCacheFolder(), "/home/x/.cache/pocl/kcache");
  setenv("XDG_CACHE_HOME", "/var/c", 1);
  EXPECT_EQ(PoclCacheFolder(), "/var/c/pocl/kcache");
  setenv("POCL_CACHE_DIR", "/p", 1);
  EXPECT_EQ(PoclCacheFolder(), "/p");
}

TEST(DriverCacheTest, AFolderThatCanBeMadeIsFineAndNotMade) {
  const std::string folder = ::testing::TempDir() + "/driver_cache/a/b";
  EXPECT_TRUE(CheckDriverCache(folder).ok()) << CheckDriverCache(folder);
  EXPECT_FALSE(fs::exists(folder));
  EXPECT_TRUE(CheckDriverCache("").ok());
}

TEST(DriverCacheTest, NamesTheFolderTheReasonAndTheVariable) {
  // Below a file there is no folder, for root neither.
  const std::string file = ::testing::TempDir() + "/driver_cache_file";
  std::ofstream(file) << "x";
  const absl::Status status = CheckDriverCache(file + "/pocl");
  EXPECT_TRUE(absl::StrContains(status.message(), file + "/pocl (Not a dir"))
      << status;
  EXPECT_TRUE(absl::StrContains(status.message(), "set POCL_CACHE_DIR"));
  EXPECT_FALSE(CheckDriverCache("/proc/pocl").ok());
}

}  // namespace
}  // namespace millrace::hal
