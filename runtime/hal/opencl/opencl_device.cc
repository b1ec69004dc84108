// SPDX-License-Identifier: Apache-2.0
#include "runtime/hal/opencl/opencl_device.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "runtime/hal/opencl/driver_cache.h"
#include "runtime/hal/opencl/opencl_error.h"
#include "runtime/hal/opencl/opencl_info.h"
#include "runtime/hal/opencl/opencl_library.h"
#include "runtime/hal/opencl/opencl_objects.h"
#include "runtime/hal/opencl/opencl_program.h"
#include "runtime/hal/opencl/opencl_queue.h"
#include "runtime/hal/program_cache.h"

namespace millrace::hal {
namespace {

// PoCL keeps its own cache of kernels, and to give out a binary it builds every
// kernel once more for any work-group size: a first start four times as long,
// and nothing gained later.
bool CachesByItself(const DeviceInfo& info) {
  return info.platform == "Portable Computing Language";
}

struct CacheChoice {
  ProgramCache cache;
  std::string off_because;  // empty: it is on
};

CacheChoice ChooseCache(const DeviceInfo& info, const DeviceOptions& options) {
  if (!options.use_program_cache) {
    return {ProgramCache(""), "switched off"};
  }
  if (CachesByItself(info) && !options.cache_beside_driver) {
    return {ProgramCache(""), "PoCL keeps its own"};
  }
  ProgramCache cache = ProgramCache::FromEnvironment();
  return {cache, cache.enabled() ? "" : "off, or no folder for it"};
}

class OpenClDevice : public Device {
 public:
  static absl::StatusOr<std::unique_ptr<Device>> Open(
      const OpenClLibrary* cl, const OpenClDeviceEntry& entry,
      const DeviceOptions& options);

  Queue& queue() override { return *queue_; }
  std::string NoCacheReason() const override { return cache_.off_because; }
  absl::StatusOr<std::unique_ptr<Program>> BuildProgram(
      absl::string_view name, absl::string_view source,
      absl::string_view options) override {
    return BuildOpenClProgram(
        {this, cl_, context_.get(), device_id_, &cache_.cache}, name, source,
        options);
  }

 protected:
  absl::StatusOr<std::unique_ptr<Buffer>> DoCreateBuffer(
      const ObjectDesc& desc, int64_t bytes, MemoryLease lease) override;
  absl::StatusOr<std::unique_ptr<Buffer>> DoCreateSubBuffer(
      const ObjectDesc& desc, const Buffer& parent, int64_t offset,
      int64_t bytes) override;
  absl::StatusOr<std::unique_ptr<Image>> DoCreateImage(
      const ObjectDesc& desc, int64_t bytes, MemoryLease lease) override;
  absl::StatusOr<std::unique_ptr<Image>> DoCreateImageBuffer(
      const Buffer& buffer, const ObjectDesc& desc, int64_t bytes) override;

 private:
  OpenClDevice(const OpenClLibrary* cl, cl_device_id device_id, DeviceInfo info,
               ClContext context, CacheChoice cache)
      : Device(std::move(info)),
        cl_(cl),
        device_id_(device_id),
        context_(std::move(context)),
        cache_(std::move(cache)) {}

  absl::StatusOr<ClMem> MakeImage(const ObjectDesc& desc, cl_mem buffer);

