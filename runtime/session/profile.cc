// SPDX-License-Identifier: Apache-2.0
#include "runtime/session/profile.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "absl/strings/ascii.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"

namespace millrace::session {
namespace {

double Milliseconds(const ProfileEvent& event) {
  return event.end_ns > event.start_ns
             ? static_cast<double>(event.end_ns - event.start_ns) * 1e-6
             : 0.0;
}

bool IsNumber(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return absl::ascii_isdigit(c);
  });
}

size_t Widest(absl::Span<const ProfileRow> rows, absl::string_view title,
              std::string ProfileRow::* field) {
  size_t width = title.size();
  for (const ProfileRow& row : rows) {
    width = std::max(width, (row.*field).size());
  }
  return width;
}

}  // namespace

std::string WithoutLayerNumbers(const std::string& label) {
  std::vector<std::string> parts = absl::StrSplit(label, '.');
  for (std::string& part : parts) {
    if (IsNumber(part)) {
      part = "*";
    }
  }
  return absl::StrJoin(parts, ".");
}

std::vector<ProfileRow> SummarizeProfile(
    absl::Span<const ProfileEvent> events) {
  std::map<std::tuple<std::string, std::string, std::string>, ProfileRow> sums;
  double total_ms = 0.0;
  for (const ProfileEvent& event : events) {
    const std::string label = WithoutLayerNumbers(event.label);
    ProfileRow& row = sums[{event.entry_point, label, event.kernel}];
    row.entry_point = event.entry_point;
    row.label = label;
    row.kernel = event.kernel;
    ++row.dispatches;
    row.ms += Milliseconds(event);
    row.gb_per_s += event.bytes;     // still bytes
    row.gflop_per_s += event.flops;  // still flops
    total_ms += Milliseconds(event);
  }
  std::vector<ProfileRow> rows;
  for (auto& [key, row] : sums) {
    const double seconds = row.ms * 1e-3;
    row.gb_per_s = seconds > 0 ? row.gb_per_s / seconds * 1e-9 : 0.0;
    row.gflop_per_s = seconds > 0 ? row.gflop_per_s / seconds * 1e-9 : 0.0;
    row.share = total_ms > 0 ? row.ms / total_ms : 0.0;
    rows.push_back(std::move(row));
  }
  std::stable_sort(
      rows.begin(), rows.end(),
      [](const ProfileRow& a, const ProfileRow& b) { return a.ms > b.ms; });
  return rows;
}

std::string ProfileTable(absl::Span<const ProfileEvent> events) {
  const std::vector<ProfileRow> rows = SummarizeProfile(events);
  const int entry =
      static_cast<int>(Widest(rows, "entry", &ProfileRow::entry_point));
  const int label = static_cast<int>(Widest(rows, "op", &ProfileRow::label));
  const int kernel =
      static_cast<int>(Widest(rows, "kernel", &ProfileRow::kernel));
  std::string table =
      absl::StrFormat("%-*s  %-*s  %-*s  %6s  %10s  %9s  %8s  %9s  %6s\n",
                      entry, "entry", label, "op", kernel, "kernel", "count",
                      "ms", "us each", "GB/s", "GFLOP/s", "share");
  std::map<std::string, double> entry_ms;
  for (const ProfileRow& row : rows) {
    absl::StrAppendFormat(
        &table, "%-*s  %-*s  %-*s  %6d  %10.3f  %9.1f  %8.2f  %9.2f  %5.1f%%\n",
        entry, row.entry_point, label, row.label, kernel, row.kernel,
        row.dispatches, row.ms,
        row.ms * 1e3 / static_cast<double>(row.dispatches), row.gb_per_s,
        row.gflop_per_s, 100 * row.share);
    entry_ms[row.entry_point] += row.ms;
  }
  for (const auto& [name, ms] : entry_ms) {
    absl::StrAppendFormat(&table, "%s: %.3f ms in kernels\n", name, ms);
  }
  return table;
}

}  // namespace millrace::session
