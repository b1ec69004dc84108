// SPDX-License-Identifier: Apache-2.0
#include "models/checkpoints/checkpoint.h"

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "models/checkpoints/json_fields.h"
#include "models/checkpoints/testing.h"

namespace millrace::checkpoints {
namespace {

// A file with one I8 tensor [2].
std::string OneTensor(absl::string_view name, absl::string_view data) {
  return SafetensorsBytes(
      absl::StrCat("{\"", name, "\": {\"dtype\": \"I8\", \"shape\": [2], ",
                   "\"data_offsets\": [0, 2]}}"),
      data);
}

void WriteIndex(const std::string& dir, absl::string_view map) {
  WriteTestFile(dir, "model.safetensors.index.json",
                absl::StrCat("{\"weight_map\": ", map, "}"));
}

TEST(Checkpoint, FindsTensorsOfASingleFile) {
  const std::string dir = MakeTestDirectory();
  WriteTestFile(dir, "model.safetensors", OneTensor("w", "xy"));
  auto checkpoint = Checkpoint::Open(dir);
  ASSERT_TRUE(checkpoint.ok()) << checkpoint.status();
  EXPECT_TRUE(checkpoint->Contains("w"));
  EXPECT_EQ(checkpoint->Tensors().size(), 1u);
  auto found = checkpoint->Find("w", {2});
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_EQ(found->data[1], 'y');
  ExpectOneLineError(checkpoint->Find("v").status(),
                     "tensor 'v': missing from the checkpoint");
  ExpectOneLineError(checkpoint->Find("w", {1, 2}).status(),
                     "tensor 'w': wanted shape [1, 2], found [2]");
}

TEST(Checkpoint, FindsTensorsOfShards) {
  const std::string dir = MakeTestDirectory();
  WriteTestFile(dir, "part-1.safetensors", OneTensor("a", "ab"));
  WriteTestFile(dir, "part-2.safetensors", OneTensor("b", "cd"));
  WriteIndex(dir, R"({"b": "part-2.safetensors", "a": "part-1.safetensors"})");
  auto checkpoint = Checkpoint::Open(dir);
  ASSERT_TRUE(checkpoint.ok()) << checkpoint.status();
  EXPECT_EQ(checkpoint->Find("a")->data[0], 'a');
  EXPECT_EQ(checkpoint->Find("b")->data[0], 'c');
  const std::vector<TensorView> all = checkpoint->Tensors();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].name, "a");
}

// What newcomers give it, and what they are told.
TEST(Checkpoint, SaysWhatItFoundInstead) {
  const struct {
    const char *file, *message;
  } kCases[] = {
      {"pytorch_model.bin", "found pytorch_model.bin: PyTorch's own format"},
      {"model.Q4_0.gguf", "found model.Q4_0.gguf: GGUF is not read"},
      {"model-00001-of-00002.safetensors", "a shard without its index"},
      {"README.md", "found neither"},
  };
  for (const auto& c : kCases) {
    const std::string dir = MakeTestDirectory();
    WriteTestFile(dir, c.file, "x");
    ExpectOneLineError(Checkpoint::Open(dir).status(), c.message);
  }
}

// Every file of a checkpoint may be a pointer, not only the weights.
TEST(Checkpoint, RecognisesGitLfsPointers) {
  constexpr char kPointer[] =
      "version https://git-lfs.github.com/spec/v1\n"
      "oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e"
      "2393\nsize 12345\n";
  for (const char* file :
       {"model.safetensors", "model.safetensors.index.json"}) {
    const std::string dir = MakeTestDirectory();
    WriteTestFile(dir, file, kPointer);
    ExpectOneLineError(Checkpoint::Open(dir).status(), "a Git LFS pointer");
  }
  const std::string dir = MakeTestDirectory();
  const std::string config = WriteTestFile(dir, "config.json", kPointer);
  ExpectOneLineError(ReadJsonFile(config).status(), "`git lfs pull`");
}

TEST(Checkpoint, RefusesAnIndexThatLies) {
  const std::string dir = MakeTestDirectory();
  WriteTestFile(dir, "part.safetensors", OneTensor("a", "ab"));
  const struct {
    const char *map, *message;
  } kCases[] = {
      {R"({"a": "../part.safetensors"})", "in the same directory"},
      {R"({"a": "/etc/x.safetensors"})", "in the same directory"},
      {R"({"a": "..\\x.safetensors"})", "in the same directory"},
      {R"({"a": ".safetensors"})", "in the same directory"},
      {R"({"a": "x\u0000.safetensors"})", "in the same directory"},
      {R"({"a": "part.bin"})", "in the same directory"},
      {R"({"a": ""})", "in the same directory"},
      {R"({"a": 3})", "wanted a string, found 3"},
      {R"({"a": "gone.safetensors"})", "gone.safetensors: cannot open"},
      {R"({"b": "part.safetensors"})", "found no such tensor there"},
      {R"([])", "weight_map: wanted an object"},
  };
  for (const auto& c : kCases) {
    WriteIndex(dir, c.map);
    ExpectOneLineError(Checkpoint::Open(dir).status(), c.message);
  }
}

TEST(Checkpoint, SaysWhatAnEmptyDirectoryLacks) {
  const std::string dir = MakeTestDirectory();
  ExpectOneLineError(Checkpoint::Open(dir).status(),
                     absl::StrCat(dir, ": wanted model.safetensors or "));
  ExpectOneLineError(Checkpoint::Open(dir + "/none").status(), "found neither");
}

}  // namespace
}  // namespace millrace::checkpoints
