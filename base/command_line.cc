// SPDX-License-Identifier: Apache-2.0
#include "base/command_line.h"

#include <algorithm>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/strip.h"
#include "base/status_macros.h"

namespace millrace {

void CommandLine::AddString(absl::string_view name,
                            absl::string_view value_word,
                            absl::string_view help, std::string* out) {
  options_.push_back({std::string(name), std::string(value_word),
                      std::string(help), [out](absl::string_view value) {
                        *out = std::string(value);
                        return absl::OkStatus();
                      }});
}

void CommandLine::AddInteger(absl::string_view name,
                             absl::string_view value_word,
                             absl::string_view help,
                             std::optional<int64_t>* out) {
  const auto set = [out, option = std::string(name)](absl::string_view value) {
    int64_t number = 0;
    if (!absl::SimpleAtoi(value, &number)) {
      return absl::InvalidArgumentError(absl::StrCat(
          "--", option, ": wanted a whole number, found '", value, "'"));
    }
    *out = number;
    return absl::OkStatus();
  };
  options_.push_back(
      {std::string(name), std::string(value_word), std::string(help), set});
}

void CommandLine::AddSwitch(absl::string_view name, absl::string_view help,
                            bool* out) {
  options_.push_back(
      {std::string(name), "", std::string(help), [out](absl::string_view) {
         *out = true;
         return absl::OkStatus();
       }});
}

void CommandLine::AddStrings(absl::string_view name,
                             absl::string_view value_word,
                             absl::string_view help,
                             std::vector<std::string>* out) {
  options_.push_back({std::string(name), std::string(value_word),
                      std::string(help), [out](absl::string_view value) {
                        out->push_back(std::string(value));
                        return absl::OkStatus();
                      }});
}

void CommandLine::AddLetter(char letter, absl::string_view name) {
  for (Option& option : options_) {
    if (option.name == name) {
      option.letter = letter;
    }
  }
}

absl::Status CommandLine::Parse(absl::Span<const char* const> arguments,
                                std::vector<std::string>* positional) {
  bool options_ended = false;
  for (size_t i = 0; i < arguments.size(); ++i) {
    absl::string_view argument = arguments[i];
    if (!options_ended && (argument == "--help" || argument == "-h")) {
      help_wanted_ = true;
      return absl::OkStatus();
    }
    bool is_letter = false;
    if (!options_ended) {
      MR_ASSIGN_OR_RETURN(is_letter,
                          ParseLetter(argument, arguments.subspan(i + 1), &i));
    }
    if (is_letter) {
      continue;
    }
    if (!options_ended && argument == "--") {
      options_ended = true;
    } else if (!options_ended && absl::ConsumePrefix(&argument, "--")) {
      size_t used = 0;
      MR_RETURN_IF_ERROR(
          ParseOption(argument, arguments.subspan(i + 1), &used));
      i += used;
    } else if (positional != nullptr &&
               (options_ended || !absl::StartsWith(argument, "-"))) {
      positional->push_back(std::string(argument));
    } else {
      return absl::InvalidArgumentError(
          absl::StrCat("unexpected argument '", argument, "'"));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<bool> CommandLine::ParseLetter(
    absl::string_view argument, absl::Span<const char* const> rest,
    size_t* used) {
  if (argument.size() != 2 || argument[0] != '-' || argument[1] == '-') {
    return false;
  }
  const auto option =
      std::find_if(options_.begin(), options_.end(),
                   [&](const Option& o) { return o.letter == argument[1]; });
  if (option == options_.end()) {
    return false;
  }
  size_t words = 0;
  MR_RETURN_IF_ERROR(Set(*option, rest, &words));
  *used += words;
  return true;
}

absl::Status CommandLine::ParseOption(absl::string_view text,
                                      absl::Span<const char* const> rest,
                                      size_t* used) {
  const size_t equals = text.find('=');
  const absl::string_view name = text.substr(0, equals);
  const auto option =
      std::find_if(options_.begin(), options_.end(),
                   [name](const Option& o) { return o.name == name; });
  if (option == options_.end()) {
    return absl::InvalidArgumentError(
        absl::StrCat("no option --", name, "; see --help"));
  }
  const bool has_value = equals != absl::string_view::npos;
  if (!has_value) {
    return Set(*option, rest, used);
  }
  if (option->value_word.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("--", name, " takes no value"));
  }
  return option->set(text.substr(equals + 1));
}

absl::Status CommandLine::Set(const Option& option,
                              absl::Span<const char* const> rest,
                              size_t* used) {
  if (option.value_word.empty()) {
    return option.set("");
  }
  if (rest.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("--", option.name, ": wanted a value (", option.value_word,
                     "), found the end of the command line"));
  }
  *used = 1;
  return option.set(rest[0]);
}

std::string CommandLine::Help() const {
  std::string text = absl::StrCat("usage: ", usage_, "\n\noptions:\n");
  const auto spelled = [](const Option& option) {
    const std::string letter =
        option.letter == '\0'
            ? ""
            : absl::StrCat("-", std::string(1, option.letter), ", ");
    return option.value_word.empty() ? absl::StrCat(letter, "--", option.name)
                                     : absl::StrCat(letter, "--", option.name,
                                                    "=", option.value_word);
  };
  size_t width = 0;
  for (const Option& option : options_) {
    width = std::max(width, spelled(option).size());
  }
  for (const Option& option : options_) {
    absl::StrAppendFormat(&text, "  %-*s  %s\n", static_cast<int>(width),
                          spelled(option), option.help);
  }
  return text;
}

}  // namespace millrace
