// SPDX-License-Identifier: Apache-2.0
#include "runtime/hal/opencl/opencl_info.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/status_macros.h"
#include "runtime/hal/opencl/opencl_error.h"

namespace millrace::hal {
namespace {

// Reads properties of one device; keeps the first error for the end, so that
// the list of properties below reads as a list.
class DeviceQuery {
 public:
  DeviceQuery(const OpenClLibrary& cl, cl_device_id device)
      : cl_(cl), device_(device) {}

  template <typename T>
  T Value(cl_device_info property) {
    T value{};
    Note(cl_.GetDeviceInfo(device_, property, sizeof(T), &value, nullptr),
         property);
    return value;
  }

  // Unsigned properties, clamped to what int64 holds.
  template <typename T>
  int64_t Size(cl_device_info property) {
    return static_cast<int64_t>(std::min<uint64_t>(
        Value<T>(property), std::numeric_limits<int64_t>::max()));
  }

  std::string Text(cl_device_info property) {
    size_t size = 0;
    Note(cl_.GetDeviceInfo(device_, property, 0, nullptr, &size), property);
    std::string text(size, '\0');
    Note(cl_.GetDeviceInfo(device_, property, size, text.data(), nullptr),
         property);
    return text.substr(0, text.find('\0'));
  }

  const absl::Status& status() const { return status_; }

 private:
  void Note(cl_int code, cl_device_info property) {
    if (status_.ok()) {
      status_ = OpenClStatus(
          code, absl::StrCat("OpenCL device property ", absl::Hex(property)));
    }
  }

