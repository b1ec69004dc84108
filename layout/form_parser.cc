// SPDX-License-Identifier: Apache-2.0

#include "layout/form_parser.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "base/status_macros.h"
#include "layout/axis.h"
#include "layout/form.h"
#include "layout/layout.h"

namespace millrace::layout {
namespace {

// Slices, tiles and groups above this are a mistake.
constexpr int64_t kMaxFactor = 1 << 20;
constexpr size_t kAxisCount = 8;

// How the divisor of a digit that is not yet a number follows from the others.
enum class Place { kNumbered, kSlices, kGroup };

struct Token {
  Place place = Place::kNumbered;
  Digit digit = {Axis::kC, 1, kRest};
};

// Reads the tokens of one section of a form.
class Scanner {
 public:
  explicit Scanner(absl::string_view text) : text_(text) {}

  absl::StatusOr<std::vector<Token>> Scan() {
    std::vector<Token> tokens;
    for (SkipBlanks(); position_ < text_.size(); SkipBlanks()) {
      MR_ASSIGN_OR_RETURN(const Token token, ScanToken());
      tokens.push_back(token);
    }
    return tokens;
  }

 private:
  char Peek() const {
    return position_ < text_.size() ? text_[position_] : '\0';
  }

  void SkipBlanks() {
    while (Peek() == ' ' || Peek() == '.') {
      ++position_;
    }
  }

  absl::Status Error(absl::string_view wanted) const {
    return absl::InvalidArgumentError(
        absl::StrCat("wanted ", wanted, " at character ", position_ + 1,
                     " of '", text_, "'"));
  }

  absl::StatusOr<int64_t> ScanNumber() {
    int64_t number = 0;
    const size_t start = position_;
    while (absl::ascii_isdigit(Peek()) && number <= kMaxFactor) {
      number = number * 10 + (text_[position_++] - '0');
    }
    if (position_ == start || number < 1 || number > kMaxFactor) {
      return Error(absl::StrCat("a number from 1 to ", kMaxFactor));
    }
    return number;
  }

  absl::StatusOr<Token> ScanToken() {
    if (Peek() == 'S') {
      return ScanSlices();
    }
    const std::optional<Axis> axis = AxisFromLetter(Peek());
    if (!axis.has_value()) {
      return Error("an axis (B H W D C G O I or S)");
    }
    ++position_;
    Token token;
    token.digit.axis = *axis;
    if (Peek() == 'g') {
      ++position_;
      token.place = Place::kGroup;
    } else if (absl::ascii_isdigit(Peek())) {
      return ScanExtent(token);
    } else if (Peek() == '%') {
      ++position_;
      return ScanExtent(token);
    } else if (Peek() == '/') {
      return ScanDivisor(token);
    }
    return token;
  }

  absl::StatusOr<Token> ScanSlices() {
    ++position_;
    Token token;
    token.place = Place::kSlices;
    if (Peek() == 'O' || Peek() == 'I' || Peek() == 'C') {
      token.digit.axis = *AxisFromLetter(text_[position_++]);
    }
    return token;
  }

  absl::StatusOr<Token> ScanDivisor(Token token) {
    ++position_;
    MR_ASSIGN_OR_RETURN(token.digit.divisor, ScanNumber());
    if (Peek() != '%') {
      return token;
    }
    ++position_;
    return ScanExtent(token);
  }

  absl::StatusOr<Token> ScanExtent(Token token) {
    MR_ASSIGN_OR_RETURN(token.digit.extent, ScanNumber());
    return token;
  }

