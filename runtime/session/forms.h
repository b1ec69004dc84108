// SPDX-License-Identifier: Apache-2.0
//
// Which form of each entry point a device runs: the first whose needs it meets,
// whose programs build and whose self-check passes.
#ifndef MILLRACE_RUNTIME_SESSION_FORMS_H_
#define MILLRACE_RUNTIME_SESSION_FORMS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "runtime/hal/device_info.h"
#include "runtime/plan/plan_generated.h"
#include "runtime/session/programs.h"

namespace millrace::session {

// The form of one entry point, and why not those before it.
struct FormChoice {
  uint32_t form = 0;
  std::vector<std::string> refused;  // one line for each form before
};

class FormChooser {
 public:
  FormChooser(const plan::schema::Plan& plan, const hal::DeviceInfo& info);

  // Takes for each entry point the first form whose needs the device meets and
  // whose programs build; builds all of them at once as long as none fails. An
  // error when an entry point has no form left: its own where there was only
  // one, else one line with the reason for each.
  absl::Status Choose(ProgramSet& programs);

  // Calls `check` for each chosen form that has a self-check. Where that fails
  // the next form is chosen, as above, and checked.
  using Check = absl::FunctionRef<absl::Status(const plan::schema::Form&)>;
  absl::Status CheckAll(ProgramSet& programs, Check check);

  // True if one of the chosen forms has a self-check.
  bool HasChecks() const;

  // One for each entry point.
  const std::vector<FormChoice>& choices() const { return choices_; }

 private:
  const plan::schema::Form& FormOf(uint32_t entry) const;
  // Goes on to the next form, as the one that is chosen fails for `reason`.
  absl::Status Refuse(uint32_t entry, const absl::Status& reason);
  // Until the chosen form is one whose needs are met.
  absl::Status SkipUnmet(uint32_t entry);

  const plan::schema::Plan* plan_;
  const hal::DeviceInfo* info_;
  std::vector<FormChoice> choices_;
};

// A line for each entry point of `plan` that has a choice: what was taken and
// why not what came before. Empty where there is none.
std::string DescribeForms(const plan::schema::Plan& plan,
                          const std::vector<FormChoice>& choices);

}  // namespace millrace::session

#endif  // MILLRACE_RUNTIME_SESSION_FORMS_H_
