// SPDX-License-Identifier: Apache-2.0
#include "models/text/token_decoder.h"

#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "base/status_macros.h"

namespace millrace::text {

using checkpoints::Json;
using checkpoints::JsonFields;

std::optional<uint8_t> ByteOfSpelling(absl::string_view spelling) {
  uint32_t value = 0;
  if (spelling.size() != 6 || !absl::StartsWith(spelling, "<0x") ||
      spelling[5] != '>' ||
      !absl::SimpleHexAtoi(spelling.substr(3, 2), &value)) {
    return std::nullopt;
  }
  return static_cast<uint8_t>(value);
}

absl::StatusOr<TokenDecoder> TokenDecoder::Parse(const JsonFields& fields) {
  TokenDecoder decoder;
  MR_ASSIGN_OR_RETURN(const JsonFields outer, fields.Object("decoder"));
  MR_ASSIGN_OR_RETURN(const std::string type, outer.String("type"));
  if (type == "ByteLevel") {
    decoder.byte_level_ = true;
    return decoder;
  }
  if (type != "Sequence") {
    MR_RETURN_IF_ERROR(decoder.Read(outer));
    return decoder;
  }
  MR_ASSIGN_OR_RETURN(const Json* steps, outer.Array("decoders"));
  for (size_t i = 0; i < steps->size(); ++i) {
    MR_ASSIGN_OR_RETURN(
        const JsonFields step,
        JsonFields::Of((*steps)[i],
                       absl::StrCat(outer.Where("decoders"), ": ", i)));
    MR_RETURN_IF_ERROR(decoder.Read(step));
  }
  return decoder;
}

absl::Status TokenDecoder::Read(const JsonFields& step) {
  MR_ASSIGN_OR_RETURN(const std::string type, step.String("type"));
  if (type == "Replace") {
    return ReadReplace(step);
  }
  if (type == "Metaspace") {
    return ReadMetaspace(step);
  }
  if (type == "Strip") {
    return ReadStrip(step);
  }
  if (type == "ByteFallback") {
    byte_fallback_ = true;
    return absl::OkStatus();
  }
  if (type == "Fuse") {
    fused_ = true;
    return absl::OkStatus();
  }
  return absl::UnimplementedError(absl::StrCat(
      step.Where("type"), ": wanted ByteLevel, Metaspace, Replace, ",
      "ByteFallback, Fuse or Strip, found '", type, "'"));
}

absl::Status TokenDecoder::ReadReplace(const JsonFields& step) {
  MR_ASSIGN_OR_RETURN(const JsonFields pattern, step.Object("pattern"));
  MR_ASSIGN_OR_RETURN(std::string from, pattern.String("String"));
  MR_ASSIGN_OR_RETURN(std::string to, step.String("content"));
  if (from.empty() || fused_) {
    return absl::UnimplementedError(absl::StrCat(
        step.where(), ": wanted a Replace of some text before Fuse"));
  }
  replacements_.emplace_back(std::move(from), std::move(to));
  return absl::OkStatus();
}

absl::Status TokenDecoder::ReadMetaspace(const JsonFields& step) {
  MR_ASSIGN_OR_RETURN(std::string mark, step.String("replacement"));
  MR_ASSIGN_OR_RETURN(const bool adds, step.Bool("add_prefix_space", true));
  MR_ASSIGN_OR_RETURN(const std::string scheme,
                      step.String("prepend_scheme", adds ? "always" : "never"));
  if (mark.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat(step.Where("replacement"), ": wanted text, found none"));
  }
  replacements_.emplace_back(std::move(mark), " ");
  first_has_no_spaces_ = scheme != "never";
  return absl::OkStatus();
}

absl::Status TokenDecoder::ReadStrip(const JsonFields& step) {
  MR_ASSIGN_OR_RETURN(strip_, step.String("content"));
  MR_ASSIGN_OR_RETURN(strip_count_, step.Integer("start", 0, 1 << 20));
  MR_ASSIGN_OR_RETURN(const int64_t stop, step.Integer("stop", 0, 1 << 20));
  if (stop != 0 || !fused_ || strip_.empty()) {
    return absl::UnimplementedError(absl::StrCat(
        step.where(), ": wanted a Strip of the start, after Fuse"));
  }
  return absl::OkStatus();
}

std::string TokenDecoder::BytesOf(absl::string_view spelling) const {
  if (const auto byte = ByteOfSpelling(spelling); byte && byte_fallback_) {
    return std::string(1, static_cast<char>(*byte));
  }
  std::string bytes(spelling);
  for (const auto& [from, to] : replacements_) {
    bytes = absl::StrReplaceAll(bytes, {{from, to}});
  }
  return bytes;
}

void TokenDecoder::StripStart(size_t first, std::string* text) const {
  if (first_has_no_spaces_) {
    const auto end = text->begin() + std::min(first, text->size());
    text->erase(std::remove(text->begin(), end, ' '), end);
  }
  for (int64_t i = 0; i < strip_count_ && absl::StartsWith(*text, strip_);
       ++i) {
    text->erase(0, strip_.size());
  }
}

}  // namespace millrace::text