  const OpenClLibrary& cl_;
  cl_device_id device_;
  absl::Status status_;
};

DeviceType TypeOf(cl_device_type type) {
  if ((type & CL_DEVICE_TYPE_GPU) != 0) {
    return DeviceType::kGpu;
  }
  return (type & CL_DEVICE_TYPE_CPU) != 0 ? DeviceType::kCpu
                                          : DeviceType::kOther;
}

DeviceLimits QueryLimits(DeviceQuery& query) {
  DeviceLimits limits;
  limits.max_alloc_bytes = query.Size<cl_ulong>(CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  limits.global_memory_bytes = query.Size<cl_ulong>(CL_DEVICE_GLOBAL_MEM_SIZE);
  limits.local_memory_bytes = query.Size<cl_ulong>(CL_DEVICE_LOCAL_MEM_SIZE);
  const int64_t bits = query.Size<cl_uint>(CL_DEVICE_MEM_BASE_ADDR_ALIGN);
  limits.base_alignment_bytes = std::max<int64_t>(1, bits / 8);
  limits.max_work_group_size =
      query.Size<size_t>(CL_DEVICE_MAX_WORK_GROUP_SIZE);
  limits.compute_units = query.Size<cl_uint>(CL_DEVICE_MAX_COMPUTE_UNITS);
  const int64_t dimensions =
      query.Size<cl_uint>(CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS);
  if (dimensions == 3) {  // every OpenCL 1.2 device but custom ones
    struct Sizes {
      size_t extent[3];
    };
    const Sizes sizes = query.Value<Sizes>(CL_DEVICE_MAX_WORK_ITEM_SIZES);
    std::copy(sizes.extent, sizes.extent + 3,
              limits.max_work_item_sizes.begin());
  }
  return limits;
}

void QueryImageLimits(DeviceQuery& query, DeviceLimits* limits) {
  limits->max_image_2d_width = query.Size<size_t>(CL_DEVICE_IMAGE2D_MAX_WIDTH);
  limits->max_image_2d_height =
      query.Size<size_t>(CL_DEVICE_IMAGE2D_MAX_HEIGHT);
  limits->max_image_3d_width = query.Size<size_t>(CL_DEVICE_IMAGE3D_MAX_WIDTH);
  limits->max_image_3d_height =
      query.Size<size_t>(CL_DEVICE_IMAGE3D_MAX_HEIGHT);
  limits->max_image_3d_depth = query.Size<size_t>(CL_DEVICE_IMAGE3D_MAX_DEPTH);
  limits->max_image_array_layers =
      query.Size<size_t>(CL_DEVICE_IMAGE_MAX_ARRAY_SIZE);
  limits->max_image_buffer_texels =
      query.Size<size_t>(CL_DEVICE_IMAGE_MAX_BUFFER_SIZE);
}

absl::StatusOr<DeviceInfo> QueryInfo(const OpenClLibrary& cl,
                                     cl_device_id device,
                                     const std::string& platform) {
  DeviceQuery query(cl, device);
  DeviceInfo info;
  info.backend = "opencl";
  info.platform = platform;
  info.device = query.Text(CL_DEVICE_NAME);
  info.vendor = query.Text(CL_DEVICE_VENDOR);
  info.driver = query.Text(CL_DRIVER_VERSION);
  info.device_version = query.Text(CL_DEVICE_VERSION);
  info.language_version = query.Text(CL_DEVICE_OPENCL_C_VERSION);
  info.type = TypeOf(query.Value<cl_device_type>(CL_DEVICE_TYPE));
  info.extensions = absl::StrSplit(query.Text(CL_DEVICE_EXTENSIONS), ' ',
                                   absl::SkipWhitespace());
  info.limits = QueryLimits(query);
  info.abilities.images = query.Value<cl_bool>(CL_DEVICE_IMAGE_SUPPORT) != 0;
  if (info.abilities.images) {
    QueryImageLimits(query, &info.limits);
  }
  info.abilities.fp16_arithmetic = HasExtension(info, "cl_khr_fp16");
  info.abilities.image_3d_writes = HasExtension(info, "cl_khr_3d_image_writes");
  MR_RETURN_IF_ERROR(query.status());
  return info;
}

std::string PlatformName(const OpenClLibrary& cl, cl_platform_id platform) {
  size_t size = 0;
  cl.GetPlatformInfo(platform, CL_PLATFORM_NAME, 0, nullptr, &size);
  std::string name(size, '\0');
  cl.GetPlatformInfo(platform, CL_PLATFORM_NAME, size, name.data(), nullptr);
  return name.substr(0, name.find('\0'));
}

bool CanRun(const OpenClLibrary& cl, cl_device_id device) {
  DeviceQuery query(cl, device);
  const bool usable = query.Value<cl_bool>(CL_DEVICE_AVAILABLE) != 0 &&
                      query.Value<cl_bool>(CL_DEVICE_COMPILER_AVAILABLE) != 0;
  return usable && query.status().ok();
}

absl::Status AppendDevices(const OpenClLibrary& cl, cl_platform_id platform,
                           std::vector<OpenClDeviceEntry>* entries) {
  const std::string name = PlatformName(cl, platform);
  cl_uint count = 0;
  const cl_int code =
      cl.GetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count);
  if (code == CL_DEVICE_NOT_FOUND || (code == CL_SUCCESS && count == 0)) {
    return absl::OkStatus();
  }
  MR_RETURN_IF_ERROR(OpenClStatus(
      code, absl::StrCat("listing the devices of platform '", name, "'")));
  std::vector<cl_device_id> devices(count);
  MR_RETURN_IF_ERROR(OpenClStatus(
      cl.GetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, devices.data(),
                      nullptr),
      absl::StrCat("listing the devices of platform '", name, "'")));
  for (cl_device_id device : devices) {
    if (CanRun(cl, device)) {
      MR_ASSIGN_OR_RETURN(DeviceInfo info, QueryInfo(cl, device, name));
      entries->push_back({platform, device, std::move(info)});
    }
  }
  return absl::OkStatus();
}

// Whether kernels may use RGBA images of `kind` and each scalar with `flags`.
absl::StatusOr<std::vector<cl_image_format>> Formats(const OpenClLibrary& cl,
                                                     cl_context context,
                                                     cl_mem_flags flags,
                                                     ObjectKind kind) {
  const cl_mem_object_type type = OpenClImageType(kind);
  cl_uint count = 0;
  MR_RETURN_IF_ERROR(OpenClStatus(
      cl.GetSupportedImageFormats(context, flags, type, 0, nullptr, &count),
      "listing image formats"));
  std::vector<cl_image_format> formats(count);
  if (count > 0) {
    MR_RETURN_IF_ERROR(
        OpenClStatus(cl.GetSupportedImageFormats(context, flags, type, count,
                                                 formats.data(), nullptr),
                     "listing image formats"));
  }
  return formats;
}

bool Has(const std::vector<cl_image_format>& formats, ScalarType scalar) {
  const cl_image_format wanted = OpenClImageFormat(scalar);
  return std::any_of(
      formats.begin(), formats.end(), [&](const cl_image_format& format) {
        return format.image_channel_order == wanted.image_channel_order &&
               format.image_channel_data_type == wanted.image_channel_data_type;
      });
}

// The standard allows it; there is no way to ask, so one is made.
bool ImageOverSubBuffer(const OpenClLibrary& cl, cl_context context,
                        int64_t alignment) {
  cl_int code = CL_SUCCESS;
  const size_t start = static_cast<size_t>(alignment);
  const ClMem parent(
      cl.CreateBuffer(context, CL_MEM_READ_WRITE, start + 256, nullptr, &code),
      {cl.ReleaseMemObject});
  if (code != CL_SUCCESS) {
    return false;
  }
  const cl_buffer_region region = {start, 256};
  const ClMem window(
      cl.CreateSubBuffer(parent.get(), CL_MEM_READ_WRITE,
                         CL_BUFFER_CREATE_TYPE_REGION, &region, &code),
      {cl.ReleaseMemObject});
  if (code != CL_SUCCESS) {
    return false;
  }
  cl_image_desc desc = {};
  desc.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER;
  desc.image_width = 16;
  desc.buffer = window.get();
  const cl_image_format format = OpenClImageFormat(ScalarType::kF32);
  const ClMem image(cl.CreateImage(context, CL_MEM_READ_WRITE, &format, &desc,
                                   nullptr, &code),
                    {cl.ReleaseMemObject});
  return code == CL_SUCCESS;
}

}  // namespace

