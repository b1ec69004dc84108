// SPDX-License-Identifier: Apache-2.0
//
// The objects of a plan as device memory: one arena with views in it, a pool of
// textures, weights, states, and the buffers that the host writes and reads.
#ifndef MILLRACE_RUNTIME_SESSION_DEVICE_OBJECTS_H_
#define MILLRACE_RUNTIME_SESSION_DEVICE_OBJECTS_H_

#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/hal/device.h"
#include "runtime/plan/plan_generated.h"
#include "runtime/weights/progress.h"
#include "runtime/weights/provider.h"

namespace millrace::session {

class DeviceObjects {
 public:
  // Allocates everything. States and inputs are zero, weights not there yet.
  // Activations are zeroed only if `clear_activations`: no kernel may rely on
  // it.
  static absl::StatusOr<DeviceObjects> Create(hal::Device& device,
                                              const plan::schema::Plan& plan,
                                              bool clear_activations);

  absl::Status UploadWeights(weights::WeightProvider& provider,
                             weights::Progress& progress);

  absl::Status ClearStates();

  // Object `index` of the plan.
  const hal::Object& Get(uint32_t index) const { return *objects_[index]; }
  // The same where the verifier says that it is a buffer.
  const hal::Buffer& GetBuffer(uint32_t index) const {
    return static_cast<const hal::Buffer&>(*objects_[index]);
  }
  // The parameter words; null when the plan has none.
  const hal::Buffer* parameters() const { return parameters_; }

 private:
  DeviceObjects(hal::Device& device, const plan::schema::Plan& plan)
      : device_(&device), plan_(&plan) {}

  absl::Status CreatePool();
  absl::Status CreateOne(uint32_t index);
  absl::Status CreateInArena(const plan::schema::Object& object);
  absl::Status CreateOutsideArena(const plan::schema::Object& object);
  absl::Status ClearActivations();

  hal::Device* device_;
  const plan::schema::Plan* plan_;
  std::unique_ptr<hal::Buffer> arena_;
  std::vector<std::unique_ptr<hal::Object>> pool_;
  std::vector<std::unique_ptr<hal::Object>> owned_;
  // Kind, scalar, offset and bytes of what would lie in the arena.
  using Window = std::tuple<plan::schema::ObjectKind, plan::schema::ScalarType,
                            int64_t, int64_t>;
  std::map<Window, const hal::Object*> windows_;  // of those outside it
  std::vector<const hal::Object*> objects_;       // one for each of the plan's
  const hal::Buffer* parameters_ = nullptr;
};

}  // namespace millrace::session

#endif  // MILLRACE_RUNTIME_SESSION_DEVICE_OBJECTS_H_
