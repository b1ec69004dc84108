// SPDX-License-Identifier: Apache-2.0
#include "runtime/session/loaded_model.h"

#include <utility>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "base/status_macros.h"
#include "runtime/session/programs.h"
#include "runtime/session/requirements.h"
#include "runtime/weights/progress.h"

namespace millrace::session {

absl::StatusOr<std::shared_ptr<const LoadedModel>> LoadedModel::Load(
    hal::Device& device, const plan::schema::Plan& plan,
    weights::WeightProvider& weights, bool show_progress) {
  MR_RETURN_IF_ERROR(CheckRequirements(plan, device.info()));
  const absl::Time start = absl::Now();
  MR_ASSIGN_OR_RETURN(auto programs, BuildPrograms(device, plan));
  const absl::Time built = absl::Now();
  MR_ASSIGN_OR_RETURN(DeviceObjects objects,
                      DeviceObjects::CreateWeights(device, plan));
  weights::Progress progress = show_progress
                                   ? weights::Progress("loading weights")
                                   : weights::Progress("", false);
  MR_RETURN_IF_ERROR(objects.UploadWeights(weights, progress));
  MR_RETURN_IF_ERROR(device.queue().Finish());
  // Not make_shared: the constructor is private.
  std::shared_ptr<LoadedModel> model(
      new LoadedModel(device, plan, std::move(objects)));
  model->programs_ = std::move(programs);
  LoadStats& stats = model->stats_;
  stats.build_s = absl::ToDoubleSeconds(built - start);
  stats.load_s = absl::ToDoubleSeconds(absl::Now() - built);
  stats.programs = static_cast<int>(model->programs_.size());
  for (const auto& program : model->programs_) {
    stats.programs_from_cache += program->from_cache() ? 1 : 0;
  }
  return model;
}

}  // namespace millrace::session
