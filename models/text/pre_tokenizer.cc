// SPDX-License-Identifier: Apache-2.0
#include "models/text/pre_tokenizer.h"

#include <algorithm>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "base/status_macros.h"

namespace millrace::text {
namespace {

using checkpoints::Json;
using checkpoints::JsonFields;

// What ByteLevel with `use_regex` splits by: GPT-2's pattern.
constexpr char kByteLevelPattern[] =
    R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|)"
    R"(\s+(?!\S)|\s+)";

// A part of a text that a pattern matches, or that lies between two matches.
struct Part {
  size_t begin;
  size_t end;
  bool is_match;
};

absl::StatusOr<std::vector<Part>> PartsOf(const Regex& pattern,
                                          absl::string_view text, bool invert) {
  std::vector<Regex::Match> matches;
  MR_RETURN_IF_ERROR(pattern.FindAll(text, &matches));
  std::vector<Part> parts;
  size_t done = 0;
  for (const Regex::Match& match : matches) {
    if (match.begin > done) {
      parts.push_back({done, match.begin, invert});
    }
    parts.push_back({match.begin, match.end, !invert});
    done = match.end;
  }
  if (done < text.size()) {
    parts.push_back({done, text.size(), invert});
  }
  return parts;
}

// Joins each part to the one before it where `joins(before, part)`.
template <typename Joins>
std::vector<Part> Joined(const std::vector<Part>& parts, Joins joins) {
  std::vector<Part> joined;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (i > 0 && joins(parts[i - 1], parts[i])) {
      joined.back().end = parts[i].end;
    } else {
      joined.push_back(parts[i]);
    }
  }
  return joined;
}

}  // namespace

absl::StatusOr<PreTokenizer> PreTokenizer::Parse(const JsonFields& fields) {
  PreTokenizer result;
  if (fields.Find("pre_tokenizer") == nullptr) {
    return result;
  }
  MR_ASSIGN_OR_RETURN(JsonFields outer, fields.Object("pre_tokenizer"));
  MR_ASSIGN_OR_RETURN(std::string type, outer.String("type"));
  if (type != "Sequence") {
    MR_RETURN_IF_ERROR(result.Read(outer));
    return result;
  }
  MR_ASSIGN_OR_RETURN(const Json* steps, outer.Array("pretokenizers"));
  for (size_t i = 0; i < steps->size(); ++i) {
    MR_ASSIGN_OR_RETURN(
        JsonFields step,
        JsonFields::Of((*steps)[i],
                       absl::StrCat(outer.Where("pretokenizers"), ": ", i)));
    MR_RETURN_IF_ERROR(result.Read(step));
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
    return ReadDigits(step);
  }
  if (type == "Metaspace") {
    return ReadMetaspace(step);
  }
  return absl::UnimplementedError(absl::StrCat(
      step.Where("type"),
      ": wanted Split, Digits, Metaspace or ByteLevel, found '", type, "'"));
}

void PreTokenizer::AddSplit(Regex pattern, Behavior behavior, bool invert) {
  Step step;
  step.pattern = std::move(pattern);
  step.behavior = behavior;
  step.invert = invert;
  steps_.push_back(std::move(step));
}

absl::Status PreTokenizer::ReadSplit(const JsonFields& step) {
  constexpr std::pair<absl::string_view, Behavior> kBehaviors[] = {
      {"Removed", Behavior::kRemoved},
      {"Isolated", Behavior::kIsolated},
      {"Contiguous", Behavior::kContiguous},
      {"MergedWithPrevious", Behavior::kMergedWithPrevious},
      {"MergedWithNext", Behavior::kMergedWithNext},
  };
  MR_ASSIGN_OR_RETURN(std::string name, step.String("behavior"));
  MR_ASSIGN_OR_RETURN(bool invert, step.Bool("invert", false));
  MR_ASSIGN_OR_RETURN(Regex pattern, ReadPattern(step));
  for (const auto& [known, behavior] : kBehaviors) {
    if (name == known) {
      AddSplit(std::move(pattern), behavior, invert);
      return absl::OkStatus();
    }
  }
  return absl::UnimplementedError(
      absl::StrCat(step.Where("behavior"), ": wanted 'Isolated' or another ",
                   "known behavior, found '", name, "'"));
}

absl::Status PreTokenizer::ReadDigits(const JsonFields& step) {
  MR_ASSIGN_OR_RETURN(bool single, step.Bool("individual_digits", false));
  MR_ASSIGN_OR_RETURN(
      Regex regex, Regex::Compile(single ? "\\p{N}" : "\\p{N}+", step.where()));
  AddSplit(std::move(regex), Behavior::kIsolated);
  return absl::OkStatus();
}

