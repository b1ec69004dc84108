// SPDX-License-Identifier: Apache-2.0
//
// The few statistics that the benchmarks report.
#ifndef MILLRACE_BENCH_STATISTICS_H_
#define MILLRACE_BENCH_STATISTICS_H_

#include <vector>

#include "absl/types/span.h"

namespace millrace::bench {

struct Summary {
  double mean = 0.0;
  double deviation = 0.0;  // sample standard deviation; 0 of a single value
};

// All zero when there are no values.
Summary Summarize(absl::Span<const double> values);

// The middle value, the mean of the middle two of an even number; 0 of none.
double Median(std::vector<double> values);

}  // namespace millrace::bench

#endif  // MILLRACE_BENCH_STATISTICS_H_
