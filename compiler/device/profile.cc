// SPDX-License-Identifier: Apache-2.0
#include "compiler/device/profile.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "layout/form.h"

namespace millrace::device {
namespace {

constexpr absl::string_view kWeightForms[] = {
    layout::kWeightsI4,      layout::kWeightsO4,  layout::kWeightsO4I4,
    layout::kWeightsI4O4,    layout::kWeightsO16, layout::kFourTexturesO4,
    layout::kFourTexturesI4,
};

}  // namespace

absl::StatusOr<DeviceProfile> FindProfile(absl::string_view name) {
  std::vector<std::string> names;
  for (const DeviceProfile& profile : Profiles()) {
    if (profile.name == name) {
      return profile;
    }
    names.push_back(profile.name);
  }
  return absl::NotFoundError(absl::StrCat("no device profile '", name,
                                          "'; there are ",
                                          absl::StrJoin(names, ", ")));
}

DeviceProfile WithActivationStorage(DeviceProfile profile,
                                    layout::StorageKind storage) {
  profile.activation = {storage,
                        std::string(layout::DefaultActivationForm(storage))};
  return profile;
}

absl::Span<const absl::string_view> WeightForms() { return kWeightForms; }

absl::StatusOr<DeviceProfile> WithWeightForm(DeviceProfile profile,
                                             absl::string_view form) {
  if (std::find(std::begin(kWeightForms), std::end(kWeightForms), form) ==
      std::end(kWeightForms)) {
    return absl::InvalidArgumentError(
        absl::StrCat("no weight form '", form, "'; there are ",
                     absl::StrJoin(kWeightForms, ", ")));
  }
  const bool in_textures =
      form == layout::kFourTexturesO4 || form == layout::kFourTexturesI4;
  profile.weight = {in_textures ? layout::StorageKind::kTexture2d
                                : layout::StorageKind::kBuffer,
                    std::string(form)};
  return profile;
}

}  // namespace millrace::device
