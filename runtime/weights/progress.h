// SPDX-License-Identifier: Apache-2.0
//
// A line on a terminal that says how far a long job is. Where stderr is no
// terminal, nothing is printed.
#ifndef MILLRACE_RUNTIME_WEIGHTS_PROGRESS_H_
#define MILLRACE_RUNTIME_WEIGHTS_PROGRESS_H_

#include <cstdint>
#include <string>
#include <utility>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace millrace::weights {

class Progress {
 public:
  // `label` says what is done: "packing weights".
  explicit Progress(std::string label);
  // For tests, and for whoever wants it silent.
  Progress(std::string label, bool enabled)
      : label_(std::move(label)), enabled_(enabled) {}
  ~Progress();

  void Start(int64_t total_bytes);
  void Advance(int64_t bytes);
  // Takes the line away.
  void Done();

  // What is shown when `elapsed` has passed.
  std::string Line(absl::Duration elapsed) const;

 private:
  std::string label_;
  bool enabled_;
  bool shown_ = false;
  int64_t total_ = 0;
  int64_t done_ = 0;
  absl::Time started_ = absl::InfinitePast();
  absl::Time next_ = absl::InfinitePast();
};

}  // namespace millrace::weights

#endif  // MILLRACE_RUNTIME_WEIGHTS_PROGRESS_H_
