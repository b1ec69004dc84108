// SPDX-License-Identifier: Apache-2.0
//
// millrace-compile in this process: what it writes, and that bad input is one
// clear line, status 1 and nothing written.
#include "compiler/pipeline/compile_tool.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"
#include "models/checkpoints/mapped_file.h"
#include "models/checkpoints/testing.h"
#include "models/families/registry.h"
#include "runtime/plan/reader.h"
#include "runtime/weights/provider.h"

namespace millrace::pipeline {
namespace {

namespace fs = std::filesystem;

constexpr char kTinyConfig[] = "tests/pipeline/tiny_llama/config.json";

struct Outcome {
  int status;
  std::string out;
  std::string err;
};

Outcome RunTool(const std::vector<std::string>& arguments) {
  std::vector<const char*> pointers;
  for (const std::string& argument : arguments) {
    pointers.push_back(argument.c_str());
  }
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  Outcome outcome;
  outcome.status = RunCompileTool(pointers);
  outcome.out = testing::internal::GetCapturedStdout();
  outcome.err = testing::internal::GetCapturedStderr();
  return outcome;
}

std::string TinyConfig() {
  const std::string path = kTinyConfig;
  std::string text(fs::file_size(path), '\0');
  FILE* file = fopen(path.c_str(), "rb");
  EXPECT_EQ(fread(text.data(), 1, text.size(), file), text.size());
  fclose(file);
  return text;
}

// The safetensors file of a checkpoint with `config`, all zero; without
// `left_out`.
std::string ZeroWeights(const std::string& config, absl::string_view left_out) {
  std::vector<std::string> entries;
  int64_t end = 0;
  for (const auto& weight : families::ParseModel(config, "config")->Weights()) {
    if (weight.source == left_out) {
      continue;
    }
    int64_t bytes = sizeof(float);
    for (const int64_t extent : weight.shape) {
      bytes *= extent;
    }
    entries.push_back(absl::StrFormat(
        R"("%s":{"dtype":"F32","shape":[%s],"data_offsets":[%d,%d]})",
        weight.source, absl::StrJoin(weight.shape, ","), end, end + bytes));
    end += bytes;
  }
  return checkpoints::SafetensorsBytes(
      absl::StrCat("{", absl::StrJoin(entries, ","), "}"),
      std::string(static_cast<size_t>(end), '\0'));
}

class CompileToolTest : public testing::Test {
 protected:
  // A checkpoint's directory with this config.
  std::string Model(const std::string& config) {
    std::string directory = checkpoints::MakeTestDirectory();
    checkpoints::WriteTestFile(directory, "config.json", config);
    return directory;
  }

  std::string TinyModel() { return Model(TinyConfig()); }

  std::string Out() const { return absl::StrCat(directory_, "/new/out"); }

  // Expects the one line, behind warnings if there were any, and that --out is
  // as if nothing had happened.
  void ExpectRefused(std::vector<std::string> arguments,
                     absl::string_view line) {
    SCOPED_TRACE(line);
    const Outcome outcome = RunTool(arguments);
    EXPECT_EQ(outcome.status, 1);
    EXPECT_EQ(outcome.out, "");
    EXPECT_TRUE(absl::StrContains(outcome.err, line)) << outcome.err;
    absl::string_view errors = outcome.err;
    while (absl::StartsWith(errors, "millrace-compile: warning: ")) {
      const size_t end = errors.find('\n');
      errors.remove_prefix(end == errors.npos ? errors.size() : end + 1);
    }
    EXPECT_TRUE(absl::StartsWith(errors, "millrace-compile: error: "))
        << outcome.err;
    EXPECT_EQ(std::count(errors.begin(), errors.end(), '\n'), 1) << outcome.err;
    EXPECT_FALSE(fs::exists(absl::StrCat(directory_, "/new")));
  }

  void ExpectConfigRefused(
      std::vector<std::pair<absl::string_view, absl::string_view>> edits,
      absl::string_view line) {
    ExpectRefused({"--model", Model(absl::StrReplaceAll(TinyConfig(), edits)),
                   "--out", Out(), "--weights=none"},
                  line);
  }

