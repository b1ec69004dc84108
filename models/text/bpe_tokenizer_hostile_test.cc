// SPDX-License-Identifier: Apache-2.0
//
// tokenizer.json files that are broken, hostile, or of a kind that Millrace
// would read wrongly: one clear line each.
#include <fstream>
#include <sstream>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "models/checkpoints/json_fields.h"
#include "models/checkpoints/testing.h"
#include "models/text/bpe_tokenizer.h"

namespace millrace::text {
namespace {

using checkpoints::ExpectOneLineError;
using checkpoints::Json;

std::string BaseText() {
  std::ifstream file("models/text/testdata/llama3_like.json");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

const Json& Base() {
  static const Json* json =
      new Json(*checkpoints::ParseJson(BaseText(), "base"));
  return *json;
}

absl::Status StatusOf(const Json& json) {
  return BpeTokenizer::Parse(json.dump(), "t.json").status();
}

TEST(HostileTokenizer, TheBaseItselfIsFine) {
  EXPECT_TRUE(StatusOf(Base()).ok()) << StatusOf(Base());
}

TEST(HostileTokenizer, MissingOrWrongParts) {
  // A merge patch (RFC 7386): null removes the field.
  const struct {
    const char *patch, *message;
  } kCases[] = {
      {R"({"model": null})", "t.json: model: missing"},
      {R"({"model": 3})", "model: wanted an object, found 3"},
      {R"({"model": {"type": "WordPiece"}})",
       "model: type: wanted 'BPE', found 'WordPiece'"},
      {R"({"model": {"vocab": null}})", "model: vocab: missing"},
      {R"({"model": {"vocab": [1]}})", "vocab: wanted an object"},
      {R"({"model": {"vocab": {"a": "x"}}})",
       "vocab: a: wanted an integer in [0, 4194303], found 'x'"},
      {R"({"model": {"vocab": {"a": -1}}})", "found -1"},
      {R"({"model": {"vocab": {"a": 4294967296}}})", "found 4294967296"},
      {R"({"model": {"vocab": {"zzz": 5}}})", "another token has id 5"},
      {R"({"model": {"merges": null}})", "merges: missing"},
      {R"({"model": {"merges": {}}})", "merges: wanted an array"},
      {R"({"model": {"merges": [3]}})",
       "merges: 0: wanted two tokens, found 3"},
      {R"({"model": {"merges": ["ab"]}})", "wanted two tokens, found 'ab'"},
      {R"({"model": {"merges": ["a b c"]}})", "wanted two tokens"},
      {R"({"model": {"merges": [["a"]]}})", "wanted two tokens"},
      {R"({"model": {"merges": [["a", 1]]}})", "wanted two tokens"},
      {R"({"model": {"merges": ["a nothere"]}})",
       "merges: 0: wanted tokens of the vocabulary, found 'nothere'"},
      {R"({"model": {"merges": ["~ ~"]}})", "found '~~', which is none"},
      {R"({"model": {"dropout": 0.1}})", "dropout: wanted 0, found 0.1"},
      {R"({"model": {"continuing_subword_prefix": "##"}})", "wanted none"},
      {R"({"model": {"ignore_merges": 1}})", "wanted true or false"},
      {R"({"normalizer": {"type": "Nmt"}})", "or a Sequence, found 'Nmt'"},
      {R"({"normalizer": {"type": "Sequence", "normalizers": [{}]}})",
       "normalizers: 0: type: missing"},
      {R"({"normalizer": {"type": "Replace", "pattern": {"Regex": "("},
           "content": ""}})",
       "not a regular expression"},
      {R"({"normalizer": {}})", "normalizer: type: missing"},
      {R"({"decoder": null})", "decoder: missing"},
      {R"({"decoder": {"type": "Metaspace"}})",
       "decoder: replacement: missing"},
      {R"({"decoder": {"type": "Metaspace", "replacement": "_"}})",
       "wanted ByteLevel in both pre_tokenizer and decoder"},
      {R"({"decoder": {"type": "WordPiece"}})", "found 'WordPiece'"},
      {R"({"decoder": {"type": "Strip", "content": " ", "start": 1,
           "stop": 0}})",
       "wanted a Strip of the start, after Fuse"},
      {R"({"pre_tokenizer": null})", "found it in the latter"},
      {R"({"pre_tokenizer": {"type": "Metaspace", "pretokenizers": null}})",
       "replacement: missing"},
      {R"({"pre_tokenizer": {"type": "Whitespace", "pretokenizers": null}})",
       "wanted Split, Digits, Metaspace or ByteLevel, found 'Whitespace'"},
      {R"({"pre_tokenizer": {"pretokenizers": []}})", "found it in the latter"},
      {R"({"pre_tokenizer": {"pretokenizers": [{"type": "ByteLevel"},
           {"type": "ByteLevel"}]}})",
       "wanted ByteLevel to be the last"},
      {R"({"pre_tokenizer": {"pretokenizers": [{"type": "Split",
           "behavior": "Isolated", "pattern": {"Regex": "(a"}}]}})",
       "not a regular expression: missing closing parenthesis at byte 2"},
      {R"({"pre_tokenizer": {"pretokenizers": [{"type": "Split",
           "behavior": "Shuffled", "pattern": {"Regex": "a"}}]}})",
       "found 'Shuffled'"},
      {R"({"pre_tokenizer": {"pretokenizers": [{"type": "Split",
           "behavior": "Isolated", "pattern": {}}]}})",
       "pattern: String: missing"},
      {R"({"post_processor": {"type": "BertProcessing"}})",
       "wanted ByteLevel or TemplateProcessing, found 'BertProcessing'"},
      {R"({"post_processor": {"processors": [{"type": "TemplateProcessing",
           "single": []}]}})",
       "single: wanted one Sequence, found 0"},
      {R"({"post_processor": {"processors": [{"type": "TemplateProcessing",
           "single": [{"SpecialToken": {"id": "x"}}], "special_tokens": {}}]}})",
       "special_tokens: x: missing"},
      {R"({"post_processor": {"processors": [{"type": "TemplateProcessing",
           "single": [{"SpecialToken": {"id": "x"}}],
           "special_tokens": {"x": {"ids": [999999]}}}]}})",
       "ids: wanted a token id below"},
      {R"({"added_tokens": 3})", "added_tokens: wanted an array"},
      {R"({"added_tokens": [3]})", "added_tokens: 0: wanted an object"},
      {R"({"added_tokens": [{"id": 7}]})", "content: missing"},
      {R"({"added_tokens": [{"id": 7, "content": ""}]})", "wanted text"},
      {R"({"added_tokens": [{"id": 7, "content": "new"}]})",
       "token 'new': another token has id 7"},
      {R"({"added_tokens": [{"id": 9000, "content": "<|end|>"}]})",
       "it also has another id than id 9000"},
      {R"({"added_tokens": [{"id": 9000, "content": "x y", "lstrip": 1}]})",
       "lstrip: wanted true or false"},
  };
  for (const auto& c : kCases) {
    Json json = Base();
    json.merge_patch(*checkpoints::ParseJson(c.patch, "patch"));
    ExpectOneLineError(StatusOf(json), c.message);
    ExpectOneLineError(StatusOf(json), "t.json: ");
  }
}

