// SPDX-License-Identifier: Apache-2.0
#include "compiler/device/profile.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "layout/form.h"

namespace millrace::device {
namespace {

TEST(ProfileTest, EveryProfileNamesFormsThatFitItsStorages) {
  for (const DeviceProfile& profile : Profiles()) {
    const int64_t activation[] = {1, 3, 5, 7};
    const int64_t weight[] = {10, 7};
    const int64_t cache[] = {2, 10, 7};
    EXPECT_TRUE(layout::MakeLayout(profile.activation.storage,
                                   profile.activation.form, activation)
                    .ok())
        << profile.name;
    EXPECT_TRUE(layout::MakeLayout(profile.weight.storage, profile.weight.form,
                                   weight, profile.weight.group)
                    .ok())
        << profile.name;
    for (const Placement& placement :
         {profile.key_cache, profile.value_cache}) {
      EXPECT_TRUE(
          layout::MakeLayout(placement.storage, placement.form, cache).ok())
          << profile.name;
    }
  }
}

TEST(ProfileTest, GroupsFitTheDevice) {
  for (const DeviceProfile& profile : Profiles()) {
    EXPECT_LE(profile.reduce_items, profile.max_group_items) << profile.name;
    EXPECT_LE(profile.linear_vector.items * profile.linear_vector.split,
              profile.max_group_items)
        << profile.name;
    EXPECT_LE(
        profile.linear_matrix.group_tokens * profile.linear_matrix.group_slices,
        profile.max_group_items)
        << profile.name;
  }
}

TEST(ProfileTest, UnknownNamesAreOneLine) {
  EXPECT_THAT(FindProfile("toaster").status().message(),
              testing::StartsWith("no device profile 'toaster'; there are "
                                  "generic, pocl-cpu, nvidia-sm90"));
  EXPECT_THAT(WithWeightForm(Profiles()[0], "LINEAR").status().message(),
              testing::HasSubstr("no weight form 'LINEAR'"));
}

TEST(ProfileTest, OverridesReplaceThePlacement) {
  const DeviceProfile profile =
      WithActivationStorage(Profiles()[0], layout::StorageKind::kTexture2d);
  EXPECT_EQ(profile.activation.form, "HSWBDC4");
  const auto textures = WithWeightForm(Profiles()[0], layout::kFourTexturesI4);
  ASSERT_TRUE(textures.ok());
  EXPECT_EQ(textures->weight.storage, layout::StorageKind::kTexture2d);
}

}  // namespace
}  // namespace millrace::device
