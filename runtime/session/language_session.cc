// SPDX-License-Identifier: Apache-2.0
#include "runtime/session/language_session.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "runtime/plan/text.h"

namespace millrace::session {
namespace {

using plan::Text;
using plan::schema::Port;
using plan::schema::ScalarType;
using Ports = flatbuffers::Vector<flatbuffers::Offset<Port>>;

int64_t Elements(const Port& port) {
  int64_t elements = 1;
  for (int64_t extent : *port.shape()) {
    elements *= extent;
  }
  return elements;
}

// The port of that name and type with `elements` elements (0: any number).
absl::StatusOr<int> FindPort(const std::string& where, const Ports& ports,
                             absl::string_view name, ScalarType scalar,
                             int64_t elements) {
  for (uint32_t i = 0; i < ports.size(); ++i) {
    const Port& port = *ports.Get(i);
    if (Text(port.name()) != name) {
      continue;
    }
    if (port.scalar() != scalar ||
        (elements != 0 && Elements(port) != elements)) {
      return absl::FailedPreconditionError(absl::StrCat(
          where, ": port '", name, "': wanted ", elements, " of ",
          plan::schema::EnumNameScalarType(scalar), ", found ", Elements(port),
          " of ", plan::schema::EnumNameScalarType(port.scalar())));
    }
    return static_cast<int>(i);
  }
  return absl::FailedPreconditionError(
      absl::StrCat(where, ": no port '", name, "'"));
}

absl::Span<const uint8_t> BytesOf(absl::Span<const int32_t> words) {
  return {reinterpret_cast<const uint8_t*>(words.data()),
          words.size() * sizeof(int32_t)};
}

template <typename T>
absl::Span<uint8_t> WritableBytesOf(absl::Span<T> values) {
  return {reinterpret_cast<uint8_t*>(values.data()), values.size() * sizeof(T)};
}

// The logits mean nothing, and neither would a token chosen by them.
absl::Status NotFinite() {
  return absl::DataLossError(
      "the model's logits are not finite: a value passed 65504, the largest of "
      "f16, or a weight is not finite; compile the model with --quant f32");
}

}  // namespace

absl::StatusOr<std::unique_ptr<LanguageSession>> LanguageSession::Create(
    Session& session) {
  std::unique_ptr<LanguageSession> model(new LanguageSession(session));
  if (absl::Status status = model->Bind(); !status.ok()) {
    return absl::FailedPreconditionError(
        absl::StrCat("the plan is no language model: ", status.message()));
  }
  return model;
}

absl::Status LanguageSession::Bind() {
  const plan::schema::Model& model = *session_->plan().model();
  if (model.context() < 1 || model.vocabulary() < 1) {
    return absl::FailedPreconditionError("it has no context or no vocabulary");
  }
  MR_RETURN_IF_ERROR(BindParameters());
  MR_ASSIGN_OR_RETURN(prefill_, BindEntry("prefill"));
  MR_ASSIGN_OR_RETURN(decode_, BindEntry("decode"));
  MR_ASSIGN_OR_RETURN(head_, BindEntry("head"));
  if (decode_.width != 1) {
    return absl::FailedPreconditionError(
        absl::StrCat("decode: wanted 1 token, found room for ", decode_.width));
  }
  chunk_ = prefill_.width;
  logits_.resize(static_cast<size_t>(vocabulary()));
  return absl::OkStatus();
}

// A plan lacks the parameters that none of its kernels needs; one that is not
// known here could not be given a value.
absl::Status LanguageSession::BindParameters() {
  const std::array<absl::string_view, 4> names = {"position", "active", "end",
                                                  "row"};
  const auto& parameters = *session_->plan().parameters();
  for (uint32_t i = 0; i < parameters.size(); ++i) {
    const auto name =
        std::find(names.begin(), names.end(), Text(parameters.Get(i)));
    if (name == names.end()) {
      return absl::FailedPreconditionError(
          absl::StrCat("it has a parameter '", Text(parameters.Get(i)),
                       "', which no language model has"));
    }
    words_[static_cast<size_t>(name - names.begin())] = static_cast<int>(i);
  }
  return absl::OkStatus();
}

absl::StatusOr<LanguageSession::Entry> LanguageSession::BindEntry(
    absl::string_view name) const {
  const std::string where(name);
  Entry entry;
  MR_ASSIGN_OR_RETURN(entry.index, session_->FindEntryPoint(name));
  const plan::schema::EntryPoint& point =
      *session_->plan().entry_points()->Get(static_cast<uint32_t>(entry.index));
  if (name != "head") {
    MR_ASSIGN_OR_RETURN(entry.tokens,
                        FindPort(where, *point.inputs(), "tokens",
                                 ScalarType::I32, /*elements=*/0));
    const Port& tokens =
        *point.inputs()->Get(static_cast<uint32_t>(entry.tokens));
    entry.width = static_cast<int32_t>(
        std::min(Elements(tokens), session_->plan().model()->prefill_chunk()));
  }
  MR_ASSIGN_OR_RETURN(entry.logits, FindPort(where, *point.outputs(), "logits",
                                             ScalarType::F32, vocabulary()));
  MR_ASSIGN_OR_RETURN(entry.token, FindPort(where, *point.outputs(), "token",
                                            ScalarType::I32, 1));
  return entry;
}

int32_t LanguageSession::context() const {
  return static_cast<int32_t>(session_->plan().model()->context());
}

int32_t LanguageSession::vocabulary() const {
  return static_cast<int32_t>(session_->plan().model()->vocabulary());
}

absl::Status LanguageSession::Reset() {
  length_ = 0;
  last_ = nullptr;
  return session_->Reset();
}

absl::Status LanguageSession::CheckTokens(
    absl::Span<const int32_t> tokens) const {
  if (tokens.empty()) {
    return absl::InvalidArgumentError("wanted at least one token, found none");
  }
  const int64_t end = length_ + static_cast<int64_t>(tokens.size());
  if (end > context()) {
    return absl::OutOfRangeError(
        absl::StrCat("the sequence does not fit the context: wanted at most ",
                     context(), " tokens, found ", end));
  }
  for (int32_t token : tokens) {
    if (token < 0 || token >= vocabulary()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "token ", token, " is not in the vocabulary of ", vocabulary()));
    }
  }
  return absl::OkStatus();
}

