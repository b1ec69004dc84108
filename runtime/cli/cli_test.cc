// SPDX-License-Identifier: Apache-2.0
//
// The program from its command line: bad input gives one line and a non-zero
// exit; good input on a device, where there is one.
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
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
  ExpectRefused({"run", out}, "either --prompt, -f or --tokens");
  ExpectRefused({"run", out, "--prompt=a", "--tokens=1"}, "either");
  ExpectRefused({"run", out, "--tokens=1,x"}, "found 'x'");
  ExpectRefused({"run", out, "--tokens=-1"}, "found '-1'");
  ExpectRefused({"run", out, "--tokens=1", "--temperature=hot"},
                "--temperature: wanted a number");
  ExpectRefused({"run", out, "--tokens=1", "--max-tokens=0"}, "--max-tokens");
  ExpectRefused({"run", out, "--tokens=1", "--min-p=2"}, "min-p");
  ExpectRefused({"run", out, "--tokens=1", "--repeat-penalty=0"},
                "repetition penalty");
  ExpectRefused({"run", out, "--tokens=1", "--stop=x"}, "wanted a tokenizer");
  ExpectRefused({"run", out, "-f", "/nonexistent"}, "/nonexistent: cannot");
  ExpectRefused({"run", out, "-f", "/tmp", "--tokens=1"}, "either");
  ExpectRefused({"fly\x1b[31m\n"}, "unknown command 'fly\\x1b[31m\\n'");
  const Output version = Millrace({"--version"});
  EXPECT_EQ(version.status, 0);
  EXPECT_TRUE(absl::StartsWith(version.out, "millrace ")) << version.out;
  ExpectRefused({"info"}, "wanted one output directory");
  ExpectRefused({"pack", out}, "--checkpoint");
}

TEST(CliTest, FilesAreChecked) {
  const std::string out = SampleDirectory();
  ExpectRefused({"run", "/nonexistent", "--tokens=1"}, "/nonexistent/plan.mrp");
  ExpectRefused({"run", out, "--prompt=a"}, "no tokenizer.json");
  ExpectRefused({"pack", out, "--checkpoint=/nonexistent"}, "/nonexistent");
  const std::string checkpoint = MakeTestDirectory();
  WriteTestFile(checkpoint, "config.json", "{}");
  ExpectRefused({"run", checkpoint, "--tokens=1"},
                "compile it first: millrace-compile --model " + checkpoint);
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

TEST(CliTest, ATokenizerThatIsNotUnderstoodStopsPromptsOnly) {
  if (!HasDevice()) {
    GTEST_SKIP() << "no device";
  }
  const std::string out = SampleDirectory();
  WriteTestFile(out, "tokenizer.json", R"({"model": {"type": "Unigram"}})");
  ExpectRefused({"run", out, "--prompt=a", "--weights=random:1"}, "tokenizer");
  const Output output = Millrace(
      {"run", out, "--tokens=3,1", "--weights=random:1", "--max-tokens=2"});
  EXPECT_EQ(output.status, 0) << output.err;
  EXPECT_TRUE(absl::StrContains(output.err, "ids are printed")) << output.err;
}

TEST(CliTest, GenerationConfigsAreFollowedOrNoted) {
  if (!HasDevice()) {
    GTEST_SKIP() << "no device";
  }
  const std::string out = SampleDirectory();
  const std::vector<std::string> run = {"run", out, "--tokens=3,1,7",
                                        "--weights=random:1"};
  const auto ids = [&](const std::string& config) {
    WriteTestFile(out, "generation_config.json", config);
    const Output output = Millrace(run);
    EXPECT_EQ(output.status, 0) << output.err;
    return std::pair(output.out, output.err);
  };
  const auto [plain, quiet] = ids(R"({"num_beams": 1, "max_length": 8})");
  EXPECT_EQ(std::count(plain.begin(), plain.end(), ','), 4) << plain;
  EXPECT_FALSE(absl::StrContains(quiet, "ignored")) << quiet;
  const auto [other, noted] =
      ids(R"({"num_beams": 4, "max_length": 8, "no_repeat_ngram_size": 1})");
  EXPECT_TRUE(absl::StrContains(noted, "ignored: num_beams\n")) << noted;
  // Nothing said twice, nothing that the prompt holds.
  std::set<std::string> different = {"3", "1", "7"};
  for (absl::string_view id :
       absl::StrSplit(absl::StripAsciiWhitespace(other), ',')) {
    EXPECT_TRUE(different.insert(std::string(id)).second) << other;
  }
  const auto [full, said] = ids("{}");
  EXPECT_TRUE(absl::StrContains(said, "the context of 16 tokens is full"))
      << said;
}

TEST(CliTest, PromptsAndSeedsAndIds) {
  if (!HasDevice()) {
    GTEST_SKIP() << "no device";
  }
  const Output output =
      Millrace({"run", SampleDirectory(), "--tokens=3", "--weights=random:1",
                "--max-tokens=1", "--seed=-1", "--print-ids"});
  EXPECT_EQ(output.status, 0) << output.err;
  EXPECT_TRUE(absl::StrContains(output.err, "seed ")) << output.err;
}

TEST(CliTest, AFullStandardOutputIsAnError) {
  if (access("/dev/full", W_OK) != 0) {
    GTEST_SKIP() << "no /dev/full";
  }
  for (const char* argument : {"--help", "--version"}) {
    // In another process: a stream that failed once stays so.
    EXPECT_EXIT(
        {
          if (std::freopen("/dev/full", "w", stdout) == nullptr) {
            std::exit(7);
          }
          const char* arguments[] = {argument};
          std::_Exit(Main(arguments));
        },
        ::testing::ExitedWithCode(1), "the standard output: cannot write");
  }
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
