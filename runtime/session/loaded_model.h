// SPDX-License-Identifier: Apache-2.0
//
// A plan on a device: its programs and its weights, which any number of
// sessions share. What a conversation needs for itself (states, activations,
// inputs and outputs) is in session.h.
#ifndef MILLRACE_RUNTIME_SESSION_LOADED_MODEL_H_
#define MILLRACE_RUNTIME_SESSION_LOADED_MODEL_H_

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/hal/device.h"
#include "runtime/plan/plan_generated.h"
#include "runtime/session/device_objects.h"
#include "runtime/session/forms.h"
#include "runtime/session/programs.h"
#include "runtime/weights/provider.h"

namespace millrace::session {

// What loading cost.
struct LoadStats {
  double build_s = 0.0;  // programs, and self-checks of forms
  double load_s = 0.0;   // allocation and weights
  int programs = 0;
  int programs_from_cache = 0;
};

class LoadedModel {
 public:
  // Checks that the device meets the plan, with one session, before it
  // allocates; then builds the programs of the forms that it takes, uploads the
  // weights and runs the forms' self-checks, if there are any, in memory that a
  // session would have. `device` and `plan` (which a Plan verified) outlive the
  // model, `weights` need not. With `show_progress` the upload is seen on a
  // terminal.
  static absl::StatusOr<std::shared_ptr<const LoadedModel>> Load(
      hal::Device& device, const plan::schema::Plan& plan,
      weights::WeightProvider& weights, bool show_progress = true);

  hal::Device& device() const { return *device_; }
  const plan::schema::Plan& plan() const { return *plan_; }
  const LoadStats& stats() const { return stats_; }

  // The weights; objects of other memory are not there.
  const DeviceObjects& objects() const { return objects_; }
  const ProgramSet& programs() const { return programs_; }

  // The form that was taken of each entry point, and why.
  const std::vector<FormChoice>& forms() const { return forms_; }
  const plan::schema::Form& form(uint32_t entry_point) const {
    return *plan_->entry_points()
                ->Get(entry_point)
                ->forms()
                ->Get(forms_[entry_point].form);
  }

 private:
  LoadedModel(hal::Device& device, const plan::schema::Plan& plan,
              ProgramSet programs, DeviceObjects objects)
      : device_(&device),
        plan_(&plan),
        programs_(std::move(programs)),
        objects_(std::move(objects)) {}

  absl::Status RunSelfChecks(FormChooser& chooser);

  hal::Device* device_;
  const plan::schema::Plan* plan_;
  ProgramSet programs_;
  DeviceObjects objects_;
  std::vector<FormChoice> forms_;
  LoadStats stats_;
};

}  // namespace millrace::session

#endif  // MILLRACE_RUNTIME_SESSION_LOADED_MODEL_H_
