// SPDX-License-Identifier: Apache-2.0
#include "base/temporary_files.h"

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <string>

#include "gtest/gtest.h"

namespace millrace {
namespace {

std::string FreshDirectory() {
  std::string path = ::testing::TempDir() + "/temporary_files_XXXXXX";
  EXPECT_NE(mkdtemp(path.data()), nullptr);
  return path;
}

bool Exists(const std::string& path) { return access(path.c_str(), F_OK) == 0; }

// Creates a temporary file of `path` in another process, which then ends by
// `signal_number`. Returns the file's path.
std::string CreateAndDie(const std::string& path, int signal_number) {
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    RemoveTemporaryFilesOnSignals();
    const auto file = CreateTemporaryFile(path);
    if (file.ok() && write(ends[1], file->path.data(), file->path.size()) > 0) {
      raise(signal_number);
    }
    _exit(3);
  }
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), signal_number);
  char name[512] = {};
  EXPECT_GT(read(ends[0], name, sizeof(name) - 1), 0);
  close(ends[0]);
  close(ends[1]);
  return name;
}

TEST(TemporaryFilesTest, ASignalRemovesThem) {
  const std::string path = FreshDirectory() + "/weights";
  EXPECT_FALSE(Exists(CreateAndDie(path, SIGINT)));
  EXPECT_FALSE(Exists(CreateAndDie(path, SIGTERM)));
}

TEST(TemporaryFilesTest, TheNextRunRemovesWhatNobodyWrites) {
  const std::string directory = FreshDirectory();
  const std::string leftover = CreateAndDie(directory + "/weights", SIGKILL);
  ASSERT_TRUE(Exists(leftover));
  const std::string other = directory + "/weights.tmp.notours";
  std::ofstream(other) << "x";
  const auto first = CreateTemporaryFile(directory + "/weights");
  ASSERT_TRUE(first.ok()) << first.status();
  EXPECT_FALSE(Exists(leftover));
  // One that is being written stays.
  const auto second = CreateTemporaryFile(directory + "/weights");
  ASSERT_TRUE(second.ok()) << second.status();
  EXPECT_TRUE(Exists(first->path));
  EXPECT_TRUE(Exists(other));
  close(first->fd);
  close(second->fd);
}

}  // namespace
}  // namespace millrace
