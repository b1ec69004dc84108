// SPDX-License-Identifier: Apache-2.0
#include "models/text/bpe_tokenizer.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "base/utf8.h"
#include "models/text/stream_decoder.h"

namespace millrace::text {
namespace {

using checkpoints::Json;
using checkpoints::JsonFields;

// Both ends must spell tokens alike.
absl::Status CheckSpelling(const JsonFields& fields, bool encoder,
                           bool decoder) {
  if (encoder == decoder) {
    return absl::OkStatus();
  }
  return absl::UnimplementedError(absl::StrCat(
      fields.where(), ": wanted ByteLevel in both pre_tokenizer and decoder, ",
      "or in neither, found it in the ", encoder ? "former" : "latter"));
}

}  // namespace

absl::StatusOr<std::unique_ptr<BpeTokenizer>> BpeTokenizer::Load(
    const std::string& path) {
  MR_ASSIGN_OR_RETURN(Json json, checkpoints::ReadJsonFile(path));
  return FromJson(json, path);
}

absl::StatusOr<std::unique_ptr<BpeTokenizer>> BpeTokenizer::Parse(
    absl::string_view text, absl::string_view where) {
  MR_ASSIGN_OR_RETURN(Json json, checkpoints::ParseJson(text, where));
  return FromJson(json, where);
}

absl::StatusOr<std::unique_ptr<BpeTokenizer>> BpeTokenizer::FromJson(
    const Json& json, absl::string_view where) {
  MR_ASSIGN_OR_RETURN(JsonFields fields,
                      JsonFields::Of(json, std::string(where)));
  std::unique_ptr<BpeTokenizer> tokenizer(new BpeTokenizer());
  Vocabulary* vocabulary = &tokenizer->vocabulary_;
  MR_ASSIGN_OR_RETURN(tokenizer->normalizer_, Normalizer::Parse(fields));
  MR_ASSIGN_OR_RETURN(tokenizer->pre_tokenizer_, PreTokenizer::Parse(fields));
  MR_ASSIGN_OR_RETURN(tokenizer->decoder_, TokenDecoder::Parse(fields));
  const TokenDecoder& decoder = tokenizer->decoder_;
  MR_RETURN_IF_ERROR(CheckSpelling(fields,
                                   tokenizer->pre_tokenizer_.is_byte_level(),
                                   decoder.is_byte_level()));
  MR_ASSIGN_OR_RETURN(JsonFields model, fields.Object("model"));
  MR_ASSIGN_OR_RETURN(tokenizer->model_,
                      BpeModel::Parse(model, decoder, vocabulary));
  MR_ASSIGN_OR_RETURN(
      tokenizer->added_,
      AddedTokens::Parse(fields, tokenizer->normalizer_, decoder, vocabulary));
  MR_ASSIGN_OR_RETURN(tokenizer->special_,
                      ParsePostProcessor(fields, vocabulary->size()));
  return tokenizer;
}

absl::StatusOr<std::vector<int32_t>> BpeTokenizer::Encode(
    absl::string_view text, bool add_special) const {
  if (std::optional<size_t> position = FindInvalidUtf8(text)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "text: wanted UTF-8, found an invalid sequence at byte ", *position));
  }
  std::vector<int32_t> ids;
  if (add_special) {
    ids = special_.before;
  }
  for (const AddedTokens::Segment& segment :
       added_.Split(AddedTokens::Pass::kWritten, text)) {
    if (segment.token >= 0) {
      ids.push_back(segment.token);
    } else {
      MR_RETURN_IF_ERROR(EncodeWritten(
          segment.text, segment.text.data() == text.data(), &ids));
    }
  }
  if (add_special) {
    ids.insert(ids.end(), special_.after.begin(), special_.after.end());
  }
  return ids;
}

absl::StatusOr<std::vector<int32_t>> BpeTokenizer::EncodePrompt(
    absl::string_view text) const {
  MR_ASSIGN_OR_RETURN(std::vector<int32_t> ids, Encode(text, true));
  const std::vector<int32_t>& before = special_.before;
  const size_t count = before.size();
  if (ids.size() >= 2 * count &&
      std::equal(before.begin(), before.end(), ids.begin() + count)) {
    ids.erase(ids.begin(), ids.begin() + count);
  }
  return ids;
}

absl::Status BpeTokenizer::EncodeWritten(absl::string_view text, bool at_start,
                                         std::vector<int32_t>* ids) const {
  MR_ASSIGN_OR_RETURN(const std::string normal, normalizer_.Apply(text));
  for (const AddedTokens::Segment& segment :
       added_.Split(AddedTokens::Pass::kNormalized, normal)) {
    if (segment.token >= 0) {
      ids->push_back(segment.token);
    } else {
      MR_RETURN_IF_ERROR(EncodePlain(
          segment.text, at_start && segment.text.data() == normal.data(), ids));
    }
  }
  return absl::OkStatus();
}

absl::Status BpeTokenizer::EncodePlain(absl::string_view text, bool at_start,
                                       std::vector<int32_t>* ids) const {
  PreTokenizer::Storage storage;
  MR_ASSIGN_OR_RETURN(std::vector<absl::string_view> words,
                      pre_tokenizer_.Split(text, at_start, &storage));
  for (absl::string_view word : words) {
    MR_RETURN_IF_ERROR(model_.Encode(word, ids));
  }
  return absl::OkStatus();
}

std::string BpeTokenizer::Decode(absl::Span<const int32_t> ids,
                                 bool skip_special) const {
  StreamDecoder decoder;
  std::string text;
  size_t first = std::string::npos;  // the size of the first token's text
  for (int32_t id : ids) {
    if (!skip_special || !IsSpecial(id)) {
      decoder.Push(TokenBytes(id), &text);
      first = std::min(first, text.size());
    }
  }
  decoder.Finish(&text);
  decoder_.StripStart(first, &text);
  return text;
}

}  // namespace millrace::text
