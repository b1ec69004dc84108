// SPDX-License-Identifier: Apache-2.0
#include "runtime/session/device_objects.h"

#include <utility>

#include "base/status_macros.h"
#include "runtime/plan/text.h"
#include "runtime/session/requirements.h"

namespace millrace::session {

using plan::schema::Memory;

absl::StatusOr<DeviceObjects> DeviceObjects::Create(
    hal::Device& device, const plan::schema::Plan& plan,
    bool clear_activations) {
  DeviceObjects objects(device, plan);
  if (plan.arena_bytes() > 0 &&
      device.info().abilities.overlapping_sub_buffers) {
    MR_ASSIGN_OR_RETURN(objects.arena_,
                        device.CreateBuffer("arena", plan.arena_bytes()));
  }
  MR_RETURN_IF_ERROR(objects.CreatePool());
  for (uint32_t i = 0; i < plan.objects()->size(); ++i) {
    MR_RETURN_IF_ERROR(objects.CreateOne(i));
  }
  MR_RETURN_IF_ERROR(objects.ClearStates());
  if (clear_activations) {
    MR_RETURN_IF_ERROR(objects.ClearActivations());
  }
  return objects;
}

absl::Status DeviceObjects::CreatePool() {
  for (uint32_t i = 0; i < plan_->pool()->size(); ++i) {
    MR_ASSIGN_OR_RETURN(
        std::unique_ptr<hal::Object> texture,
        device_->CreateObject(DescOf(*plan_->pool()->Get(i), i)));
    pool_.push_back(std::move(texture));
  }
  return absl::OkStatus();
}

// Memory of its own where the driver cannot place the object in the arena: more
// of it, but the same plan runs. Objects that are the same part of the arena
// share it.
absl::Status DeviceObjects::CreateOutsideArena(
    const plan::schema::Object& object) {
  const Window window = {object.kind(), object.scalar(), object.offset(),
                         object.bytes()};
  if (auto it = windows_.find(window); it != windows_.end()) {
    objects_.push_back(it->second);
    return absl::OkStatus();
  }
  MR_ASSIGN_OR_RETURN(std::unique_ptr<hal::Object> own,
                      device_->CreateObject(DescOf(object)));
  windows_[window] = own.get();
  objects_.push_back(own.get());
  owned_.push_back(std::move(own));
  return absl::OkStatus();
}

absl::Status DeviceObjects::CreateInArena(const plan::schema::Object& object) {
  const hal::ObjectDesc desc = DescOf(object);
  const hal::DeviceAbilities& abilities = device_->info().abilities;
  if (!abilities.overlapping_sub_buffers ||
      (desc.kind == hal::ObjectKind::kImageBuffer &&
       !abilities.image_over_sub_buffer)) {
    return CreateOutsideArena(object);
  }
  MR_ASSIGN_OR_RETURN(std::unique_ptr<hal::Buffer> window,
                      device_->CreateSubBuffer(
                          desc.name, *arena_, object.offset(), object.bytes()));
  if (desc.kind == hal::ObjectKind::kBuffer) {
    objects_.push_back(window.get());
    owned_.push_back(std::move(window));
    return absl::OkStatus();
  }
  MR_ASSIGN_OR_RETURN(std::unique_ptr<hal::Image> image,
                      device_->CreateImageBuffer(*window, desc));
  objects_.push_back(image.get());
  owned_.push_back(std::move(image));
  return absl::OkStatus();
}

absl::Status DeviceObjects::CreateOne(uint32_t index) {
  const plan::schema::Object& object = *plan_->objects()->Get(index);
  if (object.memory() == Memory::Arena) {
    return CreateInArena(object);
  }
  if (object.memory() == Memory::Pool) {
    objects_.push_back(pool_[static_cast<size_t>(object.offset())].get());
    return absl::OkStatus();
  }
  MR_ASSIGN_OR_RETURN(std::unique_ptr<hal::Object> own,
                      device_->CreateObject(DescOf(object)));
  if (object.memory() == Memory::Input ||
      object.memory() == Memory::Parameters) {
    MR_RETURN_IF_ERROR(device_->queue().FillZero(*own));
  }
  objects_.push_back(own.get());
  owned_.push_back(std::move(own));
  if (object.memory() == Memory::Parameters) {
    parameters_ = &GetBuffer(index);
  }
  return absl::OkStatus();
}

absl::Status DeviceObjects::ClearActivations() {
  if (arena_ != nullptr) {
    MR_RETURN_IF_ERROR(device_->queue().FillZero(*arena_));
  }
  for (const auto& [window, object] : windows_) {
    MR_RETURN_IF_ERROR(device_->queue().FillZero(*object));
  }
  for (const auto& texture : pool_) {
    MR_RETURN_IF_ERROR(device_->queue().FillZero(*texture));
  }
  return absl::OkStatus();
}

absl::Status DeviceObjects::ClearStates() {
  for (const plan::schema::State* state : *plan_->states()) {
    for (uint32_t object : *state->objects()) {
      MR_RETURN_IF_ERROR(device_->queue().FillZero(Get(object)));
    }
  }
  return absl::OkStatus();
}

absl::Status DeviceObjects::UploadWeights(weights::WeightProvider& provider,
                                          weights::Progress& progress) {
  progress.Start(plan_->weight_file_bytes());
  for (uint32_t i = 0; i < plan_->weights()->size(); ++i) {
    MR_ASSIGN_OR_RETURN(absl::Span<const uint8_t> bytes, provider.Load(i));
    for (uint32_t index : *plan_->weights()->Get(i)->objects()) {
      const size_t size = static_cast<size_t>(Get(index).bytes());
      MR_RETURN_IF_ERROR(
          device_->queue().WriteAll(Get(index), bytes.first(size)));
      bytes.remove_prefix(size);
      progress.Advance(static_cast<int64_t>(size));
    }
  }
  progress.Done();
  return absl::OkStatus();
}

}  // namespace millrace::session
