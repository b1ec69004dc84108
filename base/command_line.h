// SPDX-License-Identifier: Apache-2.0
//
// Options of a command line: `--name=value`, `--name value`, and `--name` alone
// for switches. Names have dashes (`--stop-after`); an option may have a letter
// too (`-f value`). What is wrong with a
// command line is one line; nothing exits, and there are no globals.
#ifndef MILLRACE_BASE_COMMAND_LINE_H_
#define MILLRACE_BASE_COMMAND_LINE_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace millrace {

class CommandLine {
 public:
  // `usage` is the line that says how to call the program.
  explicit CommandLine(std::string usage) : usage_(std::move(usage)) {}

  // Each option: its name without dashes, a word for its value, one sentence of
  // help, and where the value goes, which keeps what it has when the option is
  // absent. The last one wins when an option is repeated.
  void AddString(absl::string_view name, absl::string_view value_word,
                 absl::string_view help, std::string* out);
  void AddInteger(absl::string_view name, absl::string_view value_word,
                  absl::string_view help, std::optional<int64_t>* out);
  void AddSwitch(absl::string_view name, absl::string_view help, bool* out);
  // Repeated, it adds one string each time.
  void AddStrings(absl::string_view name, absl::string_view value_word,
                  absl::string_view help, std::vector<std::string>* out);
  // A letter for an option that was added before.
  void AddLetter(char letter, absl::string_view name);

  // `arguments` without the program's name. What is no option is appended to
  // `positional`, or is an error where that is null. `--` ends the options.
  absl::Status Parse(absl::Span<const char* const> arguments,
                     std::vector<std::string>* positional = nullptr);

  // `--help` or `-h` was given; Parse looks no further then.
  bool help_wanted() const { return help_wanted_; }

  // Usage and the options, as text that ends with a newline.
  std::string Help() const;

 private:
  struct Option {
    std::string name;
    std::string value_word;  // empty: a switch
    std::string help;
    std::function<absl::Status(absl::string_view value)> set;
    char letter = '\0';
  };

  // `-f value`; false when `argument` is no option with a letter.
  absl::StatusOr<bool> ParseLetter(absl::string_view argument,
                                   absl::Span<const char* const> rest,
                                   size_t* used);
  absl::Status Set(const Option& option, absl::Span<const char* const> rest,
                   size_t* used);
  absl::Status ParseOption(absl::string_view text,
                           absl::Span<const char* const> rest, size_t* used);

  std::string usage_;
  std::vector<Option> options_;
  bool help_wanted_ = false;
};

}  // namespace millrace

#endif  // MILLRACE_BASE_COMMAND_LINE_H_
