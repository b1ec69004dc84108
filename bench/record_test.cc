// SPDX-License-Identifier: Apache-2.0
#include "bench/record.h"

#include <algorithm>
#include <cmath>

#include "gtest/gtest.h"
#include "nlohmann/json.hpp"

namespace millrace::bench {
namespace {

Record Sample() {
  return {{"model", std::string("a \"b\",\nc|d")},
          {"kernels", int64_t{27}},
          {"ttft_s", 0.125}};
}

TEST(RecordTest, JsonIsOneObjectOnOneLine) {
  const std::string text = JsonLine(Sample());
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1);
  EXPECT_EQ(text.back(), '\n');
  const auto json = nlohmann::json::parse(text);
  EXPECT_EQ(json["model"], "a \"b\",\nc|d");
  EXPECT_EQ(json["kernels"], 27);
  EXPECT_EQ(json["ttft_s"], 0.125);
}

TEST(RecordTest, JsonMendsWhatJsonCannotHold) {
  const auto json = nlohmann::json::parse(
      JsonLine({{"text", std::string("a\xff")}, {"rate", std::nan("")}}));
  EXPECT_EQ(json["text"], "a\xef\xbf\xbd");
  EXPECT_TRUE(json["rate"].is_null());
}

TEST(RecordTest, JsonArrayParses) {
  const Record records[] = {Sample(), Sample()};
  EXPECT_EQ(nlohmann::json::parse(JsonArray(records)).size(), 2u);
  EXPECT_TRUE(nlohmann::json::parse(JsonArray({})).is_array());
}

TEST(RecordTest, CsvQuotesWhatNeedsIt) {
  const Record records[] = {Sample()};
  EXPECT_EQ(Csv(records),
            "model,kernels,ttft_s\n\"a \"\"b\"\",\nc|d\",27,0.125\n");
}

TEST(RecordTest, MarkdownEscapesBars) {
  const Record records[] = {Sample()};
  EXPECT_EQ(Markdown(records),
            "| model | kernels | ttft_s |\n| --- | ---: | ---: |\n"
            "| a \"b\", c\\|d | 27 | 0.125 |\n");
}

TEST(RecordTest, TextAlignsValues) {
  EXPECT_EQ(TextLines({{"a", "1"}, {"long", "2"}}), "a     1\nlong  2\n");
}

TEST(RecordTest, Numbers) {
  EXPECT_EQ(ShortNumber(123456.7), "123457");
  EXPECT_EQ(ShortNumber(12.3456), "12.35");
  EXPECT_EQ(WithDeviation(12.3456, 0.456), "12.35 +- 0.46");
  EXPECT_EQ(WithDeviation(3000.0, 412.6), "3000 +- 413");
}

TEST(RecordTest, OutputForms) {
  EXPECT_EQ(*ParseOutputForm("md"), OutputForm::kMarkdown);
  EXPECT_FALSE(ParseOutputForm("xml").ok());
}

}  // namespace
}  // namespace millrace::bench
