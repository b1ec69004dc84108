// SPDX-License-Identifier: Apache-2.0
#include "models/text/normalizer.h"

#include <cstdlib>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "utf8proc.h"

namespace millrace::text {
namespace {

using checkpoints::Json;
using checkpoints::JsonFields;

// utf8proc's options for a normal form; nullopt for any other name.
std::optional<int> NormalForm(absl::string_view type) {
  constexpr std::pair<absl::string_view, int> kForms[] = {
      {"NFC", UTF8PROC_COMPOSE},
      {"NFD", UTF8PROC_DECOMPOSE},
      {"NFKC", UTF8PROC_COMPOSE | UTF8PROC_COMPAT},
      {"NFKD", UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT},
  };
  for (const auto& [name, options] : kForms) {
    if (type == name) {
      return options | UTF8PROC_STABLE;
    }
  }
  return std::nullopt;
}

absl::StatusOr<std::string> InNormalForm(absl::string_view text, int options) {
  utf8proc_uint8_t* mapped = nullptr;
  const utf8proc_ssize_t size =
      utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                   static_cast<utf8proc_ssize_t>(text.size()), &mapped,
                   static_cast<utf8proc_option_t>(options));
  if (size < 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("text: not normalised: ", utf8proc_errmsg(size)));
  }
  const std::unique_ptr<utf8proc_uint8_t, void (*)(void*)> owner(mapped,
                                                                 std::free);
  return std::string(reinterpret_cast<const char*>(mapped),
                     static_cast<size_t>(size));
}

// `text` with each match of `pattern` as `content`.
absl::StatusOr<std::string> Replaced(absl::string_view text,
                                     const Regex& pattern,
                                     absl::string_view content) {
  std::vector<Regex::Match> matches;
  MR_RETURN_IF_ERROR(pattern.FindAll(text, &matches));
  std::string result;
  size_t done = 0;
  for (const Regex::Match& match : matches) {
    absl::StrAppend(&result, text.substr(done, match.begin - done), content);
    done = match.end;
  }
  absl::StrAppend(&result, text.substr(done));
  return result;
}

}  // namespace

absl::StatusOr<Normalizer> Normalizer::Parse(const JsonFields& fields) {
  Normalizer normalizer;
  if (fields.Find("normalizer") != nullptr) {
    MR_ASSIGN_OR_RETURN(const JsonFields step, fields.Object("normalizer"));
    MR_RETURN_IF_ERROR(normalizer.Read(step));
  }
  return normalizer;
}

absl::Status Normalizer::Read(const JsonFields& step) {
  MR_ASSIGN_OR_RETURN(const std::string type, step.String("type"));
  if (const std::optional<int> options = NormalForm(type)) {
    steps_.push_back({Step::kUnicode, *options, "", std::nullopt});
    return absl::OkStatus();
  }
  if (type == "Prepend") {
    MR_ASSIGN_OR_RETURN(std::string text, step.String("prepend"));
    steps_.push_back({Step::kPrepend, 0, std::move(text), std::nullopt});
    return absl::OkStatus();
  }
  if (type == "Replace") {
    return ReadReplace(step);
  }
  if (type != "Sequence") {
    return absl::UnimplementedError(absl::StrCat(
        step.where(), ": wanted NFC, NFD, NFKC, NFKD, Prepend, Replace or a ",
        "Sequence, found '", type, "'"));
  }
  MR_ASSIGN_OR_RETURN(const Json* steps, step.Array("normalizers"));
  for (size_t i = 0; i < steps->size(); ++i) {
    MR_ASSIGN_OR_RETURN(
        const JsonFields inner,
        JsonFields::Of((*steps)[i],
                       absl::StrCat(step.Where("normalizers"), ": ", i)));
    MR_RETURN_IF_ERROR(Read(inner));
  }
  return absl::OkStatus();
}

absl::Status Normalizer::ReadReplace(const JsonFields& step) {
  MR_ASSIGN_OR_RETURN(std::string content, step.String("content"));
  MR_ASSIGN_OR_RETURN(Regex pattern, ReadPattern(step));
  steps_.push_back({Step::kReplace, 0, std::move(content), std::move(pattern)});
  return absl::OkStatus();
}

absl::StatusOr<std::string> Normalizer::Apply(absl::string_view text) const {
  std::string result(text);
  for (const Step& step : steps_) {
    if (step.kind == Step::kUnicode) {
      MR_ASSIGN_OR_RETURN(result, InNormalForm(result, step.unicode_options));
    } else if (step.kind == Step::kReplace) {
      MR_ASSIGN_OR_RETURN(result,
                          Replaced(result, *step.pattern, step.content));
    } else if (!result.empty()) {
      result.insert(0, step.content);
    }
  }
  return result;
}

}  // namespace millrace::text
