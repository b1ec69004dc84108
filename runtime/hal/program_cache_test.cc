// SPDX-License-Identifier: Apache-2.0
#include "runtime/hal/program_cache.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "absl/strings/str_cat.h"

namespace millrace::hal {
namespace {

namespace fs = std::filesystem;

class ProgramCacheTest : public testing::Test {
 protected:
  ProgramCacheTest()
      : cache_(absl::StrCat(
            testing::TempDir(), "/program_cache_",
            testing::UnitTest::GetInstance()->current_test_info()->name())) {
    fs::remove_all(cache_.folder());
  }

  std::string ReadEntry() {
    std::ifstream file(cache_.PathOf(key_), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void WriteEntry(const std::string& bytes) {
    std::ofstream(cache_.PathOf(key_), std::ios::binary) << bytes;
  }

  const CacheKey key_ = MakeCacheKey({"source", "options"});
  const ProgramCache cache_;
};

TEST_F(ProgramCacheTest, StoresAndLoads) {
  EXPECT_EQ(cache_.Load(key_), std::nullopt);
  const std::string payload("binary\0with zero", 16);
  ASSERT_TRUE(cache_.Store(key_, payload).ok());
  EXPECT_EQ(cache_.Load(key_), payload);
  cache_.Remove(key_);
  EXPECT_EQ(cache_.Load(key_), std::nullopt);
}

TEST_F(ProgramCacheTest, LeavesNoTemporaryFiles) {
  ASSERT_TRUE(cache_.Store(key_, "one").ok());
  ASSERT_TRUE(cache_.Store(key_, "two").ok());
  EXPECT_EQ(cache_.Load(key_), "two");
  const fs::directory_iterator files(cache_.folder());
  EXPECT_EQ(std::distance(begin(files), end(files)), 1);
}

TEST_F(ProgramCacheTest, CutShortAtAnyByteIsAMiss) {
  ASSERT_TRUE(cache_.Store(key_, "payload").ok());
  const std::string entry = ReadEntry();
  for (size_t size = 0; size < entry.size(); ++size) {
    WriteEntry(entry.substr(0, size));
    EXPECT_EQ(cache_.Load(key_), std::nullopt) << size;
  }
}

TEST_F(ProgramCacheTest, AnyFlippedBitIsAMiss) {
  ASSERT_TRUE(cache_.Store(key_, "payload").ok());
  const std::string entry = ReadEntry();
  for (size_t bit = 0; bit < entry.size() * 8; ++bit) {
    std::string flipped = entry;
    flipped[bit / 8] ^= static_cast<char>(1 << bit % 8);
    WriteEntry(flipped);
    EXPECT_EQ(cache_.Load(key_), std::nullopt) << bit;
  }
}

TEST_F(ProgramCacheTest, AnEntryOfAnotherKeyIsAMiss) {
  ASSERT_TRUE(cache_.Store(key_, "payload").ok());
  const CacheKey other = MakeCacheKey({"another"});
  fs::copy(cache_.PathOf(key_), cache_.PathOf(other));
  EXPECT_EQ(cache_.Load(other), std::nullopt);
}

TEST_F(ProgramCacheTest, AFolderThatCannotBeMadeIsNotFatal) {
  const ProgramCache cache("/dev/null/cache");
  EXPECT_FALSE(cache.Store(key_, "payload").ok());
  EXPECT_EQ(cache.Load(key_), std::nullopt);
}

TEST_F(ProgramCacheTest, KeysSeparateTheirParts) {
  EXPECT_NE(MakeCacheKey({"ab", "c"}), MakeCacheKey({"a", "bc"}));
  EXPECT_NE(MakeCacheKey({"a", ""}), MakeCacheKey({"a"}));
  EXPECT_EQ(MakeCacheKey({"a", "b"}), MakeCacheKey({"a", "b"}));
}

TEST_F(ProgramCacheTest, EnvironmentChoosesAndSwitchesOff) {
  unsetenv("MILLRACE_NO_CACHE");
  setenv("MILLRACE_CACHE_DIR", "/somewhere", 1);
  setenv("XDG_CACHE_HOME", "/xdg", 1);
  setenv("HOME", "/home/me", 1);
  EXPECT_EQ(ProgramCache::FromEnvironment().folder(), "/somewhere");
  unsetenv("MILLRACE_CACHE_DIR");
  EXPECT_EQ(ProgramCache::FromEnvironment().folder(), "/xdg/millrace");
  unsetenv("XDG_CACHE_HOME");
  EXPECT_EQ(ProgramCache::FromEnvironment().folder(),
            "/home/me/.cache/millrace");
  setenv("MILLRACE_NO_CACHE", "1", 1);
  EXPECT_FALSE(ProgramCache::FromEnvironment().enabled());
}

}  // namespace
}  // namespace millrace::hal
