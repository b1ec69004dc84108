// SPDX-License-Identifier: Apache-2.0
#include "models/text/bpe_model.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <tuple>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/status_macros.h"
#include "base/utf8.h"
#include "models/text/byte_alphabet.h"

namespace millrace::text {
namespace {

using checkpoints::Json;
using checkpoints::JsonFields;
using checkpoints::WrongJson;

uint64_t PairKey(int32_t left, int32_t right) {
  return (uint64_t{static_cast<uint32_t>(left)} << 32) |
         static_cast<uint32_t>(right);
}

absl::Status RefuseVariants(const JsonFields& fields) {
  MR_ASSIGN_OR_RETURN(std::string type, fields.String("type", "BPE"));
  if (type != "BPE") {
    return absl::UnimplementedError(absl::StrCat(
        fields.Where("type"), ": wanted 'BPE', found '", type, "'"));
  }
  MR_ASSIGN_OR_RETURN(double dropout, fields.Number("dropout", 0.0, 1.0, 0.0));
  if (dropout != 0.0) {
    return absl::UnimplementedError(
        absl::StrCat(fields.Where("dropout"), ": wanted 0, found ", dropout));
  }
  for (const char* key : {"continuing_subword_prefix", "end_of_word_suffix"}) {
    MR_ASSIGN_OR_RETURN(std::string affix, fields.String(key, ""));
    if (!affix.empty()) {
      return absl::UnimplementedError(absl::StrCat(
          fields.Where(key), ": wanted none, found '", affix, "'"));
    }
  }
  return absl::OkStatus();
}

// Merges are written "left right", or, where a token may hold a space, as
// ["left", "right"].
absl::StatusOr<std::pair<absl::string_view, absl::string_view>> ReadPair(
    const Json& merge, absl::string_view where) {
  if (merge.is_array() && merge.size() == 2 && merge[0].is_string() &&
      merge[1].is_string()) {
    return std::pair<absl::string_view, absl::string_view>(
        merge[0].get_ref<const std::string&>(),
        merge[1].get_ref<const std::string&>());
  }
  if (merge.is_string()) {
    const absl::string_view text = merge.get_ref<const std::string&>();
    const size_t space = text.find(' ');
    if (space != text.npos && text.find(' ', space + 1) == text.npos) {
      return std::pair(text.substr(0, space), text.substr(space + 1));
    }
  }
  return WrongJson(where, "two tokens", merge);
}

}  // namespace

absl::StatusOr<BpeModel> BpeModel::Parse(const JsonFields& fields,
                                         const TokenDecoder& decoder,
                                         Vocabulary* vocabulary) {
  BpeModel model;
  MR_RETURN_IF_ERROR(RefuseVariants(fields));
  MR_RETURN_IF_ERROR(model.ReadVocabulary(fields, decoder, vocabulary));
  MR_RETURN_IF_ERROR(model.ReadFallbacks(fields, *vocabulary));
  MR_RETURN_IF_ERROR(model.ReadMerges(fields, *vocabulary));
  return model;
}

absl::Status BpeModel::ReadVocabulary(const JsonFields& fields,
                                      const TokenDecoder& decoder,
                                      Vocabulary* vocabulary) {
  byte_level_ = decoder.is_byte_level();
  MR_ASSIGN_OR_RETURN(bool ignore_merges, fields.Bool("ignore_merges", false));
  MR_ASSIGN_OR_RETURN(JsonFields vocab, fields.Object("vocab"));
  const Json& entries = *fields.Find("vocab");
  byte_ids_.fill(-1);
  for (const auto& [spelling, value] : entries.items()) {
    MR_ASSIGN_OR_RETURN(int64_t id,
                        vocab.Integer(spelling, 0, Vocabulary::kMaxTokens - 1));
    const std::optional<std::string> bytes =
        byte_level_ ? BytesOfSpelling(spelling) : std::nullopt;
    const absl::Status added =
        vocabulary->Add(spelling, id,
                        bytes         ? *bytes
                        : byte_level_ ? spelling
                                      : decoder.BytesOf(spelling));
    if (!added.ok()) {
      return absl::InvalidArgumentError(
          absl::StrCat(vocab.where(), ": ", added.message()));
    }
    if (bytes && bytes->size() == 1) {
      byte_ids_[static_cast<uint8_t>((*bytes)[0])] = static_cast<int32_t>(id);
    }
    if (ignore_merges && (bytes || !byte_level_)) {
      whole_words_[bytes ? *bytes : spelling] = static_cast<int32_t>(id);
    }
    if (!byte_level_) {
      AddSymbol(spelling, static_cast<int32_t>(id));
    }
  }
  return absl::OkStatus();
}

void BpeModel::AddSymbol(const std::string& spelling, int32_t id) {
  if (const std::optional<uint8_t> byte = ByteOfSpelling(spelling)) {
    byte_ids_[*byte] = id;
  } else if (!spelling.empty() &&
             NextUtf8(spelling).length == spelling.size()) {
    characters_[spelling] = id;
  }
}

absl::Status BpeModel::ReadFallbacks(const JsonFields& fields,
                                     const Vocabulary& vocabulary) {
  if (byte_level_) {
    return absl::OkStatus();
  }
  MR_ASSIGN_OR_RETURN(byte_fallback_, fields.Bool("byte_fallback", false));
  MR_ASSIGN_OR_RETURN(fuse_unknown_, fields.Bool("fuse_unk", false));
  MR_ASSIGN_OR_RETURN(const std::string unknown,
                      fields.String("unk_token", ""));
  if (unknown.empty()) {
    return absl::OkStatus();
  }
  const std::optional<int32_t> id = vocabulary.Find(unknown);
  if (!id.has_value()) {
    return absl::InvalidArgumentError(absl::StrCat(
        fields.Where("unk_token"),
        ": wanted a token of the vocabulary, found '", unknown, "'"));
  }
  unknown_ = *id;
  return absl::OkStatus();
}

absl::Status BpeModel::ReadMerges(const JsonFields& fields,
                                  const Vocabulary& vocabulary) {
  MR_ASSIGN_OR_RETURN(const Json* merges, fields.Array("merges"));
  uint32_t rank = 0;
  for (const Json& merge : *merges) {
    if (merge.is_string() &&
        absl::StartsWith(merge.get_ref<const std::string&>(), "#version")) {
      continue;
    }
    const std::string where = absl::StrCat(fields.Where("merges"), ": ", rank);
    MR_ASSIGN_OR_RETURN(auto pair, ReadPair(merge, where));
    const std::string merged = absl::StrCat(pair.first, pair.second);
    const std::optional<int32_t> left = vocabulary.Find(pair.first);
    const std::optional<int32_t> right = vocabulary.Find(pair.second);
    const std::optional<int32_t> id = vocabulary.Find(merged);
    if (!left || !right || !id) {
      return absl::InvalidArgumentError(absl::StrFormat(
          "%s: wanted tokens of the vocabulary, found '%s', which is none",
          where,
          (!left    ? pair.first
           : !right ? pair.second
                    : absl::string_view(merged))
              .substr(0, 60)));
    }
    merges_[PairKey(*left, *right)] = Merge{rank++, *id};
  }
  return absl::OkStatus();
}

const BpeModel::Merge* BpeModel::FindMerge(int32_t left, int32_t right) const {
  auto it = merges_.find(PairKey(left, right));
  return it == merges_.end() ? nullptr : &it->second;
}

absl::Status BpeModel::Encode(absl::string_view word,
                              std::vector<int32_t>* ids) const {
  if (auto it = whole_words_.find(word); it != whole_words_.end()) {
    ids->push_back(it->second);
    return absl::OkStatus();
  }
  std::vector<int32_t> symbols;
  symbols.reserve(word.size());
  if (byte_level_) {
    MR_RETURN_IF_ERROR(BytesToSymbols(word, &symbols));
  } else {
    CharactersToSymbols(word, &symbols);
  }
  MergeAll(&symbols);
  ids->insert(ids->end(), symbols.begin(), symbols.end());
  return absl::OkStatus();
}

absl::Status BpeModel::BytesToSymbols(absl::string_view word,
                                      std::vector<int32_t>* symbols) const {
  for (char c : word) {
    const uint8_t byte = static_cast<uint8_t>(c);
    if (byte_ids_[byte] < 0) {
      return absl::InvalidArgumentError(
          absl::StrFormat("byte 0x%02x is no token of this vocabulary", byte));
    }
    symbols->push_back(byte_ids_[byte]);
  }
  return absl::OkStatus();
}

void BpeModel::CharactersToSymbols(absl::string_view word,
                                   std::vector<int32_t>* symbols) const {
  // An unknown token is held back until a known character comes, so that it
  // stands behind bytes between the two: so does the reference.
  bool holds_unknown = false;
  while (!word.empty()) {
    const absl::string_view character = word.substr(0, NextUtf8(word).length);
    word.remove_prefix(character.size());
    if (auto it = characters_.find(character); it != characters_.end()) {
      if (std::exchange(holds_unknown, false)) {
        symbols->push_back(unknown_);
      }
      symbols->push_back(it->second);
    } else if (!SpellInBytes(character, symbols) && unknown_ >= 0) {
      if (holds_unknown && !fuse_unknown_) {
        symbols->push_back(unknown_);
      }
      holds_unknown = true;
    }
  }
  if (holds_unknown) {
    symbols->push_back(unknown_);
  }
}

bool BpeModel::SpellInBytes(absl::string_view character,
                            std::vector<int32_t>* symbols) const {
  const auto has_token = [this](char byte) {
    return byte_ids_[static_cast<uint8_t>(byte)] >= 0;
  };
  if (!byte_fallback_ ||
      !std::all_of(character.begin(), character.end(), has_token)) {
    return false;
  }
  for (const char byte : character) {
    symbols->push_back(byte_ids_[static_cast<uint8_t>(byte)]);
  }
  return true;
}

void BpeModel::MergeAll(std::vector<int32_t>* ids) const {
  const size_t count = ids->size();
  // The symbols form a linked list over their first positions; one that was
  // merged into its left neighbour gets the id -1.
  std::vector<size_t> previous(count);
  std::vector<size_t> next(count);
  // Candidates, lowest rank first, then leftmost: (rank, left, merged id). A
  // candidate goes stale when one of its symbols changes, and is then skipped.
  using Candidate = std::tuple<uint32_t, size_t, int32_t>;
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> queue;
  const auto consider = [&](size_t left, size_t right) {
    if (const Merge* merge = FindMerge((*ids)[left], (*ids)[right])) {
      queue.emplace(merge->rank, left, merge->id);
    }
  };
  for (size_t i = 0; i < count; ++i) {
    previous[i] = i - 1;
    next[i] = i + 1;
    if (i > 0) {
      consider(i - 1, i);
    }
  }
  while (!queue.empty()) {
    const auto [rank, left, id] = queue.top();
    queue.pop();
    const size_t right = next[left];
    if ((*ids)[left] < 0 || right >= count) {
      continue;
    }
    const Merge* merge = FindMerge((*ids)[left], (*ids)[right]);
    if (merge == nullptr || merge->id != id) {
      continue;
    }
    (*ids)[left] = id;
    (*ids)[right] = -1;
    next[left] = next[right];
    if (next[left] < count) {
      previous[next[left]] = left;
      consider(left, next[left]);
    }
    if (left > 0) {
      consider(previous[left], left);
    }
  }
  ids->erase(std::remove(ids->begin(), ids->end(), -1), ids->end());
}

}  // namespace millrace::text
