// SPDX-License-Identifier: Apache-2.0
//
// Which of its family's candidates each op is computed by: what was measured,
// else what the family's rule says.
#include <algorithm>

#include "absl/strings/string_view.h"
#include "compiler/device/module_profile.h"
#include "compiler/device/schedule.h"
#include "compiler/device/tuning/tuning.h"
#include "compiler/kernel/builders/family.h"
#include "compiler/kernel/builders/signature.h"
#include "compiler/kernel/ir/kernel.h"
#include "compiler/kernel/lowering/lower_to_kernels.h"

namespace millrace::kernel {

#define GEN_PASS_DEF_CHOOSESCHEDULESPASS
#include "compiler/kernel/lowering/passes.h.inc"

namespace {

struct ChooseSchedules : impl::ChooseSchedulesPassBase<ChooseSchedules> {
  using ChooseSchedulesPassBase::ChooseSchedulesPassBase;

  void runOnOperation() override {
    mlir::FailureOr<device::DeviceProfile> profile =
        device::ProfileOf(getOperation());
    if (mlir::failed(profile)) {
      return signalPassFailure();
    }
    getOperation().walk([&](mlir::Operation* op) {
      const Family* family = FamilyOf(op);
      if (family != nullptr && !op->hasAttr(kScheduleAttribute)) {
        Choose(op, family->Candidates(op, *profile), *profile);
      }
    });
  }

 private:
  // Nothing is said of an op that can be computed in one way only.
  void Choose(mlir::Operation* op,
              const std::vector<device::Schedule>& candidates,
              const device::DeviceProfile& profile) {
    if (candidates.size() <= 1) {
      return;
    }
    const std::string signature = SignatureOf(op);
    std::string chosen(device::TunedSchedule(profile.name, signature));
    if (candidate >= 0) {
      const auto last = static_cast<int64_t>(candidates.size()) - 1;
      chosen = device::ToText(
          candidates[std::min<int64_t>(candidate.getValue(), last)]);
    } else if (chosen.empty()) {
      chosen = device::ToText(candidates.front());
    }
    op->setAttr(kScheduleAttribute,
                ScheduleAttr::get(op->getContext(), chosen));
    if (report) {
      Report(op, signature, candidates, chosen);
    }
  }

  static void Report(mlir::Operation* op, const std::string& signature,
                     const std::vector<device::Schedule>& candidates,
                     const std::string& chosen) {
    auto remark = op->emitRemark(signature);
    for (const device::Schedule& candidate : candidates) {
      const std::string text = device::ToText(candidate);
      remark << "; " << text << (text == chosen ? " (chosen)" : "");
    }
  }
};

}  // namespace
}  // namespace millrace::kernel
