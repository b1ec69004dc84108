// SPDX-License-Identifier: Apache-2.0
#include "models/checkpoints/safetensors.h"

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "models/checkpoints/testing.h"

namespace millrace::checkpoints {
namespace {

absl::StatusOr<SafetensorsFile> OpenBytes(absl::string_view bytes) {
  return SafetensorsFile::Open(
      WriteTestFile(MakeTestDirectory(), "m.safetensors", bytes));
}

absl::StatusOr<SafetensorsFile> OpenParts(absl::string_view header,
                                          absl::string_view data) {
  return OpenBytes(SafetensorsBytes(header, data));
}

// The header entry of tensor `t`.
std::string Entry(absl::string_view dtype, absl::string_view shape,
                  absl::string_view offsets) {
  return absl::StrCat(R"({"t": {"dtype": ")", dtype, R"(", "shape": )", shape,
                      R"(, "data_offsets": )", offsets, "}}");
}

TEST(Safetensors, ReadsTensorsInTheOrderOfTheirData) {
  auto file = OpenParts(
      R"({"__metadata__": {"format": "pt"},
          "a": {"dtype": "F16", "shape": [2, 1], "data_offsets": [4, 8]},
          "empty": {"dtype": "F32", "shape": [0, 7], "data_offsets": [4, 4]},
          "z": {"dtype": "I8", "shape": [4], "data_offsets": [0, 4]},
          "one": {"dtype": "BF16", "shape": [], "data_offsets": [8, 10]}})",
      "abcdefghij");
  ASSERT_TRUE(file.ok()) << file.status();
  ASSERT_EQ(file->tensors().size(), 4u);
  EXPECT_EQ(file->tensors()[0].name, "z");
  EXPECT_EQ(file->tensors()[1].name, "empty");
  const TensorView* a = file->Find("a");
  ASSERT_NE(a, nullptr);
  EXPECT_EQ(a->dtype, DType::kF16);
  EXPECT_EQ(a->shape, (std::vector<int64_t>{2, 1}));
  EXPECT_EQ(a->data[0], 'e');
  EXPECT_EQ(a->data.size(), 4u);
  EXPECT_TRUE(file->Find("one")->shape.empty());
  EXPECT_EQ(file->Find("b"), nullptr);
}

TEST(Safetensors, RefusesABrokenHeader) {
  ExpectOneLineError(OpenBytes("").status(), "a file of 0 bytes");
  ExpectOneLineError(OpenBytes("1234567").status(), "a file of 7 bytes");
  const std::string huge("\xff\xff\xff\xff\xff\xff\xff\xff{}", 10);
  ExpectOneLineError(OpenBytes(huge).status(),
                     "at most 2 bytes, found a length of 18446744073709551615");
  ExpectOneLineError(OpenParts("", "").status(), "not JSON");
  ExpectOneLineError(OpenParts("{\"a\": ", "").status(), "not JSON");
  ExpectOneLineError(OpenParts("[1]", "").status(), "wanted an object");
  ExpectOneLineError(OpenParts(R"({"t": 3})", "").status(),
                     "tensor 't': wanted an object, found 3");
  ExpectOneLineError(OpenParts(R"({"t": {}})", "").status(), "dtype: missing");
  ExpectOneLineError(
      OpenParts(R"({"t": {"dtype": "I8", "shape": [0], "data_offsets": [0, 0]},
                    "t": {"dtype": "I8", "shape": [0], "data_offsets": [0, 0]}})",
                "")
          .status(),
      "the name 't' appears twice");
}

TEST(Safetensors, RefusesImpossibleTensors) {
  const struct {
    const char *dtype, *shape, *offsets, *message;
  } kCases[] = {
      {"F17", "[1]", "[0, 4]", "wanted a known dtype, found 'F17'"},
      {"F32", "1", "[0, 4]", "shape: wanted an array, found 1"},
      {"F32", "[-1]", "[0, 4]", "shape: wanted integers of 0 or more"},
      {"F32", "[1.0]", "[0, 4]", "found 1.0"},
      {"F32", "[\"1\"]", "[0, 4]", "found '1'"},
      {"F32", "[18446744073709551615]", "[0, 4]", "found 18446744073709551615"},
      {"F32", "[9223372036854775807]", "[0, 4]", "larger than any file"},
      {"F32", "[4294967296, 4294967296]", "[0, 4]", "larger than any file"},
      {"F32", "[2]", "[0, 4]", "wanted 8 bytes for F32 [2], found [0, 4)"},
      {"F32", "[]", "[0, 2]", "wanted 4 bytes for F32 []"},
      {"F32", "[1]", "[0]", "wanted [begin, end], found an array of 1"},
      {"F32", "[1]", "[-4, 0]", "found -4"},
      {"F32", "[1]", "[4, 0]", "inside the file's 4 data bytes, found [4, 0)"},
      {"F32", "[1]", "[4, 8]", "inside the file's 4 data bytes, found [4, 8)"},
      {"F32", "[1]", "[0, 9223372036854775807]", "inside the file's 4 data"},
      {"F32", "[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]", "[0, 4]",
       "at most 16 dimensions"},
  };
  for (const auto& c : kCases) {
    auto file = OpenParts(Entry(c.dtype, c.shape, c.offsets), "abcd");
    ExpectOneLineError(file.status(), c.message);
    ExpectOneLineError(file.status(), "m.safetensors: tensor 't'");
  }
}

TEST(Safetensors, RefusesOverlapHolesAndTruncation) {
  const std::string two =
      R"({"a": {"dtype": "I8", "shape": [4], "data_offsets": [0, 4]},
          "b": {"dtype": "I8", "shape": [4], "data_offsets": [$0, $1]}})";
  ExpectOneLineError(
      OpenParts(absl::StrCat(absl::string_view(two).substr(0, two.find("$0")),
                             "2, 6]}}"),
                "abcdef")
          .status(),
      "tensor 'b': wanted data from byte 4 on, where the tensor before it "
      "ends, found byte 2");
  ExpectOneLineError(
      OpenParts(absl::StrCat(absl::string_view(two).substr(0, two.find("$0")),
                             "5, 9]}}"),
                "abcdefghi")
          .status(),
      "from byte 4 on");
  ExpectOneLineError(OpenParts(Entry("I8", "[4]", "[0, 4]"), "abcde").status(),
                     "wanted 4 bytes of data, found 5");
}

TEST(Safetensors, AnyCutOfAFileIsAnError) {
  const std::string whole =
      SafetensorsBytes(Entry("I8", "[4]", "[0, 4]"), "abcd");
  ASSERT_TRUE(OpenBytes(whole).ok());
  const std::string dir = MakeTestDirectory();
  for (size_t size = 0; size < whole.size(); ++size) {
    const std::string path =
        WriteTestFile(dir, "cut", absl::string_view(whole).substr(0, size));
    ExpectOneLineError(SafetensorsFile::Open(path).status(), path);
  }
}

TEST(Safetensors, NoByteOfTheHeaderCanCrash) {
  const std::string whole =
      SafetensorsBytes(Entry("I8", "[4]", "[0, 4]"), "abcd");
  const std::string dir = MakeTestDirectory();
  for (size_t i = 0; i < whole.size(); ++i) {
    for (char replacement : {'\0', '\xff', '"', '9', '{', '-'}) {
      std::string bytes = whole;
      bytes[i] = replacement;
      (void)SafetensorsFile::Open(WriteTestFile(dir, "flip", bytes));
    }
  }
}

}  // namespace
}  // namespace millrace::checkpoints
