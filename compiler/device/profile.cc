// SPDX-License-Identifier: Apache-2.0
#include "compiler/device/profile.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "layout/form.h"

namespace millrace::device {

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

absl::StatusOr<DeviceProfile> WithWeightForm(DeviceProfile profile,
                                             absl::string_view form) {
  constexpr absl::string_view kBufferForms[] = {
      layout::kWeightsI4, layout::kWeightsO4, layout::kWeightsO4I4,
      layout::kWeightsI4O4};
  constexpr absl::string_view kTextureForms[] = {layout::kFourTexturesO4,
                                                 layout::kFourTexturesI4};
  for (absl::string_view known : kBufferForms) {
    if (form == known) {
      profile.weight = {layout::StorageKind::kBuffer, std::string(form)};
      return profile;
    }
  }
  for (absl::string_view known : kTextureForms) {
    if (form == known) {
      profile.weight = {layout::StorageKind::kTexture2d, std::string(form)};
      return profile;
    }
  }
  return absl::InvalidArgumentError(
      absl::StrCat("no weight form '", form, "'; there are ",
                   absl::StrJoin(kBufferForms, ", "), ", ",
                   absl::StrJoin(kTextureForms, ", ")));
}

}  // namespace millrace::device
