// SPDX-License-Identifier: Apache-2.0
#include "runtime/session/session.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "base/status_macros.h"
#include "runtime/plan/text.h"
#include "runtime/session/bind_dispatch.h"
#include "runtime/session/grid.h"

namespace millrace::session {
namespace {

using plan::Text;
using plan::schema::Dispatch;
using plan::schema::EntryPoint;
using plan::schema::Port;

double SecondsSince(absl::Time start) {
  return absl::ToDoubleSeconds(absl::Now() - start);
}

// The buffer of port `index`, which must have room for `bytes`.
absl::StatusOr<uint32_t> PortObject(
    const flatbuffers::Vector<flatbuffers::Offset<Port>>& ports, int index,
    size_t bytes, const plan::schema::Plan& plan) {
  if (index < 0 || static_cast<uint32_t>(index) >= ports.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("port number ", index, ", but there are ", ports.size()));
  }
  const Port& port = *ports.Get(static_cast<uint32_t>(index));
  const int64_t room = plan.objects()->Get(port.object())->bytes();
  if (static_cast<int64_t>(bytes) > room) {
    return absl::InvalidArgumentError(absl::StrCat("port '", Text(port.name()),
                                                   "': wanted at most ", room,
                                                   " bytes, found ", bytes));
  }
  return port.object();
}

// What remains of the costs of `dispatch` with these parameters.
double CostShare(const Dispatch& dispatch,
                 absl::Span<const int32_t> parameters) {
  if (dispatch.cost_param() < 0) {
    return 1.0;
  }
  const int32_t value = parameters[static_cast<size_t>(dispatch.cost_param())];
  return std::min(1.0, static_cast<double>(value) /
                           static_cast<double>(dispatch.cost_full()));
}

}  // namespace

Session::Session(std::shared_ptr<const LoadedModel> model,
                 DeviceObjects objects)
    : model_(std::move(model)),
      device_(&model_->device()),
      plan_(&model_->plan()),
      objects_(std::move(objects)) {}

absl::StatusOr<std::unique_ptr<Session>> Session::Open(
    hal::Device& device, const plan::schema::Plan& plan,
    weights::WeightProvider& weights, const SessionOptions& options) {
  MR_ASSIGN_OR_RETURN(
      std::shared_ptr<const LoadedModel> model,
      LoadedModel::Load(device, plan, weights, options.show_progress));
  return Open(std::move(model), options);
}

absl::StatusOr<std::unique_ptr<Session>> Session::Open(
    std::shared_ptr<const LoadedModel> model, const SessionOptions& options) {
  const absl::Time start = absl::Now();
  hal::Device& device = model->device();
  const int64_t bytes_before = device.allocated_bytes();
  MR_ASSIGN_OR_RETURN(DeviceObjects objects,
                      DeviceObjects::CreateOthers(device, model->plan(),
                                                  options.clear_activations));
  MR_RETURN_IF_ERROR(device.queue().Finish());
  const absl::Time allocated = absl::Now();
  // Not make_unique: the constructor is private.
  std::unique_ptr<Session> session(
      new Session(std::move(model), std::move(objects)));
  MR_RETURN_IF_ERROR(session->BindAll());
  const LoadStats& loaded = session->model_->stats();
  SessionStats& stats = session->stats_;
  stats.build_s = loaded.build_s + SecondsSince(allocated);
  stats.load_s = loaded.load_s + absl::ToDoubleSeconds(allocated - start);
  stats.programs = loaded.programs;
  stats.programs_from_cache = loaded.programs_from_cache;
  stats.device_bytes = device.allocated_bytes();
  stats.session_bytes = stats.device_bytes - bytes_before;
  return session;
}

absl::Status Session::BindAll() {
  for (uint32_t entry = 0; entry < plan_->entry_points()->size(); ++entry) {
    std::vector<BoundDispatch> bound;
    for (const Dispatch* dispatch : *model_->form(entry).dispatches()) {
      MR_ASSIGN_OR_RETURN(std::unique_ptr<hal::Kernel> kernel,
                          BindDispatch(*model_, *dispatch, objects_));
      const auto& group = *plan_->kernels()->Get(dispatch->kernel())->group();
      bound.push_back({dispatch,
                       std::move(kernel),
                       {group.Get(0), group.Get(1), group.Get(2)}});
    }
    entry_points_.push_back(std::move(bound));
  }
  return absl::OkStatus();
}

absl::StatusOr<int> Session::FindEntryPoint(absl::string_view name) const {
  for (uint32_t i = 0; i < plan_->entry_points()->size(); ++i) {
    if (Text(plan_->entry_points()->Get(i)->name()) == name) {
      return static_cast<int>(i);
    }
  }
  return absl::NotFoundError(
      absl::StrCat("the plan has no entry point '", name, "'"));
}

