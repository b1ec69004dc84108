// SPDX-License-Identifier: Apache-2.0
#include "base/report.h"

#include <cerrno>
#include <cstdio>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "base/utf8.h"

namespace millrace {
namespace {

// Lines of a build log, and bytes of each, that are shown.
constexpr size_t kMaxLogLines = 60;
constexpr size_t kMaxLogLineBytes = 300;

// Controls, separators of lines, marks that turn the direction of text.
bool IsShown(uint32_t code_point) {
  return code_point >= 0x20 && !(code_point >= 0x7f && code_point < 0xa0) &&
         !(code_point >= 0x2028 && code_point <= 0x202e) &&
         !(code_point >= 0x2066 && code_point <= 0x2069) &&
         code_point != 0xfeff;
}

std::string EscapeCodePoint(uint32_t code_point) {
  switch (code_point) {
    case '\n':
      return "\\n";
    case '\r':
      return "\\r";
    case '\t':
      return "\\t";
    default:
      return code_point < 0x80 ? absl::StrFormat("\\x%02x", code_point)
                               : absl::StrFormat("\\u{%x}", code_point);
  }
}

void AppendReadable(absl::string_view text, std::string* line) {
  while (!text.empty()) {
    const Utf8Step step = NextUtf8(text);
    const absl::string_view bytes = text.substr(0, step.length);
    if (step.kind != Utf8Step::kCharacter) {
      for (const char byte : bytes) {
        absl::StrAppendFormat(line, "\\x%02x", static_cast<uint8_t>(byte));
      }
    } else if (IsShown(step.code_point)) {
      absl::StrAppend(line, bytes);
    } else {
      absl::StrAppend(line, EscapeCodePoint(step.code_point));
    }
    text.remove_prefix(step.length);
  }
}

// The largest place up to `at` that is not inside a character.
size_t CharacterStart(absl::string_view text, size_t at) {
  for (int i = 0; i < 3 && at > 0 && (text[at] & 0xc0) == 0x80; ++i) {
    --at;
  }
  return at;
}

}  // namespace

std::string OneLine(absl::string_view message, size_t limit) {
  std::string line;
  if (message.size() <= limit) {
    AppendReadable(message, &line);
    return line;
  }
  const size_t head = CharacterStart(message, limit / 2);
  const size_t tail =
      CharacterStart(message, message.size() - (limit - limit / 2));
  AppendReadable(message.substr(0, head), &line);
  absl::StrAppend(&line, " ... (", tail - head, " bytes left out) ... ");
  AppendReadable(message.substr(tail), &line);
  return line;
}

void PrintMessage(absl::string_view prefix, absl::string_view message) {
  const size_t log = message.find(kBuildLogMark);
  std::string text = absl::StrCat(prefix, ": ");
  if (log == absl::string_view::npos) {
    absl::StrAppend(&text, OneLine(message), "\n");
  } else {
    absl::StrAppend(&text, OneLine(message.substr(0, log)), kBuildLogMark);
    const std::vector<absl::string_view> lines =
        absl::StrSplit(message.substr(log + kBuildLogMark.size()), '\n');
    for (size_t i = 0; i < lines.size() && i < kMaxLogLines; ++i) {
      absl::StrAppend(&text, "  ", OneLine(lines[i], kMaxLogLineBytes), "\n");
    }
    if (lines.size() > kMaxLogLines) {
      absl::StrAppend(&text, "  (", lines.size() - kMaxLogLines,
                      " more lines)\n");
    }
  }
  std::fputs(text.c_str(), stderr);
}

int ExitStatus(absl::string_view prefix, absl::Status status) {
  errno = 0;
  const bool written = std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
  if (status.ok() && !written) {
    status =
        errno == 0
            ? absl::UnavailableError("the standard output: cannot write")
            : absl::ErrnoToStatus(errno, "the standard output: cannot write");
  }
  if (status.ok()) {
    return 0;
  }
  PrintMessage(prefix, status.message());
  return 1;
}

}  // namespace millrace
