// SPDX-License-Identifier: Apache-2.0
#include "runtime/session/loaded_model.h"

#include <utility>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "base/status_macros.h"
#include "runtime/session/requirements.h"
#include "runtime/session/self_check.h"
#include "runtime/weights/progress.h"

namespace millrace::session {

absl::StatusOr<std::shared_ptr<const LoadedModel>> LoadedModel::Load(
    hal::Device& device, const plan::schema::Plan& plan,
    weights::WeightProvider& weights, bool show_progress) {
  MR_RETURN_IF_ERROR(CheckRequirements(plan, device.info()));
  const absl::Time start = absl::Now();
  ProgramSet programs(device, plan);
  FormChooser chooser(plan, device.info());
  MR_RETURN_IF_ERROR(chooser.Choose(programs));
  const absl::Time built = absl::Now();
  MR_ASSIGN_OR_RETURN(DeviceObjects objects,
                      DeviceObjects::CreateWeights(device, plan));
  weights::Progress progress = show_progress
                                   ? weights::Progress("loading weights")
                                   : weights::Progress("", false);
  MR_RETURN_IF_ERROR(objects.UploadWeights(weights, progress));
  MR_RETURN_IF_ERROR(device.queue().Finish());
  const absl::Time loaded = absl::Now();
  // Not make_shared: the constructor is private.
  std::shared_ptr<LoadedModel> model(
      new LoadedModel(device, plan, std::move(programs), std::move(objects)));
  MR_RETURN_IF_ERROR(model->RunSelfChecks(chooser));
  model->forms_ = chooser.choices();
  LoadStats& stats = model->stats_;
  stats.build_s = absl::ToDoubleSeconds(built - start + (absl::Now() - loaded));
  stats.load_s = absl::ToDoubleSeconds(loaded - built);
  stats.programs = model->programs_.built();
  stats.programs_from_cache = model->programs_.from_cache();
  return model;
}

absl::Status LoadedModel::RunSelfChecks(FormChooser& chooser) {
  if (!chooser.HasChecks()) {
    return absl::OkStatus();
  }
  MR_ASSIGN_OR_RETURN(const DeviceObjects objects,
                      DeviceObjects::CreateOthers(*device_, *plan_,
                                                  /*clear_activations=*/true));
  return chooser.CheckAll(programs_, [&](const plan::schema::Form& form) {
    return RunSelfCheck(*this, form, objects);
  });
}

}  // namespace millrace::session
