// SPDX-License-Identifier: Apache-2.0
#include "compiler/pipeline/output_directory.h"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace millrace::pipeline {
namespace {

namespace fs = std::filesystem;

std::string Fresh(absl::string_view name) {
  const std::string path = absl::StrCat(testing::TempDir(), "/", name);
  fs::remove_all(path);
  return path;
}

std::string Contents(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

int FilesIn(const std::string& path) {
  int count = 0;
  for ([[maybe_unused]] const auto& entry : fs::directory_iterator(path)) {
    ++count;
  }
  return count;
}

TEST(OutputDirectory, CommitShowsEverything) {
  const std::string path = Fresh("commit/deep/");
  absl::StatusOr<OutputDirectory> out = OutputDirectory::Create(path);
  ASSERT_TRUE(out.ok()) << out.status();
  ASSERT_TRUE(out->Stage("plan", "new").ok());
  EXPECT_FALSE(fs::exists(out->PathOf("plan")));
  ASSERT_TRUE(out->Commit().ok());
  EXPECT_EQ(Contents(out->PathOf("plan")), "new");
  EXPECT_EQ(FilesIn(path), 1);
}

TEST(OutputDirectory, NothingStaysWithoutCommit) {
  const std::string path = Fresh("gone");
  {
    absl::StatusOr<OutputDirectory> out =
        OutputDirectory::Create(absl::StrCat(path, "/a/b"));
    ASSERT_TRUE(out.ok()) << out.status();
    ASSERT_TRUE(out->Stage("plan", "new").ok());
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST(OutputDirectory, KeepsAnOldOutputWithoutCommit) {
  const std::string path = Fresh("old");
  fs::create_directory(path);
  std::ofstream(absl::StrCat(path, "/plan")) << "old";
  {
    absl::StatusOr<OutputDirectory> out = OutputDirectory::Create(path);
    ASSERT_TRUE(out->Stage("plan", "new").ok());
    out->StageRemoval("plan");
  }
  EXPECT_EQ(Contents(absl::StrCat(path, "/plan")), "old");
  EXPECT_EQ(FilesIn(path), 1);
}

TEST(OutputDirectory, RemovesWhatIsStale) {
  const std::string path = Fresh("stale");
  fs::create_directory(path);
  std::ofstream(absl::StrCat(path, "/tokenizer")) << "old";
  absl::StatusOr<OutputDirectory> out = OutputDirectory::Create(path);
  out->StageRemoval("tokenizer");
  out->StageRemoval("never_there");
  ASSERT_TRUE(out->Commit().ok());
  EXPECT_EQ(FilesIn(path), 0);
}

TEST(OutputDirectory, RefusesAFile) {
  const std::string path = Fresh("file");
  std::ofstream(path) << "text";
  for (const std::string& out : {path, absl::StrCat(path, "/below")}) {
    const absl::Status status = OutputDirectory::Check(out);
    EXPECT_FALSE(status.ok());
    EXPECT_TRUE(absl::StrContains(
        status.message(), absl::StrCat("--out: cannot write to '", out, "'")))
        << status;
  }
  EXPECT_FALSE(OutputDirectory::Check("").ok());
}

}  // namespace
}  // namespace millrace::pipeline
