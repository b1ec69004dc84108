// SPDX-License-Identifier: Apache-2.0
//
// The program from its command line: bad input gives one line and a non-zero
// exit; good input on a device, where there is one.
#include <sys/stat.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "gtest/gtest.h"
#include "models/checkpoints/testing.h"
#include "runtime/cli/commands.h"
#include "runtime/cli/numbers.h"
#include "runtime/plan/sample_plan_for_test.h"

namespace millrace::cli {
namespace {

using checkpoints::ExpectOneLineError;
using checkpoints::MakeTestDirectory;
using checkpoints::WriteTestFile;

struct Output {
  int status;
  std::string out;
  std::string err;
};

Output Millrace(const std::vector<std::string>& arguments) {
  std::vector<const char*> pointers;
  for (const std::string& argument : arguments) {
    pointers.push_back(argument.c_str());
  }
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  const int status = Main(pointers);
  std::fflush(stdout);
  std::fflush(stderr);
  return {status, ::testing::internal::GetCapturedStdout(),
          ::testing::internal::GetCapturedStderr()};
}

void ExpectRefused(const std::vector<std::string>& arguments,
                   const std::string& part) {
  const Output output = Millrace(arguments);
  EXPECT_NE(output.status, 0);
  EXPECT_EQ(output.out, "");
  // The device's line comes first where one was opened.
  const std::vector<std::string> lines =
      absl::StrSplit(output.err, '\n', absl::SkipEmpty());
  ASSERT_FALSE(lines.empty());
  EXPECT_TRUE(absl::StartsWith(lines.back(), "millrace: ")) << output.err;
  EXPECT_TRUE(absl::StrContains(lines.back(), part)) << output.err;
}

// An output directory with the sample plan and no tokenizer.
std::string SampleDirectory() {
  const std::string directory = MakeTestDirectory();
  WriteTestFile(directory, "plan.mrp", plan::SamplePlan().File());
  return directory;
}

bool Exists(const std::string& path) {
  struct stat info;
  return stat(path.c_str(), &info) == 0;
}

bool HasDevice() { return Millrace({"devices"}).status == 0; }

TEST(CliTest, CommandLinesAreChecked) {
  const std::string out = SampleDirectory();
  EXPECT_EQ(Millrace({}).status, 2);
  EXPECT_EQ(Millrace({"--help"}).status, 0);
  EXPECT_EQ(Millrace({"run", "--help"}).status, 0);
  ExpectRefused({"fly"}, "unknown command 'fly'");
  ExpectRefused({"run"}, "wanted one output directory");
  ExpectRefused({"run", out}, "either --prompt or --tokens");
  ExpectRefused({"run", out, "--prompt=a", "--tokens=1"}, "either");
  ExpectRefused({"run", out, "--tokens=1,x"}, "found 'x'");
  ExpectRefused({"run", out, "--tokens=-1"}, "found '-1'");
  ExpectRefused({"run", out, "--tokens=1", "--temperature=hot"},
                "--temperature: wanted a number");
  ExpectRefused({"run", out, "--tokens=1", "--max-tokens=0"}, "--max-tokens");
  ExpectRefused({"info"}, "wanted one output directory");
  ExpectRefused({"pack", out}, "--checkpoint");
}

TEST(CliTest, FilesAreChecked) {
  const std::string out = SampleDirectory();
  ExpectRefused({"run", "/nonexistent", "--tokens=1"}, "/nonexistent/plan.mrp");
  ExpectRefused({"run", out, "--prompt=a"}, "no tokenizer.json");
  ExpectRefused({"pack", out, "--checkpoint=/nonexistent"}, "/nonexistent");
  std::string file = plan::SamplePlan().File();
  file[file.size() / 2] = static_cast<char>(file[file.size() / 2] ^ 1);
  WriteTestFile(out, "plan.mrp", file);
  ExpectRefused({"info", out}, "plan.mrp: the plan is damaged");
  WriteTestFile(out, "plan.mrp", file.substr(0, 100));
  ExpectRefused({"run", out, "--tokens=1"}, "plan.mrp: the plan is cut short");
}

TEST(CliTest, APromptLongerThanTheContextIsRefused) {
  ExpectRefused(
      {"run", SampleDirectory(), "--tokens=1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1"},
      "the prompt has 17 tokens, the context holds 16");
}

TEST(CliTest, InfoPrintsAndDraws) {
  const std::string out = SampleDirectory();
  const std::string svg = out + "/map.svg";
  const Output output = Millrace({"info", out, "--memory-map", svg});
  EXPECT_EQ(output.status, 0) << output.err;
  EXPECT_TRUE(absl::StrContains(output.out, "entry points"));
  EXPECT_TRUE(Exists(svg));
  ExpectRefused({"run", out, "--memory-map=x"}, "memory-map");
}

TEST(CliTest, RunsOnTokens) {
  if (!HasDevice()) {
    GTEST_SKIP() << "no device";
  }
  const std::string out = SampleDirectory();
  const std::string logits = out + "/logits.npy";
  const std::string trace = out + "/trace.json";
  const Output output =
      Millrace({"run", out, "--tokens=3,1,7", "--weights=random:11",
                "--max-tokens=4", "--profile", "--trace", trace});
  EXPECT_EQ(output.status, 0) << output.err;
  EXPECT_TRUE(absl::StrContains(output.err, "opencl: ")) << output.err;
  EXPECT_TRUE(absl::StrContains(output.err, "lm_head")) << output.err;
  EXPECT_TRUE(Exists(trace));
  EXPECT_EQ(Millrace({"run", out, "--tokens=3,1,7,2,2,5", "--weights=random:11",
                      "--logits", logits})
                .status,
            0);
  struct stat info;
  ASSERT_EQ(stat(logits.c_str(), &info), 0);
  EXPECT_EQ(info.st_size, 128 + 6 * 8 * 4);
}

TEST(CliTest, MissingWeightsAndVocabularyAreOneLine) {
  if (!HasDevice()) {
    GTEST_SKIP() << "no device";
  }
  const std::string out = SampleDirectory();
  ExpectRefused({"run", out, "--tokens=1"}, "weights.mrw: no such file");
  ExpectRefused({"run", out, "--tokens=1", "--weights=random:"}, "random:SEED");
  ExpectRefused({"run", out, "--tokens=99", "--weights=random:1"}, "99");
  ExpectRefused({"run", out, "--tokens=1", "--device=no such device"},
                "no such device");
  const std::string logits = "/nonexistent/logits.npy";
  ExpectRefused(
      {"run", out, "--tokens=1", "--weights=random:1", "--logits", logits},
      logits);
}

TEST(NumbersTest, Ranges) {
  EXPECT_EQ(*ParseTokens("1,15,7"), (std::vector<int32_t>{1, 15, 7}));
  ExpectOneLineError(ParseTokens("").status(), "--tokens");
  ExpectOneLineError(ParseTokens("99999999999").status(), "--tokens");
  ExpectOneLineError(ParseNumber("top-p", "nan").status(), "--top-p");
  ExpectOneLineError(CheckInteger("top-k", 5, 0, 4).status(), "--top-k");
}

}  // namespace
}  // namespace millrace::cli
