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
  MR_ASSIGN_OR_RETURN(bool byte_fallback, fields.Bool("byte_fallback", false));
  if (byte_fallback) {
    return absl::UnimplementedError(
        absl::StrCat(fields.Where("byte_fallback"),
                     ": wanted a byte-level vocabulary, found true"));
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
                                         Vocabulary* vocabulary) {
  BpeModel model;
  MR_RETURN_IF_ERROR(RefuseVariants(fields));
  MR_RETURN_IF_ERROR(model.ReadVocabulary(fields, vocabulary));
  MR_RETURN_IF_ERROR(model.ReadMerges(fields, *vocabulary));
  return model;
}

absl::Status BpeModel::ReadVocabulary(const JsonFields& fields,
                                      Vocabulary* vocabulary) {
  MR_ASSIGN_OR_RETURN(bool ignore_merges, fields.Bool("ignore_merges", false));
  MR_ASSIGN_OR_RETURN(JsonFields vocab, fields.Object("vocab"));
  const Json& entries = *fields.Find("vocab");
  byte_ids_.fill(-1);
  for (const auto& [spelling, value] : entries.items()) {
    MR_ASSIGN_OR_RETURN(int64_t id,
                        vocab.Integer(spelling, 0, Vocabulary::kMaxTokens - 1));
    const std::optional<std::string> bytes = BytesOfSpelling(spelling);
    const absl::Status added =
        vocabulary->Add(spelling, id, bytes ? *bytes : spelling);
    if (!added.ok()) {
      return absl::InvalidArgumentError(
          absl::StrCat(vocab.where(), ": ", added.message()));
    }
    if (bytes && bytes->size() == 1) {
      byte_ids_[static_cast<uint8_t>((*bytes)[0])] = static_cast<int32_t>(id);
    }
    if (bytes && ignore_merges) {
      whole_words_[*bytes] = static_cast<int32_t>(id);
    }
  }
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
  for (char c : word) {
    const uint8_t byte = static_cast<uint8_t>(c);
    if (byte_ids_[byte] < 0) {
      return absl::InvalidArgumentError(
          absl::StrFormat("byte 0x%02x is no token of this vocabulary", byte));
    }
    symbols.push_back(byte_ids_[byte]);
  }
  MergeAll(&symbols);
  ids->insert(ids->end(), symbols.begin(), symbols.end());
  return absl::OkStatus();
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
