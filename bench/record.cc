// SPDX-License-Identifier: Apache-2.0
#include "bench/record.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "nlohmann/json.hpp"

namespace millrace::bench {
namespace {

using Json = nlohmann::ordered_json;

std::string Dump(const Record& record) {
  Json object = Json::object();
  for (const Field& field : record) {
    std::visit([&](const auto& value) { object[field.name] = value; },
               field.value);
  }
  return object.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string ToText(const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) {
    return *text;
  }
  if (const auto* integer = std::get_if<int64_t>(&value)) {
    return absl::StrCat(*integer);
  }
  return ShortNumber(std::get<double>(value));
}

std::string CsvCell(const Value& value) {
  if (const auto* real = std::get_if<double>(&value)) {
    return absl::StrFormat("%.9g", *real);
  }
  const std::string text = ToText(value);
  if (text.find_first_of(",\"\r\n") == std::string::npos) {
    return text;
  }
  return absl::StrCat("\"", absl::StrReplaceAll(text, {{"\"", "\"\""}}), "\"");
}

std::string MarkdownCell(const std::string& text) {
  return absl::StrReplaceAll(text, {{"|", "\\|"}, {"\n", " "}});
}

}  // namespace

absl::StatusOr<OutputForm> ParseOutputForm(absl::string_view name) {
  if (name == "text") {
    return OutputForm::kText;
  }
  if (name == "md") {
    return OutputForm::kMarkdown;
  }
  if (name == "csv") {
    return OutputForm::kCsv;
  }
  if (name == "json") {
    return OutputForm::kJson;
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "--output: wanted text, md, csv or json, found '", name, "'"));
}

std::string ShortNumber(double value) {
  if (std::isfinite(value) && std::abs(value) >= 1000.0) {
    return absl::StrFormat("%.0f", value);
  }
  return absl::StrFormat("%.4g", value);
}

std::string WithDeviation(double mean, double deviation) {
  const std::string spread = std::isfinite(deviation) && deviation >= 10.0
                                 ? absl::StrFormat("%.0f", deviation)
                                 : absl::StrFormat("%.2g", deviation);
  return absl::StrCat(ShortNumber(mean), " +- ", spread);
}

std::string JsonLine(const Record& record) {
  return absl::StrCat(Dump(record), "\n");
}

std::string JsonArray(absl::Span<const Record> records) {
  return absl::StrCat("[",
                      absl::StrJoin(records, ",\n ",
                                    [](std::string* out, const Record& record) {
                                      absl::StrAppend(out, Dump(record));
                                    }),
                      "]\n");
}

std::string Csv(absl::Span<const Record> records) {
  if (records.empty()) {
    return "";
  }
  std::string text =
      absl::StrCat(absl::StrJoin(records.front(), ",",
                                 [](std::string* out, const Field& field) {
                                   absl::StrAppend(out, field.name);
                                 }),
                   "\n");
  for (const Record& record : records) {
    absl::StrAppend(&text,
                    absl::StrJoin(record, ",",
                                  [](std::string* out, const Field& field) {
                                    absl::StrAppend(out, CsvCell(field.value));
                                  }),
                    "\n");
  }
  return text;
}

std::string Markdown(absl::Span<const Record> records) {
  if (records.empty()) {
    return "";
  }
  std::string text = "|";
  std::string rule = "|";
  for (const Field& field : records.front()) {
    const bool number = !std::holds_alternative<std::string>(field.value);
    absl::StrAppend(&text, " ", MarkdownCell(field.name), " |");
    absl::StrAppend(&rule, number ? " ---: |" : " --- |");
  }
  absl::StrAppend(&text, "\n", rule, "\n");
  for (const Record& record : records) {
    absl::StrAppend(&text, "|");
    for (const Field& field : record) {
      absl::StrAppend(&text, " ", MarkdownCell(ToText(field.value)), " |");
    }
    absl::StrAppend(&text, "\n");
  }
  return text;
}

std::string TextLines(const Lines& lines) {
  size_t width = 0;
  for (const auto& [label, value] : lines) {
    width = std::max(width, label.size());
  }
  std::string text;
  for (const auto& [label, value] : lines) {
    absl::StrAppendFormat(&text, "%-*s  %s\n", static_cast<int>(width), label,
                          value);
  }
  return text;
}

std::string MarkdownLines(const Lines& lines) {
  std::string text = "| | |\n| --- | --- |\n";
  for (const auto& [label, value] : lines) {
    absl::StrAppend(&text, "| ", MarkdownCell(label), " | ",
                    MarkdownCell(value), " |\n");
  }
  return text;
}

}  // namespace millrace::bench
