// SPDX-License-Identifier: Apache-2.0
//
// Forms: orders of axes, before a tensor's extents are known. A form applied to
// a storage and a shape is a layout. Forms are data, written in the paper's
// letters:
//
//   form   := [ digits ":" ] slot { "," slot } [ "|" digits ]
//             objects        z, y, x              lanes
//   slot   := digits, the most significant first; blanks and dots are ignored
//   digit  := A        the whole axis A, one of B H W D C G O I
//           | A<n>     A mod n: an element within a slice of n (C4, O4, I4)
//           | SA       the slices of A: what A<n> leaves (a bare S is SC)
//           | Ag       the lowest `og` (a parameter) slices of A, as in Og;
//                      SA is then what both leave
//           | A/<d>    A floordiv d, whatever the rest of the form
//           | A%<n>, A/<d>%<n>   A mod n, (A floordiv d) mod n
//
// "HS, WBD | C4" is HSWBDC4: y = (H, S), x = (W, B, D), lane = C mod 4. A
// storage with fewer coordinates than the form has slots gets the leading slots
// joined: a buffer has x = (H, S, W, B, D). A digit of an axis that the tensor
// lacks is left out, so that one form serves BHWC and BHWDC, OI and OHWDI.

#ifndef MILLRACE_LAYOUT_FORM_H_
#define MILLRACE_LAYOUT_FORM_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "layout/axis.h"
#include "layout/layout.h"
#include "layout/storage.h"

namespace millrace::layout {

// A digit of extent kRest counts as far as its axis goes.
inline constexpr int64_t kRest = 0;

struct Form {
  std::string name;  // as it was asked for, for messages
  Digits object;
  std::vector<Digits> slots;  // z, y, x; one to three
  Digits lane;
};

// A form with a name of its own.
struct NamedForm {
  absl::string_view name;
  absl::string_view text;
  absl::string_view summary;
};

// Activations.
inline constexpr absl::string_view kPhwc4 = "PHWC4";
inline constexpr absl::string_view kHswbdc4 = "HSWBDC4";
inline constexpr absl::string_view kDshwbc4 = "DSHWBC4";
// Any tensor: elements one by one in the order of its axes (buffers only).
inline constexpr absl::string_view kRowMajor = "ROW_MAJOR";
// Vectors along C, such as the weights of a norm.
inline constexpr absl::string_view kLinear = "LINEAR";
// Weights, permutations of (G, S_O, O4, HWD, S_I, I4); each takes `og`, but for
// O16, whose lanes are 16 outputs of one input.
inline constexpr absl::string_view kWeightsI4 = "WEIGHTS_I4";
inline constexpr absl::string_view kWeightsO4 = "WEIGHTS_O4";
inline constexpr absl::string_view kWeightsO4I4 = "WEIGHTS_O4I4";
inline constexpr absl::string_view kWeightsI4O4 = "WEIGHTS_I4O4";
inline constexpr absl::string_view kWeightsO16 = "WEIGHTS_O16";
inline constexpr absl::string_view kFourTexturesO4 = "FOUR_TEXTURES_O4";
inline constexpr absl::string_view kFourTexturesI4 = "FOUR_TEXTURES_I4";

absl::Span<const NamedForm> NamedForms();

// The form that a storage of activations has unless there is a reason:
// HSWBDC4 for 2D textures, DSHWBC4 for all else.
absl::string_view DefaultActivationForm(StorageKind storage);

// A form by its name, or by its text in the grammar above. `og` is the number
// of output slices that lie next to each other for one input slice; only a form
// with a digit Ag takes a value other than 1.
absl::StatusOr<Form> GetForm(absl::string_view name_or_text, int64_t og = 1);

// The axes of a tensor of `rank` that `form` places: BHWC, BHWDC or C for one
// that names C; OI, GOI, OHWI, OHWDI or GOHWDI for one that names O or I. A
// form that names both, as row-major does, takes ranks 4 and 5 for activations,
// 2, 3 and 6 for weights. Rank 0 has none.
absl::StatusOr<std::vector<Axis>> AxesOf(const Form& form, int rank);

// `form` applied to a tensor with one extent for each of `axes`. Errors: a form
// that leaves an axis out or cuts it wrongly, lanes that the storage lacks,
// extents below 1.
absl::StatusOr<Layout> MakeLayout(StorageKind storage, const Form& form,
                                  absl::Span<const Axis> axes,
                                  absl::Span<const int64_t> shape);

// The three steps above in one.
absl::StatusOr<Layout> MakeLayout(StorageKind storage,
                                  absl::string_view name_or_text,
                                  absl::Span<const int64_t> shape,
                                  int64_t og = 1);

}  // namespace millrace::layout

#endif  // MILLRACE_LAYOUT_FORM_H_
