// SPDX-License-Identifier: Apache-2.0
#include "runtime/weights/progress.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "absl/strings/str_format.h"
#include "absl/time/clock.h"

namespace millrace::weights {
namespace {

constexpr int kBarWidth = 30;
constexpr absl::Duration kInterval = absl::Milliseconds(100);

}  // namespace

Progress::Progress(std::string label)
    : Progress(std::move(label), isatty(STDERR_FILENO) != 0) {}

Progress::~Progress() { Done(); }

void Progress::Start(int64_t total_bytes) {
  total_ = total_bytes;
  done_ = 0;
  started_ = absl::Now();
  next_ = started_ + kInterval;
}

void Progress::Advance(int64_t bytes) {
  done_ += bytes;
  if (!enabled_) {
    return;
  }
  const absl::Time now = absl::Now();
  if (now < next_) {
    return;
  }
  next_ = now + kInterval;
  shown_ = true;
  std::fprintf(stderr, "\r%s\x1b[K", Line(now - started_).c_str());
  std::fflush(stderr);
}

void Progress::Done() {
  if (!shown_) {
    return;
  }
  std::fprintf(stderr, "\r\x1b[K");
  std::fflush(stderr);
  shown_ = false;
}

std::string Progress::Line(absl::Duration elapsed) const {
  const double share = total_ > 0
                           ? std::min(1.0, static_cast<double>(done_) /
                                               static_cast<double>(total_))
                           : 1.0;
  const int filled = static_cast<int>(share * kBarWidth);
  const double seconds = std::max(absl::ToDoubleSeconds(elapsed), 1e-3);
  return absl::StrFormat(
      "%s [%s%s] %3.0f %%  %.2f of %.2f GB  %.2f GB/s", label_,
      std::string(static_cast<size_t>(filled), '#'),
      std::string(static_cast<size_t>(kBarWidth - filled), ' '), 100 * share,
      static_cast<double>(done_) * 1e-9, static_cast<double>(total_) * 1e-9,
      static_cast<double>(done_) * 1e-9 / seconds);
}

}  // namespace millrace::weights
