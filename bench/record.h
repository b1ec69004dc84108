// SPDX-License-Identifier: Apache-2.0
//
// A result as named values, and the forms it is printed in. Names are as in
// JSON: lower case, with the unit at the end (`ttft_s`).
#ifndef MILLRACE_BENCH_RECORD_H_
#define MILLRACE_BENCH_RECORD_H_

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace millrace::bench {

using Value = std::variant<std::string, int64_t, double>;

struct Field {
  std::string name;
  Value value;
};

using Record = std::vector<Field>;

enum class OutputForm { kText, kMarkdown, kCsv, kJson };

// "text", "md", "csv" or "json"; InvalidArgument otherwise.
absl::StatusOr<OutputForm> ParseOutputForm(absl::string_view name);

// For people: four significant digits, or all before the point.
std::string ShortNumber(double value);

// "12.3 +- 0.4".
std::string WithDeviation(double mean, double deviation);

// One object on one line, with its newline. Text that is not UTF-8 is mended,
// numbers that are none become null.
std::string JsonLine(const Record& record);

// An array of such objects, one on each line.
std::string JsonArray(absl::Span<const Record> records);

// A heading and a line for each record. All records have the fields of the
// first, in its order.
std::string Csv(absl::Span<const Record> records);
std::string Markdown(absl::Span<const Record> records);

// A label and a value on each line, values aligned; or the same as a table in
// Markdown.
using Lines = std::vector<std::pair<std::string, std::string>>;
std::string TextLines(const Lines& lines);
std::string MarkdownLines(const Lines& lines);

}  // namespace millrace::bench

#endif  // MILLRACE_BENCH_RECORD_H_
