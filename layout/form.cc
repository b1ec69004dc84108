// SPDX-License-Identifier: Apache-2.0

#include "layout/form.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "base/status_macros.h"
#include "layout/axis.h"
#include "layout/form_parser.h"
#include "layout/layout.h"
#include "layout/storage.h"

namespace millrace::layout {
namespace {

constexpr NamedForm kForms[] = {
    {kPhwc4, "BDS, H, W | C4", "slice planes of height x width, channels by 4"},
    {kHswbdc4, "HS, WBD | C4", "2D: rows are H, so that H clamps to zero"},
    {kDshwbc4, "DS, H, WB | C4", "3D: one layer a slice, and linear memory"},
    {kRowMajor, "BGOHWDIC", "elements one by one in the order of the axes"},
    {kLinear, "S | C4", "a vector along C"},
    {kWeightsI4, "GSO, HWD SI Og O4 | I4",
     "lanes along I: a dot product a lane vector"},
    {kWeightsO4, "GSO, HWD SI Og I4 | O4",
     "lanes along O: a multiply-add a lane vector"},
    {kWeightsO4I4, "GSO, HWD SI Og | O4 I4",
     "4x4 blocks in one vector of 16, O-major: dot products"},
    {kWeightsI4O4, "GSO, HWD SI Og | I4 O4",
     "4x4 blocks in one vector of 16, I-major: multiply-adds"},
    {kWeightsO16, "GO/16, HWD I | O%16",
     "lanes along 16 outputs: wide multiply-adds, for processors"},
    {kFourTexturesO4, "I4: GSO, HWD SI Og | O4",
     "one object for each I mod 4, lanes along O"},
    {kFourTexturesI4, "O4: GSO, HWD SI Og | I4",
     "one object for each O mod 4, lanes along I"},
};

bool Names(const Form& form, absl::string_view letters) {
  const auto names = [&](const Digits& digits) {
    for (const Digit& digit : digits) {
      if (letters.find(AxisLetter(digit.axis)) != absl::string_view::npos) {
        return true;
      }
    }
    return false;
  };
  for (const Digits& slot : form.slots) {
    if (names(slot)) {
      return true;
    }
  }
  return names(form.object) || names(form.lane);
}

// The axes of `rank`, or an empty text if there is no such tensor.
absl::string_view AxisLetters(bool activation, bool weight, int rank) {
  constexpr absl::string_view kActivations[] = {"",     "C",     "", "",
                                                "BHWC", "BHWDC", ""};
  constexpr absl::string_view kWeights[] = {"",     "",      "OI",    "GOI",
                                            "OHWI", "OHWDI", "GOHWDI"};
  if (rank < 0 || rank > 6) {
    return "";
  }
  if (activation && !kActivations[rank].empty()) {
    return kActivations[rank];
  }
  return weight ? kWeights[rank] : "";
}

// The digits of axes that the tensor has, with their extents. A digit that is
// cut to a whole number of `kRest` is at least 1.
Digits Instantiate(const Digits& digits, const Layout& layout) {
  Digits result;
  for (Digit digit : digits) {
    const std::optional<int> position = layout.AxisPosition(digit.axis);
    if (!position.has_value()) {
      continue;
    }
    if (digit.extent == kRest) {
      const int64_t extent = layout.shape[*position];
      digit.extent = extent / digit.divisor + (extent % digit.divisor != 0);
    }
    result.push_back(digit);
  }
  return result;
}

void PlaceSlots(const Form& form, Layout& layout) {
  Digits* const coordinates[] = {&layout.x, &layout.y, &layout.z};
  const size_t dimensions = StorageDimensions(layout.storage);
  for (size_t i = 0; i < form.slots.size(); ++i) {
    const size_t wanted = form.slots.size() - 1 - i;
    Digits& coordinate = *coordinates[std::min(wanted, dimensions - 1)];
    const Digits digits = Instantiate(form.slots[i], layout);
    coordinate.insert(coordinate.end(), digits.begin(), digits.end());
  }
}

}  // namespace

absl::Span<const NamedForm> NamedForms() { return kForms; }

absl::string_view DefaultActivationForm(StorageKind storage) {
  return storage == StorageKind::kTexture2d ? kHswbdc4 : kDshwbc4;
}

absl::StatusOr<Form> GetForm(absl::string_view name_or_text, int64_t og) {
  absl::string_view text = name_or_text;
  for (const NamedForm& form : kForms) {
    if (form.name == name_or_text) {
      text = form.text;
    }
  }
  absl::StatusOr<Form> form = ParseForm(text, og);
  if (!form.ok()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "layout form '", name_or_text, "': ", form.status().message()));
  }
  form->name = std::string(name_or_text);
  return form;
}

absl::StatusOr<std::vector<Axis>> AxesOf(const Form& form, int rank) {
  const absl::string_view letters =
      AxisLetters(Names(form, "C"), Names(form, "OI"), rank);
  if (letters.empty() && rank != 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        "layout form '", form.name, "' does not fit a tensor of rank ", rank));
  }
  std::vector<Axis> axes;
  for (char letter : letters) {
    axes.push_back(*AxisFromLetter(letter));
  }
  return axes;
}

absl::StatusOr<Layout> MakeLayout(StorageKind storage, const Form& form,
                                  absl::Span<const Axis> axes,
                                  absl::Span<const int64_t> shape) {
  Layout layout;
  layout.storage = storage;
  layout.axes.assign(axes.begin(), axes.end());
  layout.shape.assign(shape.begin(), shape.end());
  if (axes.size() == shape.size()) {
    layout.object = Instantiate(form.object, layout);
    PlaceSlots(form, layout);
    layout.lane = Instantiate(form.lane, layout);
  }
  const absl::Status status = layout.Validate();
  if (!status.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("layout form '", form.name, "': ", status.message()));
  }
  return layout;
}

absl::StatusOr<Layout> MakeLayout(StorageKind storage,
                                  absl::string_view name_or_text,
                                  absl::Span<const int64_t> shape, int64_t og) {
  MR_ASSIGN_OR_RETURN(const Form form, GetForm(name_or_text, og));
  MR_ASSIGN_OR_RETURN(const std::vector<Axis> axes,
                      AxesOf(form, static_cast<int>(shape.size())));
  return MakeLayout(storage, form, axes, shape);
}

}  // namespace millrace::layout
