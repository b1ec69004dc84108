// SPDX-License-Identifier: Apache-2.0
#include "base/atomic_file.h"

#include <dirent.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <fstream>
#include <sstream>
#include <vector>

#include "gtest/gtest.h"

namespace millrace {
namespace {

// An empty directory of this test's own.
std::string FreshDirectory() {
  std::string path = ::testing::TempDir() + "/atomic_file_XXXXXX";
  EXPECT_NE(mkdtemp(path.data()), nullptr);
  return path;
}

int CountFiles(const std::string& directory) {
  int count = 0;
  DIR* dir = opendir(directory.c_str());
  while (const dirent* entry = readdir(dir)) {
    if (entry->d_name[0] != '.') {
      ++count;
    }
  }
  closedir(dir);
  return count;
}

std::string Contents(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

TEST(AtomicFileTest, ReplacesTheOldFileOnCommitOnly) {
  const std::string directory = FreshDirectory();
  const std::string path = directory + "/file";
  ASSERT_TRUE(WriteFileAtomically(path, "old").ok());
  {
    auto file = AtomicFile::Create(path);
    ASSERT_TRUE(file.ok()) << file.status();
    ASSERT_TRUE(file->Append("new and").ok());
    EXPECT_EQ(Contents(path), "old");
  }
  EXPECT_EQ(Contents(path), "old");
  EXPECT_EQ(CountFiles(directory), 1);
  ASSERT_TRUE(WriteFileAtomically(path, "new").ok());
  EXPECT_EQ(Contents(path), "new");
  EXPECT_EQ(CountFiles(directory), 1);
}

TEST(AtomicFileTest, WriteAtOverwrites) {
  const std::string path = FreshDirectory() + "/file";
  auto file = AtomicFile::Create(path);
  ASSERT_TRUE(file.ok()) << file.status();
  ASSERT_TRUE(file->Append("abcdef").ok());
  const std::vector<uint8_t> patch = {'X', 'Y'};
  ASSERT_TRUE(file->WriteAt(1, patch).ok());
  ASSERT_TRUE(file->Append("g").ok());
  ASSERT_TRUE(file->Commit().ok());
  EXPECT_EQ(Contents(path), "aXYdefg");
}

TEST(AtomicFileTest, NamesThePathThatCannotBeCreated) {
  const auto file = AtomicFile::Create("/nonexistent/file");
  ASSERT_FALSE(file.ok());
  EXPECT_NE(file.status().message().find("/nonexistent/file: cannot create"),
            std::string::npos);
  EXPECT_FALSE(AtomicFile::Create(::testing::TempDir()).ok());
}

// A limit on file sizes stands in for a full disk: the same path, EFBIG.
TEST(AtomicFileTest, LeavesNothingWhenTheDiskIsFull) {
  const std::string directory = FreshDirectory();
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit old_limit;
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &old_limit), 0);
  const rlimit small = {4096, old_limit.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const absl::Status status =
      WriteFileAtomically(directory + "/file", std::string(10000, 'x'));
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &old_limit), 0);
  EXPECT_FALSE(status.ok());
  EXPECT_NE(status.message().find("/file: cannot write"), std::string::npos)
      << status;
  EXPECT_EQ(CountFiles(directory), 0);
}

}  // namespace
}  // namespace millrace