TEST(HostileTokenizer, MissingFileAndNoJson) {
  ExpectOneLineError(BpeTokenizer::Load("no/such/file.json").status(),
                     "no/such/file.json: cannot open");
  ExpectOneLineError(BpeTokenizer::Parse("", "t.json").status(), "not JSON");
  ExpectOneLineError(BpeTokenizer::Parse("[]", "t.json").status(),
                     "t.json: wanted an object");
}

// A byte that the vocabulary lacks is an error, not silence.
TEST(HostileTokenizer, AByteWithoutAToken) {
  Json json = Base();
  json["model"]["vocab"].erase("~");
  auto tokenizer = BpeTokenizer::Parse(json.dump(), "t.json");
  ASSERT_TRUE(tokenizer.ok()) << tokenizer.status();
  EXPECT_TRUE((*tokenizer)->Encode("plain", true).ok());
  ExpectOneLineError((*tokenizer)->Encode("~", true).status(),
                     "byte 0x7e is no token of this vocabulary");
}

TEST(HostileTokenizer, ARegexThatNeverEnds) {
  Json json = Base();
  json["pre_tokenizer"]["pretokenizers"][0]["pattern"]["Regex"] =
      "((a+)+)+(?:b)(?<=c)";
  auto tokenizer = BpeTokenizer::Parse(json.dump(), "t.json");
  ASSERT_TRUE(tokenizer.ok()) << tokenizer.status();
  ExpectOneLineError(
      (*tokenizer)->Encode(std::string(60, 'a') + "bd", true).status(),
      "the tokenizer's pattern failed on the text from byte 0 on");
}

TEST(HostileTokenizer, AnyCutIsAnError) {
  const std::string text = BaseText();
  const size_t end = text.rfind('}');
  for (size_t size = 0; size <= end; size += 41) {
    ExpectOneLineError(
        BpeTokenizer::Parse(absl::string_view(text).substr(0, size), "t.json")
            .status(),
        "t.json: not JSON");
  }
}

TEST(HostileTokenizer, NoChangedByteCanCrash) {
  const std::string text = BaseText();
  uint64_t state = 3;
  for (int round = 0; round < 400; ++round) {
    std::string bytes = text;
    for (int i = 0; i < 3; ++i) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      const char kBytes[] = {'"', '9', '-', '{', '[', ',', ' ', 'a'};
      bytes[(state >> 20) % bytes.size()] = kBytes[(state >> 55) % 8];
    }
    auto tokenizer = BpeTokenizer::Parse(bytes, "t.json");
    if (tokenizer.ok()) {
      (void)(*tokenizer)->Encode("The mill's 12 stones <|end|>", true);
    }
  }
}

}  // namespace
}  // namespace millrace::text