cl_mem_object_type OpenClImageType(ObjectKind kind) {
  switch (kind) {
    case ObjectKind::kBuffer:
      return CL_MEM_OBJECT_BUFFER;
    case ObjectKind::kImageBuffer:
      return CL_MEM_OBJECT_IMAGE1D_BUFFER;
    case ObjectKind::kTexture2d:
      return CL_MEM_OBJECT_IMAGE2D;
    case ObjectKind::kTextureArray:
      return CL_MEM_OBJECT_IMAGE2D_ARRAY;
    case ObjectKind::kTexture3d:
      return CL_MEM_OBJECT_IMAGE3D;
  }
  return CL_MEM_OBJECT_BUFFER;
}

cl_image_format OpenClImageFormat(ScalarType scalar) {
  switch (scalar) {
    case ScalarType::kF16:
      return {CL_RGBA, CL_HALF_FLOAT};
    case ScalarType::kI32:
      return {CL_RGBA, CL_SIGNED_INT32};
    default:
      return {CL_RGBA, CL_FLOAT};
  }
}

absl::StatusOr<std::vector<OpenClDeviceEntry>> ListOpenClDevices(
    const OpenClLibrary& cl) {
  constexpr cl_int kNoPlatform = -1001;  // of cl_khr_icd, by the loader
  std::vector<OpenClDeviceEntry> entries;
  cl_uint count = 0;
  const cl_int code = cl.GetPlatformIDs(0, nullptr, &count);
  if (code == kNoPlatform || (code == CL_SUCCESS && count == 0)) {
    return entries;
  }
  MR_RETURN_IF_ERROR(OpenClStatus(code, "listing OpenCL platforms"));
  std::vector<cl_platform_id> platforms(count);
  MR_RETURN_IF_ERROR(
      OpenClStatus(cl.GetPlatformIDs(count, platforms.data(), nullptr),
                   "listing OpenCL platforms"));
  absl::Status first_error;
  for (cl_platform_id platform : platforms) {
    first_error.Update(AppendDevices(cl, platform, &entries));
  }
  // A broken platform matters only where there is no sound one.
  if (entries.empty() && !first_error.ok()) {
    return first_error;
  }
  return entries;
}

absl::StatusOr<ClContext> CreateOpenClContext(const OpenClLibrary& cl,
                                              const OpenClDeviceEntry& entry) {
  const cl_context_properties properties[] = {
      CL_CONTEXT_PLATFORM,
      reinterpret_cast<cl_context_properties>(entry.platform), 0};
  cl_int code = CL_SUCCESS;
  cl_context context =
      cl.CreateContext(properties, 1, &entry.device, nullptr, nullptr, &code);
  MR_RETURN_IF_ERROR(OpenClStatus(
      code, absl::StrCat("creating a context on ", OneLine(entry.info))));
  return ClContext(context, {cl.ReleaseContext});
}

absl::Status QueryImageAbilities(const OpenClLibrary& cl, cl_context context,
                                 DeviceInfo* info) {
  if (!info->abilities.images) {
    return absl::OkStatus();
  }
  for (int kind = 1; kind < kNumObjectKinds; ++kind) {
    const ObjectKind object_kind = static_cast<ObjectKind>(kind);
    MR_ASSIGN_OR_RETURN(const std::vector<cl_image_format> readable,
                        Formats(cl, context, CL_MEM_READ_ONLY, object_kind));
    MR_ASSIGN_OR_RETURN(const std::vector<cl_image_format> writable,
                        Formats(cl, context, CL_MEM_READ_WRITE, object_kind));
    const bool kind_writable = object_kind != ObjectKind::kTexture3d ||
                               info->abilities.image_3d_writes;
    for (int scalar = 0; scalar < kNumImageScalarTypes; ++scalar) {
      const ScalarType type = static_cast<ScalarType>(scalar);
      info->abilities.image_formats[kind][scalar] = {
          Has(readable, type), kind_writable && Has(writable, type)};
    }
  }
  info->abilities.image_over_sub_buffer =
      ImageOverSubBuffer(cl, context, info->limits.base_alignment_bytes);
  return absl::OkStatus();
}

}  // namespace millrace::hal
