// SPDX-License-Identifier: Apache-2.0
#include "models/checkpoints/json_fields.h"

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "models/checkpoints/testing.h"

namespace millrace::checkpoints {
namespace {

TEST(ParseJson, SaysWhereTheSyntaxBreaks) {
  ExpectOneLineError(ParseJson("{\"a\": ]}", "f.json").status(),
                     "f.json: not JSON: syntax error at byte 7");
  ExpectOneLineError(ParseJson("", "f.json").status(), "not JSON");
  ExpectOneLineError(ParseJson("{\"a\": 1", "f.json").status(), "not JSON");
  ExpectOneLineError(ParseJson("\"\xff\"", "f.json").status(), "not JSON");
}

TEST(ParseJson, RefusesDeepNesting) {
  const std::string open(100000, '[');
  ExpectOneLineError(ParseJson(open, "f.json").status(),
                     "nested deeper than 64 levels");
  const std::string fine = absl::StrCat(std::string(64, '['),  //
                                        std::string(64, ']'));
  EXPECT_TRUE(ParseJson(fine, "f.json").ok());
}

TEST(ParseJson, RefusesDuplicatesWhenAsked) {
  const char* text = R"({"a": 1, "b": {"a": 2}, "a": 3})";
  EXPECT_TRUE(ParseJson(text, "f").ok());
  ExpectOneLineError(ParseJson(text, "f", DuplicateKeys::kRefused).status(),
                     "the name 'a' appears twice");
  EXPECT_TRUE(
      ParseJson(R"({"a": {"a": 1}})", "f", DuplicateKeys::kRefused).ok());
}

TEST(ReadJsonFile, NamesAMissingFileAndATooLargeOne) {
  const std::string dir = MakeTestDirectory();
  ExpectOneLineError(ReadJsonFile(dir + "/none.json").status(),
                     "/none.json: cannot open");
  ExpectOneLineError(ReadJsonFile(dir).status(), ": cannot read");
  const std::string path = WriteTestFile(dir, "big.json", "[1, 2, 3]");
  ExpectOneLineError(ReadJsonFile(path, 4).status(), "at most 4 bytes");
  EXPECT_TRUE(ReadJsonFile(path, 9).ok());
}

class JsonFieldsTest : public testing::Test {
 protected:
  JsonFieldsTest()
      : json_(*ParseJson(R"({"n": 7, "big": 18446744073709551615, "f": 1.5,
                             "whole": 4.0, "t": true, "s": "word", "o": {},
                             "a": [1], "nothing": null})",
                         "f")),
        fields_(*JsonFields::Of(json_, "f")) {}

  Json json_;
  JsonFields fields_;
};

TEST_F(JsonFieldsTest, ReadsWhatIsThere) {
  EXPECT_EQ(*fields_.Integer("n", 0, 10), 7);
  EXPECT_EQ(*fields_.Number("f", 0, 10), 1.5);
  EXPECT_EQ(*fields_.Number("n", 0, 10), 7.0);
  EXPECT_EQ(*fields_.Bool("t"), true);
  EXPECT_EQ(*fields_.String("s"), "word");
  EXPECT_TRUE(fields_.Object("o").ok());
  EXPECT_EQ((*fields_.Array("a"))->size(), 1u);
}

TEST_F(JsonFieldsTest, FallsBackWhenAbsentOrNull) {
  EXPECT_EQ(*fields_.Integer("nothing", 0, 10, 3), 3);
  EXPECT_EQ(*fields_.Number("none", 0, 10, 2.5), 2.5);
  EXPECT_EQ(*fields_.Bool("none", false), false);
  EXPECT_EQ(*fields_.String("none", "x"), "x");
}

TEST_F(JsonFieldsTest, SaysWhatWasWantedAndFound) {
  ExpectOneLineError(fields_.Integer("none", 0, 1).status(),
                     "f: none: missing");
  ExpectOneLineError(fields_.Integer("n", 8, 9).status(),
                     "f: n: wanted an integer in [8, 9], found 7");
  ExpectOneLineError(fields_.Integer("whole", 0, 9).status(), "found 4.0");
  ExpectOneLineError(fields_.Integer("big", -5, INT64_MAX).status(),
                     "found 18446744073709551615");
  ExpectOneLineError(fields_.Number("s", 0, 1).status(), "found 'word'");
  ExpectOneLineError(fields_.Bool("n").status(), "wanted true or false");
  ExpectOneLineError(fields_.String("a").status(), "found an array of 1");
  ExpectOneLineError(fields_.Object("a").status(), "wanted an object");
  ExpectOneLineError(fields_.Array("o").status(), "wanted an array");
}

}  // namespace
}  // namespace millrace::checkpoints
