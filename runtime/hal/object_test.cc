// SPDX-License-Identifier: Apache-2.0
#include "runtime/hal/object.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace millrace::hal {
namespace {

TEST(ObjectTest, ByteSizes) {
  EXPECT_EQ(*ByteSize(BufferDesc("b", ScalarType::kF16, 10)), 20);
  EXPECT_EQ(*ByteSize(BufferDesc("b", ScalarType::kU8, 10)), 10);
  const ObjectDesc array =
      ImageDesc("t", ObjectKind::kTextureArray, ScalarType::kF16, 7, 5, 3);
  EXPECT_EQ(*ByteSize(array), 7 * 5 * 3 * 8);
  EXPECT_EQ(UnitBytes(array), 8);
}

TEST(ObjectTest, RefusesExtentsTheKindHasNot) {
  const ScalarType f32 = ScalarType::kF32;
  EXPECT_FALSE(
      ByteSize(ImageDesc("t", ObjectKind::kImageBuffer, f32, 4, 2)).ok());
  EXPECT_FALSE(
      ByteSize(ImageDesc("t", ObjectKind::kTexture2d, f32, 4, 2, 2)).ok());
  EXPECT_FALSE(ByteSize(ImageDesc("t", ObjectKind::kTexture2d, f32, 0)).ok());
  EXPECT_FALSE(
      ByteSize(ImageDesc("t", ObjectKind::kTexture2d, ScalarType::kU8, 4))
          .ok());
}

TEST(ObjectTest, RefusesOverflow) {
  const int64_t big = int64_t{1} << 31;
  const auto size = ByteSize(
      ImageDesc("t", ObjectKind::kTexture3d, ScalarType::kF32, big, big, big));
  EXPECT_EQ(size.status().message(),
            "texture_3d 't' of 2147483648 x 2147483648 x 2147483648 f32 "
            "texels: its size overflows 64 bits");
}

TEST(ObjectTest, DescribesInOnePhrase) {
  EXPECT_EQ(Describe(ImageDesc("wq", ObjectKind::kTexture2d, ScalarType::kF16,
                               64, 24)),
            "texture_2d 'wq' of 64 x 24 f16 texels");
  EXPECT_EQ(Describe(BufferDesc("arena", ScalarType::kU8, 100)),
            "buffer 'arena' of 100 u8");
}

}  // namespace
}  // namespace millrace::hal
