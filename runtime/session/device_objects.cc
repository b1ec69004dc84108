// SPDX-License-Identifier: Apache-2.0
#include "runtime/session/device_objects.h"

#include <utility>

#include "base/status_macros.h"
#include "runtime/plan/container.h"
#include "runtime/plan/text.h"
#include "runtime/session/requirements.h"

namespace millrace::session {

using plan::schema::Memory;
using plan::schema::ObjectKind;

static_assert(plan::kViewAlignment % hal::kViewAlignment == 0,
              "a plan that passed the verifier has views that the HAL takes");

absl::StatusOr<DeviceObjects> DeviceObjects::CreateWeights(
    hal::Device& device, const plan::schema::Plan& plan) {
  DeviceObjects objects(device, plan, /*are_weights=*/true);
  MR_RETURN_IF_ERROR(objects.CreateAll());
  return objects;
}

absl::StatusOr<DeviceObjects> DeviceObjects::CreateOthers(
    hal::Device& device, const plan::schema::Plan& plan,
    bool clear_activations) {
  DeviceObjects objects(device, plan, /*are_weights=*/false);
  MR_RETURN_IF_ERROR(objects.CreatePool());
  MR_RETURN_IF_ERROR(objects.CreateAll());
  for (Memory memory : {Memory::State, Memory::Input, Memory::Parameters}) {
    MR_RETURN_IF_ERROR(objects.Clear(memory));
  }
  if (clear_activations) {
    MR_RETURN_IF_ERROR(objects.Clear(Memory::Arena));
    MR_RETURN_IF_ERROR(objects.Clear(Memory::Pool));
  }
  return objects;
}

absl::Status DeviceObjects::CreateAll() {
  MR_RETURN_IF_ERROR(CreateSlabs());
  places_.resize(plan_->objects()->size());
  for (uint32_t i = 0; i < plan_->objects()->size(); ++i) {
    const Memory memory = plan_->objects()->Get(i)->memory();
    if (!Has(memory)) {
      continue;
    }
    MR_ASSIGN_OR_RETURN(places_[i], CreatePlace(i));
    if (memory == Memory::Parameters) {
      has_parameters_ = true;
      parameters_ = i;
    }
  }
  return absl::OkStatus();
}

absl::Status DeviceObjects::CreateSlabs() {
  for (const plan::schema::Slab* slab : *plan_->slabs()) {
    if (!Has(slab->memory())) {
      slabs_.emplace_back();
      continue;
    }
    MR_ASSIGN_OR_RETURN(
        std::unique_ptr<hal::Buffer> buffer,
        device_->CreateBuffer(plan::Text(slab->name()), slab->bytes()));
    slabs_.push_back(std::move(buffer));
  }
  return absl::OkStatus();
}

absl::Status DeviceObjects::CreatePool() {
  for (uint32_t i = 0; i < plan_->pool()->size(); ++i) {
    MR_ASSIGN_OR_RETURN(
        std::unique_ptr<hal::Image> texture,
        device_->CreateImage(DescOf(*plan_->pool()->Get(i), i)));
    pool_.push_back(std::move(texture));
  }
  return absl::OkStatus();
}

absl::StatusOr<const hal::Image*> DeviceObjects::CreateOwnImage(
    const plan::schema::Object& object) {
  MR_ASSIGN_OR_RETURN(std::unique_ptr<hal::Image> image,
                      device_->CreateImage(DescOf(object)));
  images_.push_back(std::move(image));
  return images_.back().get();
}

// Where the driver has no image over this part of the slab, the image has
// memory of its own: more of it, but the same plan runs. Objects that are the
// same part share it.
absl::StatusOr<DeviceObjects::Place> DeviceObjects::CreateImageBuffer(
    const plan::schema::Object& object) {
  const hal::Buffer& slab = *slabs_[static_cast<size_t>(object.slab())];
  if (!device_->info().abilities.image_over_sub_buffer) {
    const Window window = {object.scalar(), object.slab(), object.offset(),
                           object.bytes()};
    const auto [found, is_new] = outside_.emplace(window, nullptr);
    if (is_new) {
      MR_ASSIGN_OR_RETURN(found->second, CreateOwnImage(object));
    }
    return Place{found->second, {}};
  }
  const hal::ObjectDesc desc = DescOf(object);
  MR_ASSIGN_OR_RETURN(std::unique_ptr<hal::Buffer> window,
                      device_->CreateSubBuffer(desc.name, slab, object.offset(),
                                               object.bytes()));
  MR_ASSIGN_OR_RETURN(std::unique_ptr<hal::Image> image,
                      device_->CreateImageBuffer(*window, desc));
  images_.push_back(std::move(image));
  return Place{images_.back().get(), {}};
}

absl::StatusOr<DeviceObjects::Place> DeviceObjects::CreatePlace(
    uint32_t index) {
  const plan::schema::Object& object = *plan_->objects()->Get(index);
  if (object.kind() == ObjectKind::Buffer) {
    return Place{
        nullptr,
        {slabs_[static_cast<size_t>(object.slab())].get(), object.offset(),
         object.bytes(), std::string(plan::Text(object.name()))}};
  }
  if (object.kind() == ObjectKind::ImageBuffer) {
    return CreateImageBuffer(object);
  }
  if (object.memory() == Memory::Pool) {
    return Place{pool_[static_cast<size_t>(object.offset())].get(), {}};
  }
  MR_ASSIGN_OR_RETURN(const hal::Image* image, CreateOwnImage(object));
  return Place{image, {}};
}

absl::Status DeviceObjects::Clear(Memory memory) {
  for (uint32_t i = 0; i < plan_->slabs()->size(); ++i) {
    if (plan_->slabs()->Get(i)->memory() == memory) {
      MR_RETURN_IF_ERROR(device_->queue().FillZero(*slabs_[i]));
    }
  }
  for (uint32_t i = 0; i < plan_->objects()->size(); ++i) {
    const plan::schema::Object& object = *plan_->objects()->Get(i);
    const bool is_in_slab = object.kind() == ObjectKind::Buffer ||
                            (object.kind() == ObjectKind::ImageBuffer &&
                             device_->info().abilities.image_over_sub_buffer);
    if (object.memory() == memory && memory != Memory::Pool && !is_in_slab) {
      MR_RETURN_IF_ERROR(device_->queue().FillZero(*places_[i].image));
    }
  }
  if (memory == Memory::Pool) {
    for (const auto& texture : pool_) {
      MR_RETURN_IF_ERROR(device_->queue().FillZero(*texture));
    }
  }
  return absl::OkStatus();
}

absl::Status DeviceObjects::ClearStates() { return Clear(Memory::State); }

absl::Status DeviceObjects::Write(const Place& place,
                                  absl::Span<const uint8_t> bytes) {
  if (place.image != nullptr) {
    return device_->queue().WriteAll(*place.image, bytes);
  }
  return device_->queue().Write(*place.view.buffer, place.view.offset, bytes);
}

absl::Status DeviceObjects::UploadWeights(weights::WeightProvider& provider,
                                          weights::Progress& progress) {
  progress.Start(plan_->weight_file_bytes());
  for (uint32_t i = 0; i < plan_->weights()->size(); ++i) {
    MR_ASSIGN_OR_RETURN(absl::Span<const uint8_t> bytes, provider.Load(i));
    for (uint32_t index : *plan_->weights()->Get(i)->objects()) {
      const int64_t size = plan_->objects()->Get(index)->bytes();
      MR_RETURN_IF_ERROR(
          Write(Get(index), bytes.first(static_cast<size_t>(size))));
      bytes.remove_prefix(static_cast<size_t>(size));
      progress.Advance(size);
    }
  }
  progress.Done();
  return absl::OkStatus();
}

}  // namespace millrace::session
