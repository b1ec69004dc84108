// SPDX-License-Identifier: Apache-2.0
//
// The weights file from end to end: packed from a checkpoint, read back, and
// refused when it is damaged or of another plan.
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "models/checkpoints/testing.h"
#include "runtime/plan/reader.h"
#include "runtime/plan/sample_plan_for_test.h"
#include "runtime/weights/packer.h"
#include "runtime/weights/provider.h"
#include "runtime/weights/weights_file.h"

namespace millrace::weights {
namespace {

using checkpoints::ExpectOneLineError;
using checkpoints::MakeTestDirectory;
using checkpoints::WriteTestFile;
using plan::Plan;

constexpr int kElements = plan::kSampleVocabulary * plan::kSampleChannels;

// A checkpoint of "embed.weight" (0, 1, 2, ...) and "lm_head.weight" (0, -1,
// ...), both with the given dtype and shape in their header.
std::string WriteCheckpoint(const std::string& dtype = "F32",
                            const std::string& shape = "[8,4]",
                            const std::string& head = "lm_head.weight") {
  std::vector<float> values;
  for (int i = 0; i < kElements; ++i) {
    values.push_back(static_cast<float>(i));
  }
  for (int i = 0; i < kElements; ++i) {
    values.push_back(static_cast<float>(-i));
  }
  const std::string data(reinterpret_cast<const char*>(values.data()),
                         values.size() * sizeof(float));
  const std::string header = absl::StrCat(
      R"({"embed.weight":{"dtype":")", dtype, R"(","shape":)", shape,
      R"(,"data_offsets":[0,128]},")", head, R"(":{"dtype":"F32",)",
      R"("shape":[8,4],"data_offsets":[128,256]}})");
  const std::string directory = MakeTestDirectory();
  WriteTestFile(directory, "model.safetensors",
                checkpoints::SafetensorsBytes(header, data));
  return directory;
}

Plan SampleLoaded() {
  absl::StatusOr<Plan> plan = Plan::FromBytes(plan::SamplePlan().File());
  EXPECT_TRUE(plan.ok()) << plan.status();
  return *std::move(plan);
}

absl::Status PackCheckpoint(const Plan& plan, const std::string& directory,
                            const std::string& path) {
  auto checkpoint = checkpoints::Checkpoint::Open(directory);
  if (!checkpoint.ok()) {
    return checkpoint.status();
  }
  Progress progress("packing", /*enabled=*/false);
  return PackWeights(*plan, CheckpointSource(*checkpoint), path, progress);
}

std::string Contents(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

std::vector<float> LoadFloats(WeightProvider& provider, uint32_t index) {
  const auto bytes = provider.Load(index);
  EXPECT_TRUE(bytes.ok()) << bytes.status();
  if (!bytes.ok()) {
    return {};
  }
  std::vector<float> values(bytes->size() / sizeof(float));
  std::memcpy(values.data(), bytes->data(), bytes->size());
  return values;
}

bool Exists(const std::string& path) {
  struct stat info;
  return stat(path.c_str(), &info) == 0;
}

TEST(WeightsTest, RoundTrip) {
  const Plan plan = SampleLoaded();
  const std::string path = MakeTestDirectory() + "/weights.mrw";
  const absl::Status status = PackCheckpoint(plan, WriteCheckpoint(), path);
  ASSERT_TRUE(status.ok()) << status;
  const auto provider = OpenWeights(*plan, path);
  ASSERT_TRUE(provider.ok()) << provider.status();
  const std::vector<float> head = LoadFloats(**provider, 1);
  ASSERT_EQ(head.size(), size_t{kElements});
  EXPECT_EQ(head[5], -5.0f);
  EXPECT_EQ(LoadFloats(**provider, 2), plan::SampleGain());
}

TEST(WeightsTest, ADirectoryIsPackedOnTheFly) {
  const Plan plan = SampleLoaded();
  const std::string directory = WriteCheckpoint();
  const std::string path = directory + "/weights.mrw";
  ASSERT_TRUE(PackCheckpoint(plan, directory, path).ok());
  const auto file = OpenWeights(*plan, path);
  const auto direct = OpenWeights(*plan, directory);
  ASSERT_TRUE(file.ok() && direct.ok()) << file.status() << direct.status();
  for (uint32_t i = 0; i < plan->weights()->size(); ++i) {
    EXPECT_EQ(LoadFloats(**file, i), LoadFloats(**direct, i));
  }
}

TEST(WeightsTest, RandomNeedsNoCheckpoint) {
  const Plan plan = SampleLoaded();
  const auto one = OpenWeights(*plan, "random:1");
  const auto same = OpenWeights(*plan, "random:1");
  const auto two = OpenWeights(*plan, "random:2");
  ASSERT_TRUE(one.ok() && same.ok() && two.ok());
  EXPECT_EQ(LoadFloats(**one, 0), LoadFloats(**same, 0));
  EXPECT_NE(LoadFloats(**one, 0), LoadFloats(**two, 0));
  EXPECT_EQ(LoadFloats(**one, 2), plan::SampleGain());
  ExpectOneLineError(OpenWeights(*plan, "random:x").status(), "random:SEED");
}

TEST(WeightsTest, SourcesAreCheckedBeforeAnythingIsWritten) {
  const Plan plan = SampleLoaded();
  const std::string path = MakeTestDirectory() + "/weights.mrw";
  ExpectOneLineError(
      PackCheckpoint(plan, WriteCheckpoint("F32", "[8,4]", "other"), path),
      "lm_head.weight");
  ExpectOneLineError(
      PackCheckpoint(plan, WriteCheckpoint("F32", "[4,8]"), path), "[8, 4]");
  ExpectOneLineError(PackCheckpoint(plan, WriteCheckpoint("I32"), path),
                     "wanted dtype F32, F16 or BF16, found I32");
  EXPECT_FALSE(Exists(path));
}

TEST(WeightsTest, WeightsOfAnotherPlanAreRefused) {
  const std::string path = MakeTestDirectory() + "/weights.mrw";
  ASSERT_TRUE(PackCheckpoint(SampleLoaded(), WriteCheckpoint(), path).ok());
  plan::PlanBuilder builder = plan::SamplePlan();
  builder.plan().weights[2]->constant[0] += 1;
  const auto other = Plan::FromBytes(builder.File());
  ASSERT_TRUE(other.ok()) << other.status();
  ExpectOneLineError(OpenWeights(**other, path).status(),
                     "the weights of another plan");
}

// In the header and in the weights; the gaps between weights are not checked.
TEST(WeightsTest, EveryFlippedByteOfAWeightIsAnError) {
  const Plan plan = SampleLoaded();
  const std::string directory = MakeTestDirectory();
  const std::string path = directory + "/weights.mrw";
  ASSERT_TRUE(PackCheckpoint(plan, WriteCheckpoint(), path).ok());
  std::string file = Contents(path);
  const auto reads = [&] {
    const std::string name = WriteTestFile(directory, "flipped.mrw", file);
    const auto provider = OpenWeightsFile(*plan, name);
    if (!provider.ok()) {
      return provider.status();
    }
    for (uint32_t i = 0; i < plan->weights()->size(); ++i) {
      const absl::Status status = (*provider)->Load(i).status();
      if (!status.ok()) {
        return status;
      }
    }
    return absl::OkStatus();
  };
  ASSERT_TRUE(reads().ok());
  const size_t header_end = 40 + 8 * plan->weights()->size();
  const size_t payload = static_cast<size_t>(PayloadOffset(*plan));
  for (size_t i = 0; i < payload + 128; ++i) {
    if (i == header_end) {
      i = payload;
    }
    file[i] = static_cast<char>(file[i] ^ 0x10);
    ASSERT_FALSE(reads().ok()) << i;
    file[i] = static_cast<char>(file[i] ^ 0x10);
  }
  for (size_t size : {size_t{0}, size_t{10}, size_t{39}, size_t{60}, payload,
                      file.size() - 1}) {
    const std::string cut =
        WriteTestFile(directory, "cut.mrw", file.substr(0, size));
    ExpectOneLineError(OpenWeightsFile(*plan, cut).status(), "cut.mrw: ");
  }
}

TEST(WeightsTest, AFullDiskLeavesNothing) {
  const Plan plan = SampleLoaded();
  const std::string path = MakeTestDirectory() + "/weights.mrw";
  const std::string checkpoint = WriteCheckpoint();
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit old_limit;
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &old_limit), 0);
  const rlimit small = {4500, old_limit.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const absl::Status status = PackCheckpoint(plan, checkpoint, path);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &old_limit), 0);
  ExpectOneLineError(status, "weights.mrw: cannot");
  EXPECT_FALSE(Exists(path));
}

TEST(WeightsTest, ProgressSaysHowFar) {
  Progress progress("packing weights", /*enabled=*/false);
  progress.Start(2000000000);
  progress.Advance(500000000);
  EXPECT_EQ(progress.Line(absl::Seconds(1)),
            "packing weights [#######                       ]  25 %  "
            "0.50 of 2.00 GB  0.50 GB/s");
}

}  // namespace
}  // namespace millrace::weights
