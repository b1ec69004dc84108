// SPDX-License-Identifier: Apache-2.0
#include "models/text/added_tokens.h"

#include <algorithm>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"

namespace millrace::text {

using checkpoints::Json;
using checkpoints::JsonFields;
using checkpoints::WrongJson;

absl::StatusOr<AddedTokens> AddedTokens::Parse(const JsonFields& fields,
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
    MR_RETURN_IF_ERROR(added.Read(token, vocabulary));
  }
  for (Group& group : added.passes_) {
    for (std::vector<Token>& by_byte : group) {
      std::sort(by_byte.begin(), by_byte.end(),
                [](const Token& a, const Token& b) {
                  return a.content.size() > b.content.size();
                });
    }
  }
  return added;
}

absl::Status AddedTokens::Read(const JsonFields& token,
                               Vocabulary* vocabulary) {
  MR_ASSIGN_OR_RETURN(std::string content, token.String("content"));
  MR_ASSIGN_OR_RETURN(int64_t id,
                      token.Integer("id", 0, Vocabulary::kMaxTokens - 1));
  MR_ASSIGN_OR_RETURN(bool special, token.Bool("special", false));
  MR_ASSIGN_OR_RETURN(bool normalized, token.Bool("normalized", !special));
  for (const char* key : {"lstrip", "rstrip", "single_word"}) {
    MR_ASSIGN_OR_RETURN(bool flag, token.Bool(key, false));
    if (flag) {
      return absl::UnimplementedError(
          absl::StrCat(token.Where(key), ": wanted false, found true"));
    }
  }
  if (content.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat(token.Where("content"), ": wanted text, found none"));
  }
  const absl::Status added = vocabulary->Add(content, id, content);
  if (!added.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat(token.where(), ": ", added.message()));
  }
  const int32_t short_id = static_cast<int32_t>(id);
  if (special) {
    special_.insert(short_id);
  }
  const uint8_t first = static_cast<uint8_t>(content[0]);
  passes_[normalized ? 1 : 0][first].push_back({std::move(content), short_id});
  return absl::OkStatus();
}

std::vector<AddedTokens::Segment> AddedTokens::Split(
    absl::string_view text) const {
  std::vector<Segment> segments;
  if (text.empty()) {
    return segments;
  }
  segments.push_back({text, -1});
  for (const Group& group : passes_) {
    std::vector<Segment> finer;
    for (const Segment& segment : segments) {
      if (segment.token >= 0) {
        finer.push_back(segment);
      } else {
        SplitBy(group, segment.text, &finer);
      }
    }
    segments = std::move(finer);
  }
  return segments;
}

void AddedTokens::SplitBy(const Group& group, absl::string_view text,
                          std::vector<Segment>* segments) {
  size_t done = 0;
  const auto add_plain = [&](size_t end) {
    if (end > done) {
      segments->push_back({text.substr(done, end - done), -1});
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
    add_plain(i);
    segments->push_back({text.substr(i, match->content.size()), match->id});
    i += match->content.size();
    done = i;
  }
  add_plain(text.size());
}

}  // namespace millrace::text
