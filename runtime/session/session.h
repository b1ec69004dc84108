// SPDX-License-Identifier: Apache-2.0
//
// One conversation with a loaded model: states, activations, inputs and outputs
// of its own, and kernels bound to them. The session decides nothing: what is
// dispatched, on what, in which order, is in the plan. Kernels are bound once;
// a call writes a few words and enqueues.
//
// A session is for one thread at a time, and so are all on one device, whose
// queue they share: calls of several may alternate in any way.
#ifndef MILLRACE_RUNTIME_SESSION_SESSION_H_
#define MILLRACE_RUNTIME_SESSION_SESSION_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "runtime/hal/device.h"
#include "runtime/plan/plan_generated.h"
#include "runtime/session/device_objects.h"
#include "runtime/session/loaded_model.h"
#include "runtime/session/profile.h"
#include "runtime/weights/provider.h"

namespace millrace::session {

struct SessionOptions {
  // Zeroes the activations once, so that what a kernel reads by mistake is at
  // least the same every time. A checker of uninitialised memory wants it off.
  bool clear_activations = true;
  // Seen on a terminal while weights are uploaded, by an Open that loads them.
  bool show_progress = true;
};

// What opening cost, the model's loading included.
struct SessionStats {
  double build_s = 0.0;  // programs and kernels
  double load_s = 0.0;   // allocation and weights
  int programs = 0;
  int programs_from_cache = 0;
  int64_t session_bytes = 0;  // of device memory, this session's own
  int64_t device_bytes = 0;   // held by the device now, all sessions together
};

class Session {
 public:
  // Another session on a model, which it keeps alive.
  static absl::StatusOr<std::unique_ptr<Session>> Open(
      std::shared_ptr<const LoadedModel> model,
      const SessionOptions& options = {});
  // Loads the model for this session alone; see LoadedModel::Load.
  static absl::StatusOr<std::unique_ptr<Session>> Open(
      hal::Device& device, const plan::schema::Plan& plan,
      weights::WeightProvider& weights, const SessionOptions& options = {});

  // NotFound when the plan has no such entry point.
  absl::StatusOr<int> FindEntryPoint(absl::string_view name) const;

  // Bytes for input `port` of the entry point; fewer than it has leave the rest
  // as it was. Takes effect for calls enqueued from now on.
  absl::Status SetInput(int entry_point, int port,
                        absl::Span<const uint8_t> bytes);

  // Enqueues all dispatches of the entry point. `parameters` are the plan's
  // words, in its order; OutOfRange names one that the entry point cannot take.
  // Returns before the device is done.
  absl::Status Run(int entry_point, absl::Span<const int32_t> parameters);

  // Waits, then copies the first bytes of output `port`.
  absl::Status ReadOutput(int entry_point, int port, absl::Span<uint8_t> bytes);

  // Zeroes the states: the next call is as the first was.
  absl::Status Reset();

  // Waits until the device is done.
  absl::Status Finish();

  // Switches the recording of dispatches; TakeProfile returns and forgets them.
  // The device's queue is timed as a whole: no other session may run meanwhile.
  absl::Status SetProfiling(bool on);
  absl::StatusOr<std::vector<ProfileEvent>> TakeProfile();

  const plan::schema::Plan& plan() const { return *plan_; }
  hal::Device& device() const { return *device_; }
  const std::shared_ptr<const LoadedModel>& model() const { return model_; }
  const SessionStats& stats() const { return stats_; }

 private:
  struct BoundDispatch {
    const plan::schema::Dispatch* dispatch;
    std::unique_ptr<hal::Kernel> kernel;
    hal::Size3 local;
  };

  Session(std::shared_ptr<const LoadedModel> model, DeviceObjects objects);

  absl::Status BindAll();
  absl::Status CheckEntryPoint(int entry_point) const;
  void Record(int entry_point, const plan::schema::Dispatch& dispatch,
              absl::Span<const int32_t> parameters);

  std::shared_ptr<const LoadedModel> model_;
  hal::Device* device_;
  const plan::schema::Plan* plan_;
  DeviceObjects objects_;
  std::vector<std::vector<BoundDispatch>> entry_points_;
  SessionStats stats_;
  bool profiling_ = false;
  std::vector<ProfileEvent> recorded_;  // without times yet
};

}  // namespace millrace::session

#endif  // MILLRACE_RUNTIME_SESSION_SESSION_H_
