// SPDX-License-Identifier: Apache-2.0
#include "base/atomic_file.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

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

TEST(AtomicFileTest, ReplacesTheTargetOfALinkAndKeepsTheLink) {
  const std::string directory = FreshDirectory();
  ASSERT_EQ(mkdir((directory + "/sub").c_str(), 0755), 0);
  const std::string target = directory + "/sub/file";
  const std::string link = directory + "/link";
  ASSERT_EQ(symlink("sub/file", link.c_str()), 0);
  ASSERT_TRUE(WriteFileAtomically(link, "made").ok());  // a dangling link
  EXPECT_EQ(Contents(target), "made");
  ASSERT_EQ(chmod(target.c_str(), 0640), 0);
  ASSERT_TRUE(WriteFileAtomically(link, "again").ok());
  EXPECT_EQ(Contents(target), "again");
  struct stat info;
  ASSERT_EQ(lstat(link.c_str(), &info), 0);
  EXPECT_TRUE(S_ISLNK(info.st_mode));
  ASSERT_EQ(stat(target.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0640u);
  ASSERT_EQ(symlink("loop", (directory + "/loop").c_str()), 0);
  EXPECT_FALSE(WriteFileAtomically(directory + "/loop", "x").ok());
}

TEST(AtomicFileTest, WritesDevicesInPlace) {
  const std::string link = FreshDirectory() + "/null";
  ASSERT_EQ(symlink("/dev/null", link.c_str()), 0);
  for (const std::string& path : {std::string("/dev/null"), link}) {
    const absl::Status status = WriteFileAtomically(path, "gone");
    EXPECT_TRUE(status.ok()) << status;
  }
  struct stat info;
  ASSERT_EQ(stat("/dev/null", &info), 0);
  EXPECT_TRUE(S_ISCHR(info.st_mode));
}

TEST(AtomicFileTest, WritesPipesAndDescriptorsInPlace) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const std::string path = "/dev/fd/" + std::to_string(ends[1]);
  ASSERT_TRUE(WriteFileAtomically(path, "through").ok());
  char buffer[8] = {};
  EXPECT_EQ(read(ends[0], buffer, 7), 7);
  EXPECT_STREQ(buffer, "through");
  auto file = AtomicFile::Create(path);
  ASSERT_TRUE(file.ok()) << file.status();
  const std::vector<uint8_t> patch = {'X'};
  EXPECT_FALSE(file->WriteAt(0, patch).ok());
  close(ends[0]);
  close(ends[1]);

  const std::string fifo = FreshDirectory() + "/fifo";
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  const int reader = open(fifo.c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_TRUE(WriteFileAtomically(fifo, "through").ok());
  EXPECT_EQ(read(reader, buffer, 7), 7);
  close(reader);
  struct stat info;
  ASSERT_EQ(stat(fifo.c_str(), &info), 0);
  EXPECT_TRUE(S_ISFIFO(info.st_mode));
}

TEST(AtomicFileTest, AFullDeviceIsAnError) {
  const absl::Status status = WriteFileAtomically("/dev/full", "x");
  EXPECT_NE(status.message().find("/dev/full: cannot write"), std::string::npos)
      << status;
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