absl::Status PreTokenizer::ReadMetaspace(const JsonFields& step) {
  Step marks;
  MR_ASSIGN_OR_RETURN(marks.mark, step.String("replacement"));
  MR_ASSIGN_OR_RETURN(const bool adds, step.Bool("add_prefix_space", true));
  MR_ASSIGN_OR_RETURN(const std::string scheme,
                      step.String("prepend_scheme", adds ? "always" : "never"));
  MR_ASSIGN_OR_RETURN(const bool splits, step.Bool("split", true));
  if (marks.mark.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat(step.Where("replacement"), ": wanted text, found none"));
  }
  if (scheme == "always") {
    marks.prepend = Prepend::kAlways;
  } else if (scheme == "first") {
    marks.prepend = Prepend::kFirst;
  } else if (scheme != "never") {
    return absl::UnimplementedError(
        absl::StrCat(step.Where("prepend_scheme"),
                     ": wanted always, first or never, found '", scheme, "'"));
  }
  MR_ASSIGN_OR_RETURN(
      Regex pattern,
      Regex::CompileLiteral(marks.mark, step.Where("replacement")));
  steps_.push_back(std::move(marks));
  if (splits) {
    AddSplit(std::move(pattern), Behavior::kMergedWithNext);
  }
  return absl::OkStatus();
}

absl::Status PreTokenizer::ReadByteLevel(const JsonFields& step) {
  has_byte_level_ = true;
  MR_ASSIGN_OR_RETURN(bool adds_space, step.Bool("add_prefix_space", true));
  MR_ASSIGN_OR_RETURN(bool use_regex, step.Bool("use_regex", true));
  if (adds_space) {
    Step marks;
    marks.mark = " ";
    marks.prepend = Prepend::kAlways;
    steps_.push_back(std::move(marks));
  }
  if (use_regex) {
    MR_ASSIGN_OR_RETURN(Regex regex,
                        Regex::Compile(kByteLevelPattern, step.where()));
    AddSplit(std::move(regex), Behavior::kIsolated);
  }
  return absl::OkStatus();
}

absl::Status PreTokenizer::Cut(const Step& step, absl::string_view piece,
                               Pieces* pieces) {
  MR_ASSIGN_OR_RETURN(std::vector<Part> parts,
                      PartsOf(*step.pattern, piece, step.invert));
  switch (step.behavior) {
    case Behavior::kIsolated:
      break;
    case Behavior::kRemoved:
      parts.erase(std::remove_if(parts.begin(), parts.end(),
                                 [](const Part& p) { return p.is_match; }),
                  parts.end());
      break;
    case Behavior::kContiguous:
      parts = Joined(parts, [](const Part& before, const Part& part) {
        return before.is_match == part.is_match;
      });
      break;
    case Behavior::kMergedWithPrevious:
      parts = Joined(parts, [](const Part& before, const Part& part) {
        return part.is_match && !before.is_match;
      });
      break;
    case Behavior::kMergedWithNext:
      parts = Joined(parts, [](const Part& before, const Part& part) {
        return before.is_match && !part.is_match;
      });
      break;
  }
  for (const Part& part : parts) {
    pieces->push_back(piece.substr(part.begin, part.end - part.begin));
  }
  return absl::OkStatus();
}

absl::string_view PreTokenizer::Mark(const Step& step, absl::string_view piece,
                                     bool at_start, Storage* storage) {
  std::string marked = absl::StrReplaceAll(piece, {{" ", step.mark}});
  const bool wanted = step.prepend == Prepend::kAlways ||
                      (step.prepend == Prepend::kFirst && at_start);
  if (wanted && !absl::StartsWith(marked, step.mark)) {
    marked.insert(0, step.mark);
  }
  storage->push_back(std::move(marked));
  return storage->back();
}

absl::StatusOr<std::vector<absl::string_view>> PreTokenizer::Split(
    absl::string_view text, bool at_start, Storage* storage) const {
  if (text.empty()) {
    return Pieces();
  }
  Pieces pieces = {text};
  for (const Step& step : steps_) {
    Pieces next;
    for (size_t i = 0; i < pieces.size(); ++i) {
      if (step.pattern.has_value()) {
        MR_RETURN_IF_ERROR(Cut(step, pieces[i], &next));
      } else {
        next.push_back(Mark(step, pieces[i], at_start && i == 0, storage));
      }
    }
    pieces = std::move(next);
  }
  return pieces;
}

}  // namespace millrace::text
