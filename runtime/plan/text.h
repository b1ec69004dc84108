// SPDX-License-Identifier: Apache-2.0
//
// The strings of a plan as the rest of the runtime takes them.
#ifndef MILLRACE_RUNTIME_PLAN_TEXT_H_
#define MILLRACE_RUNTIME_PLAN_TEXT_H_

#include "absl/strings/string_view.h"
#include "flatbuffers/flatbuffers.h"

namespace millrace::plan {

// Empty for a string that is absent. Valid as long as the plan.
inline absl::string_view Text(const flatbuffers::String* text) {
  return text == nullptr ? absl::string_view()
                         : absl::string_view(text->c_str(), text->size());
}

}  // namespace millrace::plan

#endif  // MILLRACE_RUNTIME_PLAN_TEXT_H_
