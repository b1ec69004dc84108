// SPDX-License-Identifier: Apache-2.0
#include "runtime/cli/npy.h"

#include <cstring>
#include <fstream>
#include <sstream>
#include <vector>

#include "gtest/gtest.h"

namespace millrace::cli {
namespace {

std::string Contents(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

TEST(NpyTest, WritesWhatNumPyReads) {
  const std::string path = ::testing::TempDir() + "/logits.npy";
  auto writer = NpyWriter::Create(path, 2, 3);
  ASSERT_TRUE(writer.ok()) << writer.status();
  const std::vector<float> rows = {1, 2, 3, 4, 5, 6};
  ASSERT_TRUE(writer->Append(absl::MakeConstSpan(rows).first(3)).ok());
  EXPECT_FALSE(writer->Commit().ok());
  ASSERT_TRUE(writer->Append(absl::MakeConstSpan(rows).last(3)).ok());
  EXPECT_FALSE(writer->Append(absl::MakeConstSpan(rows).last(3)).ok());
  ASSERT_TRUE(writer->Commit().ok());
  const std::string file = Contents(path);
  ASSERT_EQ(file.size(), 128u + 24u);
  EXPECT_EQ(file.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
  EXPECT_EQ(file[8], 118);
  EXPECT_NE(file.find("{'descr': '<f4', 'fortran_order': False, 'shape': (2, "
                      "3), }"),
            std::string::npos);
  EXPECT_EQ(file[127], '\n');
  EXPECT_EQ(std::memcmp(file.data() + 128, rows.data(), 24), 0);
}

TEST(NpyTest, RowsMustFit) {
  const std::string path = ::testing::TempDir() + "/bad.npy";
  auto writer = NpyWriter::Create(path, 1, 3);
  ASSERT_TRUE(writer.ok()) << writer.status();
  EXPECT_FALSE(writer->Append({1.0f, 2.0f}).ok());
  EXPECT_FALSE(NpyWriter::Create("/nonexistent/a.npy", 1, 1).ok());
}

}  // namespace
}  // namespace millrace::cli