  absl::string_view text_;
  size_t position_ = 0;
};

// What the slices of an axis are cut by, found from the rest of the form.
struct AxisCuts {
  int64_t slice = 0;  // of A<n>; 0: there is none
  bool has_group = false;
};
using Cuts = std::array<AxisCuts, kAxisCount>;

AxisCuts& CutsOf(Cuts& cuts, Axis axis) {
  return cuts[static_cast<size_t>(axis)];
}

void CollectCuts(const std::vector<Token>& tokens, Cuts& cuts) {
  for (const Token& token : tokens) {
    AxisCuts& axis = CutsOf(cuts, token.digit.axis);
    if (token.place == Place::kGroup) {
      axis.has_group = true;
    }
    const bool is_slice = token.place == Place::kNumbered &&
                          token.digit.divisor == 1 &&
                          token.digit.extent != kRest;
    if (is_slice) {
      axis.slice = token.digit.extent;
    }
  }
}

absl::StatusOr<Digits> Resolve(const std::vector<Token>& tokens, int64_t og,
                               Cuts& cuts) {
  Digits digits;
  for (const Token& token : tokens) {
    Digit digit = token.digit;
    const AxisCuts& axis = CutsOf(cuts, digit.axis);
    if (token.place != Place::kNumbered && axis.slice == 0) {
      const std::string letter(1, AxisLetter(digit.axis));
      return absl::InvalidArgumentError(absl::StrCat(
          "slices of ", letter, " without their width, such as ", letter, "4"));
    }
    if (token.place == Place::kGroup) {
      digit.divisor = axis.slice;
      digit.extent = og;
    } else if (token.place == Place::kSlices) {
      digit.divisor = axis.slice * (axis.has_group ? og : 1);
    }
    digits.push_back(digit);
  }
  return digits;
}

// The sections of a form as text.
struct Sections {
  absl::string_view object;
  std::vector<absl::string_view> slots;
  absl::string_view lane;
};

absl::StatusOr<Sections> SplitSections(absl::string_view text) {
  Sections sections;
  std::vector<absl::string_view> parts = absl::StrSplit(text, '|');
  if (parts.size() > 2) {
    return absl::InvalidArgumentError(
        "wanted at most one '|' before the lanes");
  }
  if (parts.size() == 2) {
    sections.lane = parts[1];
  }
  parts = absl::StrSplit(parts[0], ':');
  if (parts.size() > 2) {
    return absl::InvalidArgumentError(
        "wanted at most one ':' after the objects");
  }
  if (parts.size() == 2) {
    sections.object = parts[0];
  }
  sections.slots = absl::StrSplit(parts.back(), ',');
  if (sections.slots.size() > 3) {
    return absl::InvalidArgumentError(absl::StrCat(
        "wanted one to three slots, found ", sections.slots.size()));
  }
  return sections;
}

}  // namespace

absl::StatusOr<Form> ParseForm(absl::string_view text, int64_t og) {
  if (og < 1 || og > kMaxFactor) {
    return absl::InvalidArgumentError(
        absl::StrCat("wanted og from 1 to ", kMaxFactor, ", found ", og));
  }
  MR_ASSIGN_OR_RETURN(const Sections sections, SplitSections(text));

  std::vector<absl::string_view> texts = sections.slots;
  texts.push_back(sections.object);
  texts.push_back(sections.lane);
  std::vector<std::vector<Token>> tokens;
  Cuts cuts;
  for (absl::string_view section : texts) {
    MR_ASSIGN_OR_RETURN(std::vector<Token> scanned, Scanner(section).Scan());
    CollectCuts(scanned, cuts);
    tokens.push_back(std::move(scanned));
  }
  bool has_group = false;
  for (const AxisCuts& axis : cuts) {
    has_group |= axis.has_group;
  }
  if (og != 1 && !has_group) {
    return absl::InvalidArgumentError(
        absl::StrCat("takes no og, found og = ", og));
  }

  std::vector<Digits> resolved;
  for (const std::vector<Token>& section : tokens) {
    MR_ASSIGN_OR_RETURN(Digits digits, Resolve(section, og, cuts));
    resolved.push_back(std::move(digits));
  }
  Form form;
  form.name = std::string(text);
  form.lane = resolved.back();
  resolved.pop_back();
  form.object = resolved.back();
  resolved.pop_back();
  form.slots = std::move(resolved);
  return form;
}

}  // namespace millrace::layout
