// SPDX-License-Identifier: Apache-2.0
#include "runtime/session/forms.h"

#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/status_macros.h"
#include "runtime/plan/text.h"
#include "runtime/session/requirements.h"

namespace millrace::session {
namespace {

using plan::Text;
using plan::schema::EntryPoint;
using plan::schema::Form;

// The kernels of the form and of its self-check.
std::set<uint32_t> KernelsOf(const Form& form) {
  std::set<uint32_t> kernels;
  for (const plan::schema::Dispatch* dispatch : *form.dispatches()) {
    kernels.insert(dispatch->kernel());
  }
  if (form.check() != nullptr) {
    for (const plan::schema::Dispatch* dispatch : *form.check()->dispatches()) {
      kernels.insert(dispatch->kernel());
    }
  }
  return kernels;
}

// The first line: build logs are long.
std::string FirstLine(absl::string_view text) {
  return std::string(text.substr(0, text.find('\n')));
}

absl::Status CheckKernels(const Form& form, const ProgramSet& programs) {
  for (uint32_t kernel : KernelsOf(form)) {
    MR_RETURN_IF_ERROR(programs.CreateKernel(kernel).status());
  }
  return absl::OkStatus();
}

}  // namespace

FormChooser::FormChooser(const plan::schema::Plan& plan,
                         const hal::DeviceInfo& info)
    : plan_(&plan), info_(&info), choices_(plan.entry_points()->size()) {}

const Form& FormChooser::FormOf(uint32_t entry) const {
  return *plan_->entry_points()->Get(entry)->forms()->Get(choices_[entry].form);
}

absl::Status FormChooser::Refuse(uint32_t entry, const absl::Status& reason) {
  const EntryPoint& point = *plan_->entry_points()->Get(entry);
  if (point.forms()->size() == 1) {
    return reason;
  }
  FormChoice& choice = choices_[entry];
  choice.refused.push_back(absl::StrCat(Text(FormOf(entry).name()), ": ",
                                        FirstLine(reason.message())));
  if (++choice.form < point.forms()->size()) {
    return absl::OkStatus();
  }
  return absl::FailedPreconditionError(
      absl::StrCat("entry point '", Text(point.name()),
                   "': this device runs none of its forms: ",
                   absl::StrJoin(choice.refused, "; ")));
}

absl::Status FormChooser::SkipUnmet(uint32_t entry) {
  for (;;) {
    const absl::Status met = CheckNeeds(*FormOf(entry).needs(), *info_);
    if (met.ok()) {
      return met;
    }
    MR_RETURN_IF_ERROR(Refuse(entry, met));
  }
}

absl::Status FormChooser::Choose(ProgramSet& programs) {
  for (bool again = true; again;) {
    again = false;
    std::vector<uint32_t> wanted;
    for (uint32_t entry = 0; entry < choices_.size(); ++entry) {
      MR_RETURN_IF_ERROR(SkipUnmet(entry));
      for (uint32_t kernel : KernelsOf(FormOf(entry))) {
        wanted.push_back(plan_->kernels()->Get(kernel)->program());
      }
    }
    programs.Build(wanted);
    for (uint32_t entry = 0; entry < choices_.size(); ++entry) {
      const absl::Status built = CheckKernels(FormOf(entry), programs);
      if (!built.ok()) {
        MR_RETURN_IF_ERROR(Refuse(entry, built));
        again = true;
      }
    }
  }
  return absl::OkStatus();
}

bool FormChooser::HasChecks() const {
  for (uint32_t entry = 0; entry < choices_.size(); ++entry) {
    if (FormOf(entry).check() != nullptr) {
      return true;
    }
  }
  return false;
}

absl::Status FormChooser::CheckAll(ProgramSet& programs, Check check) {
  for (uint32_t entry = 0; entry < choices_.size(); ++entry) {
    while (FormOf(entry).check() != nullptr) {
      const absl::Status passed = check(FormOf(entry));
      if (passed.ok()) {
        break;
      }
      MR_RETURN_IF_ERROR(Refuse(entry, passed));
      MR_RETURN_IF_ERROR(Choose(programs));
    }
  }
  return absl::OkStatus();
}

std::string DescribeForms(const plan::schema::Plan& plan,
                          const std::vector<FormChoice>& choices) {
  std::string text;
  for (uint32_t entry = 0; entry < choices.size(); ++entry) {
    const EntryPoint& point = *plan.entry_points()->Get(entry);
    const FormChoice& choice = choices[entry];
    if (point.forms()->size() == 1) {
      continue;
    }
    absl::StrAppend(&text, Text(point.name()), ": form '",
                    Text(point.forms()->Get(choice.form)->name()), "'");
    if (!choice.refused.empty()) {
      absl::StrAppend(&text, ", not ", absl::StrJoin(choice.refused, "; "));
    }
    absl::StrAppend(&text, "\n");
  }
  return text;
}

}  // namespace millrace::session