absl::Status Session::CheckEntryPoint(int entry_point) const {
  if (entry_point >= 0 &&
      static_cast<size_t>(entry_point) < entry_points_.size()) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat("entry point number ", entry_point, ", but there are ",
                   entry_points_.size()));
}

absl::Status Session::SetInput(int entry_point, int port,
                               absl::Span<const uint8_t> bytes) {
  MR_RETURN_IF_ERROR(CheckEntryPoint(entry_point));
  const EntryPoint& entry =
      *plan_->entry_points()->Get(static_cast<uint32_t>(entry_point));
  MR_ASSIGN_OR_RETURN(uint32_t object,
                      PortObject(*entry.inputs(), port, bytes.size(), *plan_));
  const hal::BufferView& view = objects_.GetView(object);
  return device_->queue().Update(*view.buffer, view.offset, bytes);
}

absl::Status Session::Run(int entry_point,
                          absl::Span<const int32_t> parameters) {
  MR_RETURN_IF_ERROR(CheckEntryPoint(entry_point));
  MR_RETURN_IF_ERROR(CheckParameters(
      *plan_, *plan_->entry_points()->Get(static_cast<uint32_t>(entry_point)),
      parameters));
  if (const hal::BufferView* words = objects_.parameters()) {
    MR_RETURN_IF_ERROR(device_->queue().Update(
        *words->buffer, words->offset,
        {reinterpret_cast<const uint8_t*>(parameters.data()),
         parameters.size() * sizeof(int32_t)}));
  }
  for (BoundDispatch& bound : entry_points_[static_cast<size_t>(entry_point)]) {
    MR_ASSIGN_OR_RETURN(hal::Size3 groups,
                        ResolveGrid(*bound.dispatch, parameters));
    if (std::count(groups.begin(), groups.end(), 0u) > 0) {
      continue;
    }
    MR_RETURN_IF_ERROR(
        device_->queue().Dispatch(*bound.kernel, groups, bound.local));
    if (profiling_) {
      Record(entry_point, *bound.dispatch, parameters);
    }
  }
  return device_->queue().Flush();
}

absl::Status Session::ReadOutput(int entry_point, int port,
                                 absl::Span<uint8_t> bytes) {
  MR_RETURN_IF_ERROR(CheckEntryPoint(entry_point));
  const EntryPoint& entry =
      *plan_->entry_points()->Get(static_cast<uint32_t>(entry_point));
  MR_ASSIGN_OR_RETURN(uint32_t object,
                      PortObject(*entry.outputs(), port, bytes.size(), *plan_));
  const hal::BufferView& view = objects_.GetView(object);
  return device_->queue().Read(*view.buffer, view.offset, bytes);
}

absl::Status Session::Reset() { return objects_.ClearStates(); }

absl::Status Session::Finish() { return device_->queue().Finish(); }

absl::Status Session::SetProfiling(bool on) {
  MR_RETURN_IF_ERROR(device_->queue().SetProfiling(on));
  MR_RETURN_IF_ERROR(device_->queue().TakeTimes().status());
  profiling_ = on;
  recorded_.clear();
  return absl::OkStatus();
}

void Session::Record(int entry_point, const Dispatch& dispatch,
                     absl::Span<const int32_t> parameters) {
  const double share = CostShare(dispatch, parameters);
  const double bytes =
      static_cast<double>(dispatch.read_bytes() + dispatch.write_bytes());
  ProfileEvent event;
  event.entry_point = std::string(Text(
      plan_->entry_points()->Get(static_cast<uint32_t>(entry_point))->name()));
  event.label = std::string(Text(dispatch.label()));
  event.kernel =
      std::string(Text(plan_->kernels()->Get(dispatch.kernel())->name()));
  event.bytes = share * bytes;
  event.flops = share * static_cast<double>(dispatch.flops());
  recorded_.push_back(std::move(event));
}

absl::StatusOr<std::vector<ProfileEvent>> Session::TakeProfile() {
  MR_ASSIGN_OR_RETURN(std::vector<hal::DispatchTime> times,
                      device_->queue().TakeTimes());
  std::vector<ProfileEvent> events = std::exchange(recorded_, {});
  if (times.size() != events.size()) {
    return absl::InternalError(absl::StrCat("the device timed ", times.size(),
                                            " dispatches of ", events.size()));
  }
  for (size_t i = 0; i < events.size(); ++i) {
    events[i].queued_ns = times[i].queued_ns;
    events[i].start_ns = times[i].start_ns;
    events[i].end_ns = times[i].end_ns;
  }
  return events;
}

}  // namespace millrace::session
