// SPDX-License-Identifier: Apache-2.0

#include "layout/limits.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "layout/form.h"

namespace millrace::layout {
namespace {

absl::Status Check(StorageKind storage, absl::string_view form,
                   const std::vector<int64_t>& shape, int element_bits,
                   const ObjectLimits& limits) {
  return Fits(*MakeLayout(storage, form, shape), element_bits, limits);
}

TEST(LimitsTest, EachLimitIsNamed) {
  ObjectLimits limits;
  limits.texture_2d_width = 16;
  limits.texture_2d_height = 8;
  limits.texture_array_layers = 4;
  limits.texture_3d_depth = 2;
  limits.texture_3d_width = 8;
  limits.texture_3d_height = 4;
  limits.image_buffer_texels = 100;
  limits.object_bytes = 4096;
  const struct {
    StorageKind storage;
    std::vector<int64_t> shape;
    std::string message;  // empty: it fits
  } cases[] = {
      {StorageKind::kTexture2d, {1, 2, 16, 16}, ""},
      {StorageKind::kTexture2d,
       {1, 1, 17, 4},
       "texture_2d width: the layout wants 17, the device has at most 16"},
      {StorageKind::kTexture2d,
       {1, 2, 1, 17},
       "texture_2d height: the layout wants 10, the device has at most 8"},
      {StorageKind::kTextureArray, {1, 8, 16, 4}, ""},
      {StorageKind::kTextureArray,
       {1, 1, 1, 17},
       "texture_array layers: the layout wants 5, the device has at most 4"},
      {StorageKind::kTexture3d,
       {1, 1, 9, 4},
       "texture_3d width: the layout wants 9, the device has at most 8"},
      {StorageKind::kTexture3d,
       {1, 5, 1, 4},
       "texture_3d height: the layout wants 5, the device has at most 4"},
      {StorageKind::kTexture3d,
       {1, 1, 1, 9},
       "texture_3d depth: the layout wants 3, the device has at most 2"},
      {StorageKind::kImageBuffer, {1, 1, 100, 4}, ""},
      {StorageKind::kImageBuffer,
       {1, 1, 101, 4},
       "image_buffer texels: the layout wants 101, the device has at most 100"},
      {StorageKind::kBuffer, {1, 1, 256, 4}, ""},
      {StorageKind::kBuffer,
       {1, 1, 257, 4},
       "buffer bytes: the layout wants 4112, the device has at most 4096"},
  };
  for (const auto& test : cases) {
    const absl::Status status =
        Check(test.storage, DefaultActivationForm(test.storage), test.shape, 32,
              limits);
    EXPECT_EQ(status.message(), test.message);
    EXPECT_EQ(status.code(), test.message.empty()
                                 ? absl::StatusCode::kOk
                                 : absl::StatusCode::kOutOfRange);
  }
}

// A vocabulary is never a row of an image.
TEST(LimitsTest, VocabularyFallsBack) {
  const std::vector<int64_t> logits = {1, 1, 1, 256000};
  const std::vector<int64_t> head = {128256, 2048};
  EXPECT_FALSE(Check(StorageKind::kTexture2d, kHswbdc4, logits, 16, {}).ok());
  EXPECT_FALSE(Check(StorageKind::kTexture2d, kWeightsI4, head, 16, {}).ok());
  EXPECT_TRUE(Check(StorageKind::kBuffer, kDshwbc4, logits, 16, {}).ok());
}

}  // namespace
}  // namespace millrace::layout
