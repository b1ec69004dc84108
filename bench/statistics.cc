// SPDX-License-Identifier: Apache-2.0
#include "bench/statistics.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace millrace::bench {

Summary Summarize(absl::Span<const double> values) {
  Summary summary;
  if (values.empty()) {
    return summary;
  }
  const auto count = static_cast<double>(values.size());
  for (double value : values) {
    summary.mean += value / count;
  }
  if (values.size() < 2) {
    return summary;
  }
  double squares = 0.0;
  for (double value : values) {
    squares += (value - summary.mean) * (value - summary.mean);
  }
  summary.deviation = std::sqrt(squares / (count - 1.0));
  return summary;
}

double Median(std::vector<double> values) {
  if (values.empty()) {
    return 0.0;
  }
  std::sort(values.begin(), values.end());
  const size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle]
                                : 0.5 * (values[middle - 1] + values[middle]);
}

}  // namespace millrace::bench
