// SPDX-License-Identifier: Apache-2.0
//
// The grammar of forms; see form.h, whose GetForm is the way in.

#ifndef MILLRACE_LAYOUT_FORM_PARSER_H_
#define MILLRACE_LAYOUT_FORM_PARSER_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "layout/form.h"

namespace millrace::layout {

// Parses the text of a form. The name of the result is the text. Errors say
// what is wrong and where, but not in which form.
absl::StatusOr<Form> ParseForm(absl::string_view text, int64_t og);

}  // namespace millrace::layout

#endif  // MILLRACE_LAYOUT_FORM_PARSER_H_
