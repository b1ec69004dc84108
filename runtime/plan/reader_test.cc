// SPDX-License-Identifier: Apache-2.0
//
// Damage to a plan file: every cut and every flipped byte is an error, and no
// bytes at all make the reader crash (run it under asan).
#include "runtime/plan/reader.h"

#include <fstream>
#include <string>

#include "absl/strings/match.h"
#include "base/atomic_file.h"
#include "gtest/gtest.h"
#include "runtime/plan/container.h"
#include "runtime/plan/sample_plan_for_test.h"

namespace millrace::plan {
namespace {

std::string WrapText(const std::string& payload) {
  return Wrap(
      {reinterpret_cast<const uint8_t*>(payload.data()), payload.size()});
}

TEST(ReaderTest, LoadsAFile) {
  const std::string path = ::testing::TempDir() + "/sample.mrp";
  ASSERT_TRUE(WriteFileAtomically(path, SamplePlan().File()).ok());
  absl::StatusOr<Plan> plan = Plan::Load(path);
  ASSERT_TRUE(plan.ok()) << plan.status();
  const Plan moved = *std::move(plan);
  EXPECT_EQ(moved->model()->context(), kSampleContext);
  EXPECT_EQ(moved->entry_points()->size(), 3u);
}

TEST(ReaderTest, ErrorsStartWithThePath) {
  const std::string path = ::testing::TempDir() + "/other.mrp";
  ASSERT_TRUE(WriteFileAtomically(path, "not a plan at all").ok());
  for (const std::string& name : {path, std::string("/nonexistent.mrp")}) {
    const absl::Status status = Plan::Load(name).status();
    ASSERT_FALSE(status.ok());
    EXPECT_TRUE(absl::StartsWith(status.message(), name)) << status;
  }
}

TEST(ReaderTest, EveryCutIsAnError) {
  const std::string file = SamplePlan().File();
  for (size_t size = 0; size < file.size(); ++size) {
    ASSERT_FALSE(Plan::FromBytes(file.substr(0, size)).ok()) << size;
  }
  EXPECT_FALSE(Plan::FromBytes(file + "x").ok());
}

TEST(ReaderTest, EveryFlippedByteIsAnError) {
  std::string file = SamplePlan().File();
  for (size_t i = 0; i < file.size(); ++i) {
    for (const char flip : {'\x01', '\x80'}) {
      file[i] = static_cast<char>(file[i] ^ flip);
      ASSERT_FALSE(Plan::FromBytes(file).ok()) << i;
      file[i] = static_cast<char>(file[i] ^ flip);
    }
  }
  EXPECT_TRUE(Plan::FromBytes(file).ok());
}

// With a checksum that fits: what passes the verifier may differ from the plan
// that it was, but nothing may crash.
TEST(ReaderTest, NoPayloadCrashesTheVerifier) {
  std::string payload = SamplePlan().Payload();
  for (size_t i = 0; i < payload.size(); ++i) {
    for (const char flip : {'\x01', '\xff'}) {
      payload[i] = static_cast<char>(payload[i] ^ flip);
      const absl::Status status = Plan::FromBytes(WrapText(payload)).status();
      EXPECT_FALSE(absl::StrContains(status.message(), "\n")) << i;
      payload[i] = static_cast<char>(payload[i] ^ flip);
    }
  }
  for (size_t size = 0; size < payload.size(); size += 4) {
    EXPECT_FALSE(Plan::FromBytes(WrapText(payload.substr(0, size))).ok());
  }
}

}  // namespace
}  // namespace millrace::plan