// The words for `active` tokens from the end of the sequence on.
std::vector<int32_t> LanguageSession::Words(int32_t active, int32_t row) const {
  std::vector<int32_t> words(session_->plan().parameters()->size(), 0);
  const std::array<int32_t, 4> values = {length_, active, length_ + active,
                                         row};
  for (size_t i = 0; i < values.size(); ++i) {
    if (words_[i] >= 0) {
      words[static_cast<size_t>(words_[i])] = values[i];
    }
  }
  return words;
}

absl::Status LanguageSession::Append(const Entry& entry,
                                     absl::Span<const int32_t> tokens) {
  const auto active = static_cast<int32_t>(tokens.size());
  MR_RETURN_IF_ERROR(
      session_->SetInput(entry.index, entry.tokens, BytesOf(tokens)));
  MR_RETURN_IF_ERROR(session_->Run(entry.index, Words(active, active - 1)));
  last_ = &entry;
  return absl::OkStatus();
}

absl::StatusOr<text::Step> LanguageSession::ReadStep() {
  text::Step step = {0};
  MR_RETURN_IF_ERROR(
      session_->ReadOutput(last_->index, last_->token,
                           WritableBytesOf(absl::MakeSpan(&step.token, 1))));
  // graph.argmax says so by -1.
  if (step.token < 0) {
    return NotFinite();
  }
  return step;
}

absl::StatusOr<text::Step> LanguageSession::Prefill(
    absl::Span<const int32_t> tokens) {
  MR_RETURN_IF_ERROR(CheckTokens(tokens));
  while (!tokens.empty()) {
    const auto part =
        tokens.first(std::min(tokens.size(), static_cast<size_t>(chunk_)));
    MR_RETURN_IF_ERROR(Append(prefill_, part));
    length_ += static_cast<int32_t>(part.size());
    tokens.remove_prefix(part.size());
  }
  return ReadStep();
}

absl::StatusOr<text::Step> LanguageSession::Decode(int32_t token) {
  MR_RETURN_IF_ERROR(CheckTokens({token}));
  MR_RETURN_IF_ERROR(Append(decode_, {token}));
  ++length_;
  return ReadStep();
}

absl::StatusOr<absl::Span<const float>> LanguageSession::Logits() {
  if (last_ == nullptr) {
    return absl::FailedPreconditionError("the sequence is empty: no logits");
  }
  MR_RETURN_IF_ERROR(session_->ReadOutput(
      last_->index, last_->logits, WritableBytesOf(absl::MakeSpan(logits_))));
  if (!std::all_of(logits_.begin(), logits_.end(),
                   [](float logit) { return std::isfinite(logit); })) {
    return NotFinite();
  }
  return absl::MakeConstSpan(logits_);
}

absl::Status LanguageSession::PrefillWithLogits(
    absl::Span<const int32_t> tokens,
    absl::FunctionRef<absl::Status(absl::Span<const float>)> visit) {
  MR_RETURN_IF_ERROR(CheckTokens(tokens));
  while (!tokens.empty()) {
    const auto part =
        tokens.first(std::min(tokens.size(), static_cast<size_t>(chunk_)));
    const auto active = static_cast<int32_t>(part.size());
    MR_RETURN_IF_ERROR(Append(prefill_, part));
    for (int32_t row = 0; row < active; ++row) {
      MR_RETURN_IF_ERROR(session_->Run(head_.index, Words(active, row)));
      last_ = &head_;
      MR_ASSIGN_OR_RETURN(absl::Span<const float> logits, Logits());
      MR_RETURN_IF_ERROR(visit(logits));
    }
    length_ += active;
    tokens.remove_prefix(part.size());
  }
  return absl::OkStatus();
}

absl::Status LanguageSession::WarmUp(int32_t token) {
  MR_RETURN_IF_ERROR(Reset());
  const auto ignore = [](absl::Span<const float>) { return absl::OkStatus(); };
  MR_RETURN_IF_ERROR(PrefillWithLogits({token}, ignore));
  if (context() > 1) {
    MR_RETURN_IF_ERROR(Decode(token).status());
  }
  return Reset();
}

}  // namespace millrace::session
