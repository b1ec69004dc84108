// SPDX-License-Identifier: Apache-2.0
#include "models/text/pre_tokenizer.h"

#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"

namespace millrace::text {
namespace {

using checkpoints::Json;
using checkpoints::JsonFields;

// What ByteLevel with `use_regex` splits by: GPT-2's pattern.
constexpr char kByteLevelPattern[] =
    R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|)"
    R"(\s+(?!\S)|\s+)";

using Pieces = std::vector<absl::string_view>;

absl::StatusOr<Pieces> SplitEach(const std::vector<Regex>& regexes,
                                 Pieces pieces) {
  for (const Regex& regex : regexes) {
    Pieces finer;
    for (absl::string_view piece : pieces) {
      MR_RETURN_IF_ERROR(regex.Split(piece, &finer));
    }
    pieces = std::move(finer);
  }
  return pieces;
}

// Puts a space in front of each piece that has none, in `storage`.
Pieces WithSpaces(const Pieces& pieces, std::string* storage) {
  std::vector<std::pair<size_t, size_t>> spans;
  storage->clear();
  for (absl::string_view piece : pieces) {
    const size_t begin = storage->size();
    absl::StrAppend(storage, absl::StartsWith(piece, " ") ? "" : " ", piece);
    spans.emplace_back(begin, storage->size() - begin);
  }
  Pieces spaced;
  for (const auto& [begin, length] : spans) {
    spaced.push_back(absl::string_view(*storage).substr(begin, length));
  }
  return spaced;
}

}  // namespace

absl::StatusOr<PreTokenizer> PreTokenizer::Parse(const JsonFields& fields) {
  PreTokenizer result;
  MR_ASSIGN_OR_RETURN(JsonFields outer, fields.Object("pre_tokenizer"));
  MR_ASSIGN_OR_RETURN(std::string type, outer.String("type"));
  if (type != "Sequence") {
    MR_RETURN_IF_ERROR(result.Read(outer));
  } else {
    MR_ASSIGN_OR_RETURN(const Json* steps, outer.Array("pretokenizers"));
    for (size_t i = 0; i < steps->size(); ++i) {
      MR_ASSIGN_OR_RETURN(
          JsonFields step,
          JsonFields::Of((*steps)[i],
                         absl::StrCat(outer.Where("pretokenizers"), ": ", i)));
      MR_RETURN_IF_ERROR(result.Read(step));
    }
  }
  if (!result.has_byte_level_) {
    return absl::UnimplementedError(absl::StrCat(
        outer.where(), ": wanted a byte-level tokenizer, found no ByteLevel"));
  }
  return result;
}

absl::Status PreTokenizer::Read(const JsonFields& step) {
  MR_ASSIGN_OR_RETURN(std::string type, step.String("type"));
  if (has_byte_level_) {
    return absl::UnimplementedError(absl::StrCat(
        step.where(), ": wanted ByteLevel to be the last, found '", type, "'"));
  }
  if (type == "Split") {
    return ReadSplit(step);
  }
  if (type == "ByteLevel") {
    return ReadByteLevel(step);
  }
  if (type == "Digits") {
    MR_ASSIGN_OR_RETURN(bool single, step.Bool("individual_digits", false));
    MR_ASSIGN_OR_RETURN(
        Regex regex,
        Regex::Compile(single ? "\\p{N}" : "\\p{N}+", step.where()));
    before_space_.push_back(std::move(regex));
    return absl::OkStatus();
  }
  return absl::UnimplementedError(
      absl::StrCat(step.Where("type"),
                   ": wanted Split, Digits or ByteLevel, found '", type, "'"));
}

absl::Status PreTokenizer::ReadSplit(const JsonFields& step) {
  MR_ASSIGN_OR_RETURN(std::string behavior, step.String("behavior"));
  MR_ASSIGN_OR_RETURN(bool invert, step.Bool("invert", false));
  // With this behaviour, matches and what lies between are treated alike, so
  // `invert` changes nothing.
  if (behavior != "Isolated") {
    return absl::UnimplementedError(
        absl::StrCat(step.Where("behavior"), ": wanted 'Isolated', found '",
                     behavior, "'", invert ? ", inverted" : ""));
  }
  MR_ASSIGN_OR_RETURN(JsonFields pattern, step.Object("pattern"));
  const bool is_regex = pattern.Find("Regex") != nullptr;
  const char* key = is_regex ? "Regex" : "String";
  MR_ASSIGN_OR_RETURN(std::string text, pattern.String(key));
  MR_ASSIGN_OR_RETURN(
      Regex regex, is_regex ? Regex::Compile(text, pattern.Where(key))
                            : Regex::CompileLiteral(text, pattern.Where(key)));
  before_space_.push_back(std::move(regex));
  return absl::OkStatus();
}

absl::Status PreTokenizer::ReadByteLevel(const JsonFields& step) {
  has_byte_level_ = true;
  MR_ASSIGN_OR_RETURN(add_prefix_space_, step.Bool("add_prefix_space", true));
  MR_ASSIGN_OR_RETURN(bool use_regex, step.Bool("use_regex", true));
  if (use_regex) {
    MR_ASSIGN_OR_RETURN(Regex regex,
                        Regex::Compile(kByteLevelPattern, step.where()));
    after_space_.push_back(std::move(regex));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<absl::string_view>> PreTokenizer::Split(
    absl::string_view text, std::string* storage) const {
  if (text.empty()) {
    return Pieces();
  }
  MR_ASSIGN_OR_RETURN(Pieces pieces, SplitEach(before_space_, {text}));
  if (add_prefix_space_) {
    pieces = WithSpaces(pieces, storage);
  }
  return SplitEach(after_space_, std::move(pieces));
}

}  // namespace millrace::text
