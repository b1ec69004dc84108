// SPDX-License-Identifier: Apache-2.0
#include "models/text/regex.h"

#include <cstdint>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include "pcre2.h"

namespace millrace::text {
namespace {

constexpr size_t kMaxPatternBytes = 1 << 16;
// Backtracking steps and memory of one match: far above what real patterns
// need on a megabyte of blanks, and still only a second or so.
constexpr uint32_t kMatchLimit = 20'000'000;
constexpr uint32_t kHeapLimitKib = 256 * 1024;

std::string ErrorText(int code) {
  PCRE2_UCHAR buffer[160];
  pcre2_get_error_message(code, buffer, sizeof(buffer));
  return reinterpret_cast<const char*>(buffer);
}

// PCRE2's \s holds U+180E, which left Unicode's White_Space in version 6.3.
std::string WithUnicodeSpaces(absl::string_view pattern) {
  std::string result;
  for (size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != '\\' || i + 1 == pattern.size()) {
      result.push_back(pattern[i]);
      continue;
    }
    ++i;
    if (pattern[i] == 's' || pattern[i] == 'S') {
      absl::StrAppend(&result, pattern[i] == 's' ? "\\p" : "\\P",
                      "{White_Space}");
    } else {
      result.push_back('\\');
      result.push_back(pattern[i]);
    }
  }
  return result;
}

struct FreeMatch {
  void operator()(pcre2_match_data* data) const { pcre2_match_data_free(data); }
  void operator()(pcre2_match_context* context) const {
    pcre2_match_context_free(context);
  }
};

void AddPiece(absl::string_view piece, std::vector<absl::string_view>* pieces) {
  if (!piece.empty()) {
    pieces->push_back(piece);
  }
}

// One pass over a text.
class Matcher {
 public:
  Matcher(const pcre2_code* code, absl::string_view text)
      : code_(code),
        text_(text),
        data_(pcre2_match_data_create_from_pattern(code, nullptr)),
        context_(pcre2_match_context_create(nullptr)) {
    pcre2_set_match_limit(context_.get(), kMatchLimit);
    pcre2_set_heap_limit(context_.get(), kHeapLimitKib);
  }

  // The first match at or after `start`: its end, or PCRE2's negative code.
  int Find(size_t start, size_t* begin, size_t* end) {
    int rc = Match(start, PCRE2_NO_UTF_CHECK);
    if (rc == PCRE2_ERROR_JIT_STACKLIMIT) {
      rc = Match(start, PCRE2_NO_UTF_CHECK | PCRE2_NO_JIT);
    }
    if (rc >= 0) {
      const PCRE2_SIZE* ovector = pcre2_get_ovector_pointer(data_.get());
      *begin = ovector[0];
      *end = ovector[1];
    }
    return rc;
  }

 private:
  int Match(size_t start, uint32_t options) {
    return pcre2_match(code_, reinterpret_cast<PCRE2_SPTR>(text_.data()),
                       text_.size(), start, options, data_.get(),
                       context_.get());
  }

  const pcre2_code* code_;
  absl::string_view text_;
  std::unique_ptr<pcre2_match_data, FreeMatch> data_;
  std::unique_ptr<pcre2_match_context, FreeMatch> context_;
};

size_t CharacterLength(char lead) {
  const uint8_t byte = static_cast<uint8_t>(lead);
  return byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
}

}  // namespace

void Regex::FreeCode::operator()(void* code) const {
  pcre2_code_free(static_cast<pcre2_code*>(code));
}

absl::StatusOr<Regex> Regex::CompileWith(absl::string_view pattern,
                                         uint32_t options,
                                         absl::string_view where) {
  if (pattern.size() > kMaxPatternBytes) {
    return absl::InvalidArgumentError(
        absl::StrCat(where, ": wanted a pattern of at most ", kMaxPatternBytes,
                     " bytes, found ", pattern.size()));
  }
  int error = 0;
  PCRE2_SIZE offset = 0;
  pcre2_code* code = pcre2_compile(reinterpret_cast<PCRE2_SPTR>(pattern.data()),
                                   pattern.size(), PCRE2_UTF | options, &error,
                                   &offset, nullptr);
  if (code == nullptr) {
    return absl::InvalidArgumentError(
        absl::StrCat(where, ": not a regular expression: ", ErrorText(error),
                     " at byte ", offset));
  }
  // Faster where it is supported; matching works without it.
  pcre2_jit_compile(code, PCRE2_JIT_COMPLETE);
  Regex regex;
  regex.code_.reset(code);
  return regex;
}

absl::StatusOr<Regex> Regex::Compile(absl::string_view pattern,
                                     absl::string_view where) {
  // \C would cut characters in two.
  return CompileWith(WithUnicodeSpaces(pattern),
                     PCRE2_UCP | PCRE2_NEVER_BACKSLASH_C, where);
}

absl::StatusOr<Regex> Regex::CompileLiteral(absl::string_view text,
                                            absl::string_view where) {
  return CompileWith(text, PCRE2_LITERAL, where);
}

absl::Status Regex::FindAll(absl::string_view text,
                            std::vector<Match>* matches) const {
  Matcher matcher(static_cast<const pcre2_code*>(code_.get()), text);
  size_t start = 0;  // Where the next match is looked for.
  while (start < text.size()) {
    size_t begin = 0;
    size_t end = 0;
    const int rc = matcher.Find(start, &begin, &end);
    if (rc == PCRE2_ERROR_NOMATCH) {
      break;
    }
    if (rc < 0) {
      return absl::ResourceExhaustedError(
          absl::StrCat("the tokenizer's pattern failed on the text from byte ",
                       start, " on: ", ErrorText(rc)));
    }
    if (end <= begin || begin < start) {  // Empty, or moved by \K.
      start += CharacterLength(text[start]);
      continue;
    }
    matches->push_back({begin, end});
    start = end;
  }
  return absl::OkStatus();
}

absl::Status Regex::Split(absl::string_view text,
                          std::vector<absl::string_view>* pieces) const {
  std::vector<Match> matches;
  MR_RETURN_IF_ERROR(FindAll(text, &matches));
  size_t done = 0;  // Everything before it is in `pieces`.
  for (const Match& match : matches) {
    AddPiece(text.substr(done, match.begin - done), pieces);
    AddPiece(text.substr(match.begin, match.end - match.begin), pieces);
    done = match.end;
  }
  AddPiece(text.substr(done), pieces);
  return absl::OkStatus();
}

absl::StatusOr<Regex> ReadPattern(const checkpoints::JsonFields& step) {
  MR_ASSIGN_OR_RETURN(const checkpoints::JsonFields pattern,
                      step.Object("pattern"));
  const bool is_regex = pattern.Find("Regex") != nullptr;
  const char* key = is_regex ? "Regex" : "String";
  MR_ASSIGN_OR_RETURN(const std::string text, pattern.String(key));
  return is_regex ? Regex::Compile(text, pattern.Where(key))
                  : Regex::CompileLiteral(text, pattern.Where(key));
}

}  // namespace millrace::text
