// SPDX-License-Identifier: Apache-2.0
//
// A language model run by a session: drives the entry points `prefill` (a chunk
// of N tokens), `decode` (one) and `head` (the logits of a row of the last
// chunk), which share the states that hold the sequence.
#ifndef MILLRACE_RUNTIME_SESSION_LANGUAGE_SESSION_H_
#define MILLRACE_RUNTIME_SESSION_LANGUAGE_SESSION_H_

#include <array>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "models/text/language_model.h"
#include "runtime/session/session.h"

namespace millrace::session {

class LanguageSession : public text::LanguageModel {
 public:
  // `session` outlives it. FailedPrecondition, in one line, when its plan is no
  // language model.
  static absl::StatusOr<std::unique_ptr<LanguageSession>> Create(
      Session& session);

  // A step or logits that are not finite are DataLoss: an f16 value has
  // overflowed, and what follows from it would be noise.
  absl::Status Reset() override;
  absl::StatusOr<text::Step> Prefill(absl::Span<const int32_t> tokens) override;
  absl::StatusOr<text::Step> Decode(int32_t token) override;
  absl::StatusOr<absl::Span<const float>> Logits() override;
  int32_t context() const override;
  int32_t vocabulary() const override;

  // Prefill that hands over the logits after each of `tokens`, in order.
  absl::Status PrefillWithLogits(
      absl::Span<const int32_t> tokens,
      absl::FunctionRef<absl::Status(absl::Span<const float> logits)> visit);

  // Runs each entry point once, on `token`, and empties the sequence. Some
  // drivers compile a kernel when it first runs (PoCL, for each size of
  // work-group), which would count as the time of the first prompt.
  absl::Status WarmUp(int32_t token);

  // Tokens in the sequence.
  int32_t length() const { return length_; }
  // Tokens of one prefill chunk.
  int32_t chunk() const { return chunk_; }

 private:
  // An entry point with its ports; -1 where it lacks one.
  struct Entry {
    int index = -1;
    int tokens = -1;
    int logits = -1;
    int token = -1;
    int32_t width = 0;  // tokens it takes
  };

  explicit LanguageSession(Session& session) : session_(&session) {}

  absl::Status Bind();
  absl::Status BindParameters();
  absl::StatusOr<Entry> BindEntry(absl::string_view name) const;
  absl::Status CheckTokens(absl::Span<const int32_t> tokens) const;
  // Appends at most chunk() tokens, already checked.
  absl::Status Append(const Entry& entry, absl::Span<const int32_t> tokens);
  std::vector<int32_t> Words(int32_t active, int32_t row) const;
  absl::StatusOr<text::Step> ReadStep();

  Session* session_;
  Entry prefill_, decode_, head_;
  // Positions of position, active, end, row among the plan's words; -1 of those
  // that the plan does not have.
  std::array<int, 4> words_ = {-1, -1, -1, -1};
  int32_t chunk_ = 0;
  int32_t length_ = 0;
  const Entry* last_ =
      nullptr;  // whose outputs are those of the sequence's end
  std::vector<float> logits_;
};

}  // namespace millrace::session

#endif  // MILLRACE_RUNTIME_SESSION_LANGUAGE_SESSION_H_