  std::string directory_ = checkpoints::MakeTestDirectory();
};

TEST_F(CompileToolTest, WritesPlanWeightsAndCompanions) {
  const std::string model = TinyModel();
  checkpoints::WriteTestFile(model, "model.safetensors",
                             ZeroWeights(TinyConfig(), ""));
  checkpoints::WriteTestFile(model, "tokenizer.json", "{}");
  const Outcome outcome = RunTool({"--model", model, "--out", Out()});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_TRUE(absl::StrContains(outcome.out, "kernels, prefill"))
      << outcome.out;
  // Said while compiling, not by the first run.
  EXPECT_TRUE(absl::StrContains(outcome.err, "millrace-compile: warning: "))
      << outcome.err;
  EXPECT_TRUE(
      absl::StrContains(outcome.err, "tokenizer.json: decoder: missing"))
      << outcome.err;
  const auto plan = plan::Plan::Load(absl::StrCat(Out(), "/plan.mrp"));
  ASSERT_TRUE(plan.ok()) << plan.status();
  EXPECT_EQ((*plan)->model()->context(), 32);
  EXPECT_EQ((*plan)->model()->prefill_chunk(), 32);
  EXPECT_EQ((*plan)->model()->vocabulary(), 30);
  EXPECT_EQ((*plan)->provenance()->options()->str(),
            "--device=generic --quant=f16");
  const auto weights =
      weights::OpenWeights(**plan, absl::StrCat(Out(), "/weights.mrw"));
  EXPECT_TRUE(weights.ok()) << weights.status();
  EXPECT_TRUE(fs::exists(absl::StrCat(Out(), "/config.json")));
  EXPECT_TRUE(fs::exists(absl::StrCat(Out(), "/tokenizer.json")));
  EXPECT_FALSE(fs::exists(absl::StrCat(Out(), "/generation_config.json")));
}

TEST_F(CompileToolTest, NeedsNoWeightsAndNoTokenizer) {
  const Outcome outcome =
      RunTool({"--model", TinyModel(), "--out", Out(), "--weights=random:7",
               "--context=20", "--prefill-chunk=6", "--device=pocl-cpu"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_FALSE(fs::exists(absl::StrCat(Out(), "/weights.mrw")));
  const auto plan = plan::Plan::Load(absl::StrCat(Out(), "/plan.mrp"));
  ASSERT_TRUE(plan.ok()) << plan.status();
  EXPECT_EQ((*plan)->model()->context(), 20);
  EXPECT_EQ((*plan)->model()->prefill_chunk(), 6);
  EXPECT_TRUE(weights::OpenWeights(**plan, "random:7").ok());
}

TEST_F(CompileToolTest, SameInputSamePlan) {
  const std::string model = TinyModel();
  const auto compile = [&] {
    const std::vector<std::string> arguments = {"--model", model,
                                                "--stop-after=plan"};
    return RunTool(arguments).out;
  };
  EXPECT_EQ(compile(), compile());
}

TEST_F(CompileToolTest, EveryStorageAndWeightForm) {
  const std::string model = TinyModel();
  for (const char* option :
       {"--storage=buffer", "--storage=image_buffer", "--storage=texture_2d",
        "--storage=texture_array", "--storage=texture_3d",
        "--weight-form=WEIGHTS_I4", "--weight-form=WEIGHTS_O4",
        "--weight-form=WEIGHTS_O4I4", "--weight-form=WEIGHTS_O16",
        "--device=nvidia-sm90", "--device=apple-m4", "--quant=f32",
        "--attention=paper"}) {
    const Outcome outcome =
        RunTool({"--model", model, "--out", Out(), "--weights=none",
                 "--device=pocl-cpu", option});
    EXPECT_EQ(outcome.status, 0) << option << ": " << outcome.err;
  }
}

// Scores are in no memory that outlives a step: what a chunk needs does not
// grow with the cache, but for the rounding of offsets.
TEST_F(CompileToolTest, MemoryDoesNotGrowWithTheContext) {
  const std::string model = Model(absl::StrReplaceAll(
      TinyConfig(), {{"\"max_position_embeddings\": 32",
                      "\"max_position_embeddings\": 131072"}}));
  const auto arena_bytes = [&](absl::string_view device, int context) {
    const Outcome outcome =
        RunTool({"--model", model, "--out", Out(), "--weights=none",
                 "--prefill-chunk=128", absl::StrCat("--device=", device),
                 absl::StrCat("--context=", context)});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    const auto plan = plan::Plan::Load(absl::StrCat(Out(), "/plan.mrp"));
    EXPECT_TRUE(plan.ok()) << plan.status();
    return plan.ok() ? (*plan)->memory()->arena_bytes() : int64_t{-1};
  };
  for (const char* device : {"generic", "pocl-cpu", "nvidia-sm90"}) {
    SCOPED_TRACE(device);
    const int64_t small = arena_bytes(device, 4096);
    EXPECT_GT(small, 0);
    EXPECT_NEAR(arena_bytes(device, 131072), small, 4096);
  }
}

TEST_F(CompileToolTest, RefusesBadOptions) {
  const std::string model = TinyModel();
  ExpectRefused({}, "--model: wanted a checkpoint's directory");
  ExpectRefused({"--model", model}, "--out: wanted a directory");
  ExpectRefused({"--nope"}, "no option --nope");
  ExpectRefused({"--model"}, "--model: wanted a value");
  ExpectRefused({"stray"}, "unexpected argument 'stray'");
  const auto with = [&](const std::string& option, absl::string_view line) {
    ExpectRefused({"--model", model, "--out", Out(), option}, line);
  };
  with("--device=toaster", "no device profile 'toaster'; there are generic");
  with("--storage=cloud", "no storage 'cloud'; there are buffer");
  with("--weight-form=LOOSE", "no weight form 'LOOSE'; there are ");
  with("--quant=f8", "no quantisation 'f8'; there are f32, f16");
  with("--attention=none", "no attention 'none'; there are fused, paper");
  with("--stop-after=lunch", "no phase 'lunch'; there are graph, fused");
  with("--weights=random:x", "--weights: wanted checkpoint, none or random");
  with("--context=0", "--context: wanted 1 or more, found 0");
  with("--context=33", "context: wanted 1 to 32");
  with("--context=many", "--context: wanted a whole number, found 'many'");
  with("--prefill-chunk=-4", "--prefill-chunk: wanted 1 or more, found -4");
  with("--prefill-chunk=40", "prefill chunk: wanted 1 to 32 (the context)");
}

TEST_F(CompileToolTest, RefusesBadPlaces) {
  ExpectRefused({"--model", "/no/such/place", "--out", Out()},
                "--model: no directory '/no/such/place'");
  const std::string file =
      checkpoints::WriteTestFile(directory_, "file", "text");
  ExpectRefused(
      {"--model", TinyModel(), "--out", file, "--weights=none"},
      absl::StrCat("--out: cannot write to '", file, "': Not a directory"));
  ExpectRefused({"--model", directory_, "--out", Out()},
                "config.json: cannot open: No such file");
}

TEST_F(CompileToolTest, RefusesBadConfigs) {
  ExpectConfigRefused({{"\"vocab_size\": 30,", ""}}, "vocab_size");
  ExpectConfigRefused({{"\"hidden_size\": 16", "\"hidden_size\": -1"}},
                      "hidden_size");
  ExpectConfigRefused({{"LlamaForCausalLM", "MambaForCausalLM"}},
                      "found 'MambaForCausalLM'");
  ExpectConfigRefused({{"{", "[1, 2"}}, "config.json");
  ExpectConfigRefused({{"\"hidden_size\": 16", "\"hidden_size\": 1048576"},
                       {"\"vocab_size\": 30", "\"vocab_size\": 16777216"}},
                      "wanted at most 1e+12 elements");
}

TEST_F(CompileToolTest, RefusesBadWeights) {
  const std::string model = TinyModel();
  const std::vector<std::string> arguments = {"--model", model, "--out", Out()};
  ExpectRefused(arguments, "model.safetensors");
  const std::string whole = ZeroWeights(TinyConfig(), "");
  checkpoints::WriteTestFile(model, "model.safetensors",
                             whole.substr(0, whole.size() / 2));
  ExpectRefused(arguments, "model.safetensors");
  checkpoints::WriteTestFile(model, "model.safetensors",
                             ZeroWeights(TinyConfig(), "lm_head.weight"));
  ExpectRefused(arguments, "lm_head.weight");
}

// No time of day, no duration: the file itself, not only its text.
TEST_F(CompileToolTest, SameInputSamePlanFile) {
  const std::string model = TinyModel();
  std::string files[2];
  for (std::string& file : files) {
    const Outcome outcome =
        RunTool({"--model", model, "--out", Out(), "--weights=none"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    const auto plan =
        checkpoints::MappedFile::Open(absl::StrCat(Out(), "/plan.mrp"));
    ASSERT_TRUE(plan.ok()) << plan.status();
    file.assign(plan->bytes().begin(), plan->bytes().end());
  }
  EXPECT_TRUE(files[0] == files[1]);
}

// The weights of another model of the same shapes would fit the plan.
TEST_F(CompileToolTest, LeavesNoOldWeights) {
  const std::string model = TinyModel();
  checkpoints::WriteTestFile(model, "model.safetensors",
                             ZeroWeights(TinyConfig(), ""));
  ASSERT_EQ(RunTool({"--model", model, "--out", Out()}).status, 0);
  EXPECT_TRUE(fs::exists(absl::StrCat(Out(), "/weights.mrw")));
  ASSERT_EQ(
      RunTool({"--model", model, "--out", Out(), "--weights=none"}).status, 0);
  EXPECT_FALSE(fs::exists(absl::StrCat(Out(), "/weights.mrw")));
}

TEST_F(CompileToolTest, TellsModelsOfTheSameShapesApart) {
  const std::string model = TinyModel();
  checkpoints::WriteTestFile(model, "model.safetensors",
                             ZeroWeights(TinyConfig(), ""));
  ASSERT_EQ(RunTool({"--model", model, "--out", Out()}).status, 0);
  const std::string other = Model(absl::StrReplaceAll(
      TinyConfig(), {{"\"rope_theta\": 10000.0", "\"rope_theta\": 5e5"}}));
  const std::string out = absl::StrCat(directory_, "/other_out");
  ASSERT_EQ(RunTool({"--model", other, "--out", out, "--weights=none"}).status,
            0);
  const auto plan = plan::Plan::Load(absl::StrCat(out, "/plan.mrp"));
  ASSERT_TRUE(plan.ok()) << plan.status();
  EXPECT_EQ((*plan)->model()->architecture()->str(), "llama");
  checkpoints::ExpectOneLineError(
      weights::OpenWeights(**plan, absl::StrCat(Out(), "/weights.mrw"))
          .status(),
      "the weights of another plan");
  checkpoints::ExpectOneLineError(
      weights::OpenWeights(**plan, model).status(),
      "config.json: another model than the plan was compiled for: rope_theta: "
      "wanted 500000, found 10000");
}

TEST_F(CompileToolTest, SaysWhatItIgnores) {
  const std::string model = Model(absl::StrReplaceAll(
      TinyConfig(), {{"\"vocab_size\"", "\"zeta\": 1, \"vocab_size\""}}));
  const Outcome outcome =
      RunTool({"--model", model, "--out", Out(), "--weights=none"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_TRUE(absl::StrContains(outcome.err, "note: ")) << outcome.err;
  EXPECT_TRUE(absl::StrContains(outcome.err, "zeta")) << outcome.err;
}

// What the checkpoint has and its config does not ask for.
TEST_F(CompileToolTest, RefusesTensorsThatTheModelDoesNotRead) {
  const std::pair<const char*, const char*> kCases[] = {
      {"2, \"attention_bias\": true", "self_attn.k_proj.bias"},
      {"3", "model.layers.2.input_layernorm.weight"},
  };
  for (const auto& [layers, tensor] : kCases) {
    const std::string config = absl::StrReplaceAll(
        TinyConfig(), {{"\"num_hidden_layers\": 2",
                        absl::StrCat("\"num_hidden_layers\": ", layers)}});
    const std::string model = TinyModel();
    checkpoints::WriteTestFile(model, "model.safetensors",
                               ZeroWeights(config, ""));
    ExpectRefused({"--model", model, "--out", Out()}, tensor);
  }
}

// It would run, and greedy text would go on from nothing.
TEST_F(CompileToolTest, RefusesWeightsThatAreNoNumbers) {
  const std::string model = TinyModel();
  std::string weights = ZeroWeights(TinyConfig(), "");
  const float nan = std::numeric_limits<float>::quiet_NaN();
  std::memcpy(&weights[weights.size() - sizeof(nan)], &nan, sizeof(nan));
  checkpoints::WriteTestFile(model, "model.safetensors", weights);
  ExpectRefused({"--model", model, "--out", Out()},
                "tensor 'lm_head.weight': element 479 is infinite or not a "
                "number");
}

TEST_F(CompileToolTest, HelpNamesPhasesAndDevices) {
  const Outcome help = RunTool({"--help"});
  EXPECT_EQ(help.status, 0);
  for (const char* part :
       {"usage: millrace-compile", "--weight-form", "  fused ", "  plan ",
        "  generic ", "  nvidia-sm90 "}) {
    EXPECT_TRUE(absl::StrContains(help.out, part)) << part;
  }
  const Outcome devices = RunTool({"--list-devices"});
  EXPECT_EQ(devices.status, 0);
  EXPECT_TRUE(absl::StrContains(devices.out, "apple-m4")) << devices.out;
}

}  // namespace
}  // namespace millrace::pipeline