  const OpenClLibrary* cl_;
  cl_device_id device_id_;
  ClContext context_;
  CacheChoice cache_;
  std::unique_ptr<OpenClQueue> queue_;
};

absl::StatusOr<std::unique_ptr<Device>> OpenClDevice::Open(
    const OpenClLibrary* cl, const OpenClDeviceEntry& entry,
    const DeviceOptions& options) {
  MR_ASSIGN_OR_RETURN(ClContext context, CreateOpenClContext(*cl, entry));
  DeviceInfo info = entry.info;
  MR_RETURN_IF_ERROR(QueryImageAbilities(*cl, context.get(), &info));
  std::unique_ptr<OpenClDevice> device(
      new OpenClDevice(cl, entry.device, std::move(info), std::move(context),
                       ChooseCache(entry.info, options)));
  MR_ASSIGN_OR_RETURN(
      device->queue_,
      OpenClQueue::Create(device.get(), cl, device->context_.get(),
                          entry.device));
  return device;
}

absl::StatusOr<std::unique_ptr<Buffer>> OpenClDevice::DoCreateBuffer(
    const ObjectDesc& desc, int64_t bytes, MemoryLease lease) {
  cl_int code = CL_SUCCESS;
  ClMem mem(cl_->CreateBuffer(context_.get(), CL_MEM_READ_WRITE,
                              static_cast<size_t>(bytes), nullptr, &code),
            {cl_->ReleaseMemObject});
  MR_RETURN_IF_ERROR(
      OpenClStatus(code, absl::StrCat("creating ", Describe(desc))));
  auto memory = std::make_shared<OpenClMemory>(
      OpenClMemory{std::move(lease), std::move(mem)});
  return std::make_unique<OpenClBuffer>(this, desc, bytes, 0, std::move(memory),
                                        nullptr);
}

absl::StatusOr<std::unique_ptr<Buffer>> OpenClDevice::DoCreateSubBuffer(
    const ObjectDesc& desc, const Buffer& parent, int64_t offset,
    int64_t bytes) {
  const auto& memory = static_cast<const OpenClBuffer&>(parent).memory();
  // OpenCL has no sub-buffers of sub-buffers: each is cut from the outermost.
  const int64_t start = parent.offset() + offset;
  const cl_buffer_region region = {static_cast<size_t>(start),
                                   static_cast<size_t>(bytes)};
  cl_int code = CL_SUCCESS;
  ClMem view(cl_->CreateSubBuffer(memory->mem.get(), CL_MEM_READ_WRITE,
                                  CL_BUFFER_CREATE_TYPE_REGION, &region, &code),
             {cl_->ReleaseMemObject});
  MR_RETURN_IF_ERROR(OpenClStatus(
      code, absl::StrCat("creating sub-", Describe(desc), " at byte ", start)));
  return std::make_unique<OpenClBuffer>(this, desc, bytes, start, memory,
                                        std::move(view));
}

absl::StatusOr<ClMem> OpenClDevice::MakeImage(const ObjectDesc& desc,
                                              cl_mem buffer) {
  cl_image_desc image = {};
  image.image_type = OpenClImageType(desc.kind);
  image.image_width = static_cast<size_t>(desc.width);
  if (desc.kind != ObjectKind::kImageBuffer) {
    image.image_height = static_cast<size_t>(desc.height);
  }
  if (desc.kind == ObjectKind::kTextureArray) {
    image.image_array_size = static_cast<size_t>(desc.depth);
  } else if (desc.kind == ObjectKind::kTexture3d) {
    image.image_depth = static_cast<size_t>(desc.depth);
  }
  image.buffer = buffer;
  const cl_image_format format = OpenClImageFormat(desc.scalar);
  const bool writable = ImageAbilityOf(info(), desc.kind, desc.scalar).write;
  cl_int code = CL_SUCCESS;
  ClMem mem(cl_->CreateImage(context_.get(),
                             writable ? CL_MEM_READ_WRITE : CL_MEM_READ_ONLY,
                             &format, &image, nullptr, &code),
            {cl_->ReleaseMemObject});
  MR_RETURN_IF_ERROR(
      OpenClStatus(code, absl::StrCat("creating ", Describe(desc))));
  return mem;
}

absl::StatusOr<std::unique_ptr<Image>> OpenClDevice::DoCreateImage(
    const ObjectDesc& desc, int64_t bytes, MemoryLease lease) {
  MR_ASSIGN_OR_RETURN(ClMem mem, MakeImage(desc, nullptr));
  auto memory = std::make_shared<OpenClMemory>(
      OpenClMemory{std::move(lease), std::move(mem)});
  return std::make_unique<OpenClImage>(this, desc, bytes, 0, std::move(memory),
                                       nullptr);
}

absl::StatusOr<std::unique_ptr<Image>> OpenClDevice::DoCreateImageBuffer(
    const Buffer& buffer, const ObjectDesc& desc, int64_t bytes) {
  const auto& below = static_cast<const OpenClBuffer&>(buffer);
  // At the start of the outermost buffer that one serves as well.
  const cl_mem mem =
      buffer.offset() == 0 ? below.memory()->mem.get() : below.mem();
  MR_ASSIGN_OR_RETURN(ClMem view, MakeImage(desc, mem));
  return std::make_unique<OpenClImage>(this, desc, bytes, buffer.offset(),
                                       below.memory(), std::move(view));
}

// The devices; where there is none, an error that says why.
absl::StatusOr<std::vector<OpenClDeviceEntry>> ListOrExplain(
    const OpenClLibrary& cl) {
  absl::StatusOr<std::vector<OpenClDeviceEntry>> entries =
      ListOpenClDevices(cl);
  if (entries.ok() && !entries->empty()) {
    return entries;
  }
  const absl::Status cache = CheckDriverCache(PoclCacheFolder());
  if (entries.ok() && cache.ok()) {
    return entries;
  }
  return absl::NotFoundError(
      absl::StrCat("no device found: ",
                   entries.ok() ? "the library lists no platform with a device"
                                : entries.status().message(),
                   cache.ok() ? "" : "; ", cache.message()));
}

}  // namespace

absl::StatusOr<std::vector<DeviceInfo>> EnumerateOpenClDevices() {
  MR_ASSIGN_OR_RETURN(const OpenClLibrary* cl, OpenClLibrary::Get());
  MR_ASSIGN_OR_RETURN(std::vector<OpenClDeviceEntry> entries,
                      ListOrExplain(*cl));
  std::vector<DeviceInfo> devices;
  for (OpenClDeviceEntry& entry : entries) {
    MR_ASSIGN_OR_RETURN(const ClContext context,
                        CreateOpenClContext(*cl, entry));
    MR_RETURN_IF_ERROR(QueryImageAbilities(*cl, context.get(), &entry.info));
    devices.push_back(std::move(entry.info));
  }
  return devices;
}

absl::StatusOr<std::unique_ptr<Device>> OpenOpenClDevice(
    const DeviceSelector& selector, const DeviceOptions& options) {
  MR_ASSIGN_OR_RETURN(const OpenClLibrary* cl, OpenClLibrary::Get());
  MR_ASSIGN_OR_RETURN(const std::vector<OpenClDeviceEntry> entries,
                      ListOrExplain(*cl));
  std::vector<DeviceInfo> devices;
  for (const OpenClDeviceEntry& entry : entries) {
    devices.push_back(entry.info);
  }
  MR_ASSIGN_OR_RETURN(const int index, SelectDevice(devices, selector));
  return OpenClDevice::Open(cl, entries[index], options);
}

}  // namespace millrace::hal
