// SPDX-License-Identifier: Apache-2.0
#include "models/checkpoints/testing.h"

#include <cstdint>
#include <cstdlib>
#include <fstream>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace millrace::checkpoints {

std::string MakeTestDirectory() {
  std::string path = absl::StrCat(testing::TempDir(), "/millrace.XXXXXX");
  const char* made = mkdtemp(path.data());
  EXPECT_NE(made, nullptr) << path;
  return path;
}

std::string WriteTestFile(const std::string& directory, const std::string& name,
                          absl::string_view bytes) {
  std::string path = absl::StrCat(directory, "/", name);
  std::ofstream file(path, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  EXPECT_TRUE(file.good()) << path;
  return path;
}

std::string SafetensorsBytes(absl::string_view header, absl::string_view data) {
  std::string bytes;
  for (int shift = 0; shift < 64; shift += 8) {
    bytes.push_back(static_cast<char>(uint64_t{header.size()} >> shift));
  }
  absl::StrAppend(&bytes, header, data);
  return bytes;
}

void ExpectOneLineError(const absl::Status& status, absl::string_view part) {
  ASSERT_FALSE(status.ok()) << "wanted an error about: " << part;
  const std::string message(status.message());
  EXPECT_TRUE(absl::StrContains(message, part))
      << "wanted: " << part << "\nfound:  " << message;
  EXPECT_FALSE(absl::StrContains(message, "\n")) << message;
  EXPECT_LT(message.size(), 400u) << message;
}

}  // namespace millrace::checkpoints
