// SPDX-License-Identifier: Apache-2.0
//
// The objects of a plan as device memory: its slabs, the textures of its pool
// and those of their own. A buffer of the plan is a view of a slab and no
// object; an image buffer is an image over a part of one. Either the weights,
// which all sessions share, or what each session has for itself.
#ifndef MILLRACE_RUNTIME_SESSION_DEVICE_OBJECTS_H_
#define MILLRACE_RUNTIME_SESSION_DEVICE_OBJECTS_H_

#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/hal/device.h"
#include "runtime/plan/plan_generated.h"
#include "runtime/weights/progress.h"
#include "runtime/weights/provider.h"

namespace millrace::session {

class DeviceObjects {
 public:
  // What an object of the plan is on the device: an image, or else a view.
  struct Place {
    const hal::Image* image = nullptr;
    hal::BufferView view;
  };

  // Allocates the weights, whose bytes are not there yet.
  static absl::StatusOr<DeviceObjects> CreateWeights(
      hal::Device& device, const plan::schema::Plan& plan);
  // Allocates all but the weights. States and inputs are zero; activations are
  // zeroed only if `clear_activations`: no kernel may rely on it.
  static absl::StatusOr<DeviceObjects> CreateOthers(
      hal::Device& device, const plan::schema::Plan& plan,
      bool clear_activations);

  absl::Status UploadWeights(weights::WeightProvider& provider,
                             weights::Progress& progress);

  absl::Status ClearStates();

  // Object `index` of the plan, which is one of these.
  const Place& Get(uint32_t index) const { return places_[index]; }
  // The same where the verifier says that it is a buffer.
  const hal::BufferView& GetView(uint32_t index) const {
    return places_[index].view;
  }
  // The parameter words; null when the plan has none.
  const hal::BufferView* parameters() const {
    return has_parameters_ ? &GetView(parameters_) : nullptr;
  }

 private:
  DeviceObjects(hal::Device& device, const plan::schema::Plan& plan,
                bool are_weights)
      : device_(&device), plan_(&plan), are_weights_(are_weights) {}

  bool Has(plan::schema::Memory memory) const {
    return (memory == plan::schema::Memory::Weight) == are_weights_;
  }
  absl::Status CreateAll();
  absl::Status CreateSlabs();
  absl::Status CreatePool();
  absl::StatusOr<Place> CreatePlace(uint32_t index);
  absl::StatusOr<Place> CreateImageBuffer(const plan::schema::Object& object);
  absl::StatusOr<const hal::Image*> CreateOwnImage(
      const plan::schema::Object& object);
  // Zeroes all memory of one kind.
  absl::Status Clear(plan::schema::Memory memory);
  absl::Status Write(const Place& place, absl::Span<const uint8_t> bytes);

  hal::Device* device_;
  const plan::schema::Plan* plan_;
  bool are_weights_;
  std::vector<std::unique_ptr<hal::Buffer>> slabs_;  // null: not of these
  std::vector<std::unique_ptr<hal::Image>> pool_;
  std::vector<std::unique_ptr<hal::Image>> images_;  // textures, image buffers
  std::vector<Place> places_;  // one for each of the plan's objects
  // Images beside the slabs, where the driver has none over a part of a buffer:
  // one for each scalar, slab, offset and bytes.
  using Window =
      std::tuple<plan::schema::ScalarType, int32_t, int64_t, int64_t>;
  std::map<Window, const hal::Image*> outside_;
  bool has_parameters_ = false;
  uint32_t parameters_ = 0;  // their object
};

}  // namespace millrace::session

#endif  // MILLRACE_RUNTIME_SESSION_DEVICE_OBJECTS_H_
