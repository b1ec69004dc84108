// SPDX-License-Identifier: Apache-2.0
#include "models/text/added_tokens.h"

#include <algorithm>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "models/text/character_classes.h"

namespace millrace::text {

using checkpoints::Json;
using checkpoints::JsonFields;

absl::StatusOr<AddedTokens> AddedTokens::Parse(const JsonFields& fields,
                                               const Normalizer& normalizer,
                                               const TokenDecoder& decoder,
                                               Vocabulary* vocabulary) {
  AddedTokens added;
  if (fields.Find("added_tokens") == nullptr) {
    return added;
  }
  MR_ASSIGN_OR_RETURN(const Json* tokens, fields.Array("added_tokens"));
  for (size_t i = 0; i < tokens->size(); ++i) {
    MR_ASSIGN_OR_RETURN(
        JsonFields token,
        JsonFields::Of((*tokens)[i],
                       absl::StrCat(fields.Where("added_tokens"), ": ", i)));
    MR_RETURN_IF_ERROR(added.Read(token, normalizer, decoder, vocabulary));
  }
  for (Group* group : {&added.written_, &added.normalized_}) {
    for (std::vector<Token>& by_byte : *group) {
      std::sort(by_byte.begin(), by_byte.end(),
                [](const Token& a, const Token& b) {
                  return a.content.size() > b.content.size();
                });
    }
  }
  return added;
}

absl::Status AddedTokens::Read(const JsonFields& fields,
                               const Normalizer& normalizer,
                               const TokenDecoder& decoder,
                               Vocabulary* vocabulary) {
  MR_ASSIGN_OR_RETURN(std::string content, fields.String("content"));
  MR_ASSIGN_OR_RETURN(int64_t id,
                      fields.Integer("id", 0, Vocabulary::kMaxTokens - 1));
  MR_ASSIGN_OR_RETURN(bool special, fields.Bool("special", false));
  MR_ASSIGN_OR_RETURN(bool normalized, fields.Bool("normalized", !special));
  Token token;
  token.id = static_cast<int32_t>(id);
  MR_ASSIGN_OR_RETURN(token.strips_left, fields.Bool("lstrip", false));
  MR_ASSIGN_OR_RETURN(token.strips_right, fields.Bool("rstrip", false));
  MR_ASSIGN_OR_RETURN(token.single_word, fields.Bool("single_word", false));
  const absl::Status no_text = absl::InvalidArgumentError(
      absl::StrCat(fields.Where("content"), ": wanted text, found none"));
  if (content.empty()) {
    return no_text;
  }
  const absl::Status added = vocabulary->Add(
      content, id,
      decoder.is_byte_level() ? content : decoder.BytesOf(content));
  if (!added.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat(fields.where(), ": ", added.message()));
  }
  if (special) {
    special_.insert(token.id);
  }
  token.content = std::move(content);
  if (normalized) {
    MR_ASSIGN_OR_RETURN(token.content, normalizer.Apply(token.content));
  }
  if (token.content.empty()) {
    return no_text;
  }
  const uint8_t first = static_cast<uint8_t>(token.content[0]);
  (normalized ? normalized_ : written_)[first].push_back(std::move(token));
  return absl::OkStatus();
}

std::vector<AddedTokens::Segment> AddedTokens::Split(
    Pass pass, absl::string_view text) const {
  const Group& group = pass == Pass::kWritten ? written_ : normalized_;
  std::vector<Segment> segments;
  size_t done = 0;  // Everything before it is in `segments`.
  const auto add_plain = [&](size_t end) {
    if (end > done) {
      segments.push_back({text.substr(done, end - done), -1});
    }
  };
  for (size_t i = 0; i < text.size();) {
    const std::vector<Token>& candidates = group[static_cast<uint8_t>(text[i])];
    const auto match = std::find_if(
        candidates.begin(), candidates.end(), [&](const Token& token) {
          return absl::StartsWith(text.substr(i), token.content);
        });
    if (match == candidates.end()) {
      ++i;
      continue;
    }
    size_t begin = i;
    size_t end = i + match->content.size();
    i = end;
    if (match->single_word &&
        (EndsInWord(text.substr(0, begin)) || StartsInWord(text.substr(end)))) {
      continue;
    }
    if (match->strips_left) {
      begin -= TrailingSpace(text.substr(0, begin));
    }
    if (match->strips_right) {
      end += LeadingSpace(text.substr(end));
    }
    // What an earlier token took is not taken again.
    begin = std::max(begin, done);
    end = std::max(end, begin);
    add_plain(begin);
    segments.push_back({text.substr(begin, end - begin), match->id});
    done = end;
  }
  add_plain(text.size());
  return segments;
}

}  // namespace millrace::text
