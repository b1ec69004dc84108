// SPDX-License-Identifier: Apache-2.0
#include "runtime/hal/opencl/opencl_program.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/status_macros.h"
#include "runtime/hal/opencl/opencl_error.h"
#include "runtime/hal/opencl/opencl_objects.h"

namespace millrace::hal {
namespace {

std::string BuildLog(const OpenClBuildContext& build, cl_program program) {
  size_t size = 0;
  build.cl->GetProgramBuildInfo(program, build.device_id, CL_PROGRAM_BUILD_LOG,
                                0, nullptr, &size);
  std::string log(size, '\0');
  build.cl->GetProgramBuildInfo(program, build.device_id, CL_PROGRAM_BUILD_LOG,
                                size, log.data(), nullptr);
  log.resize(log.find('\0') == std::string::npos ? size : log.find('\0'));
  absl::StripTrailingAsciiWhitespace(&log);
  return log.empty() ? "(the driver gave no build log)" : log;
}

absl::StatusOr<ClProgram> BuildOnce(const OpenClBuildContext& build,
                                    absl::string_view name,
                                    absl::string_view source,
                                    const std::string& options) {
  const char* text = source.data();
  const size_t size = source.size();
  cl_int code = CL_SUCCESS;
  ClProgram program(
      build.cl->CreateProgramWithSource(build.context, 1, &text, &size, &code),
      {build.cl->ReleaseProgram});
  MR_RETURN_IF_ERROR(
      OpenClStatus(code, absl::StrCat("creating program '", name, "'")));
  code = build.cl->BuildProgram(program.get(), 1, &build.device_id,
                                options.c_str(), nullptr, nullptr);
  if (code != CL_SUCCESS) {
    return absl::InvalidArgumentError(absl::StrFormat(
        "program '%s' does not build on %s: %s, options '%s'; build log:\n%s",
        name, build.device->info().device, OpenClErrorName(code), options,
        BuildLog(build, program.get())));
  }
  return program;
}

// Builds, and once more where that fails: when several processes start with an
// empty cache, a driver's own cache (PoCL's) fails one of them now and then. A
// source that is wrong fails twice alike.
absl::StatusOr<ClProgram> BuildFromSource(const OpenClBuildContext& build,
                                          absl::string_view name,
                                          absl::string_view source,
                                          const std::string& options) {
  absl::StatusOr<ClProgram> program = BuildOnce(build, name, source, options);
  return program.ok() ? std::move(program)
                      : BuildOnce(build, name, source, options);
}

// Null when the driver refuses the binary at any step.
ClProgram BuildFromBinary(const OpenClBuildContext& build,
                          const std::string& binary,
                          const std::string& options) {
  const unsigned char* bytes =
      reinterpret_cast<const unsigned char*>(binary.data());
  const size_t size = binary.size();
  cl_int loaded = CL_SUCCESS;
  cl_int code = CL_SUCCESS;
  ClProgram program(
      build.cl->CreateProgramWithBinary(build.context, 1, &build.device_id,
                                        &size, &bytes, &loaded, &code),
      {build.cl->ReleaseProgram});
  if (code != CL_SUCCESS || loaded != CL_SUCCESS) {
    return nullptr;
  }
  cl_uint kernels = 0;
  if (build.cl->BuildProgram(program.get(), 1, &build.device_id,
                             options.c_str(), nullptr, nullptr) != CL_SUCCESS ||
      build.cl->CreateKernelsInProgram(program.get(), 0, nullptr, &kernels) !=
          CL_SUCCESS ||
      kernels == 0) {
    return nullptr;
  }
  return program;
}

// Empty when the driver has no binary to give.
std::string BinaryOf(const OpenClBuildContext& build, cl_program program) {
  size_t size = 0;
  if (build.cl->GetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof(size),
                               &size, nullptr) != CL_SUCCESS) {
    return "";
  }
  std::string binary(size, '\0');
  unsigned char* bytes = reinterpret_cast<unsigned char*>(binary.data());
  const cl_int code = build.cl->GetProgramInfo(program, CL_PROGRAM_BINARIES,
                                               sizeof(bytes), &bytes, nullptr);
  return code == CL_SUCCESS ? binary : "";
}

CacheKey KeyOf(const DeviceInfo& info, absl::string_view source,
               absl::string_view options) {
  return MakeCacheKey({source, options, info.backend, info.platform,
                       info.device, info.device_version, info.driver});
}

// A buffer is a pointer and an offset.
cl_uint Positions(ArgKind kind) { return kind == ArgKind::kBuffer ? 2 : 1; }

}  // namespace

OpenClKernel::OpenClKernel(const Device* device, const OpenClLibrary* cl,
                           std::string name, const Signature& signature,
                           int64_t max_work_group_size, ClKernel kernel)
    : Kernel(device, std::move(name), signature, max_work_group_size),
      cl_(cl),
      kernel_(std::move(kernel)) {
  cl_uint position = 0;
  for (ArgKind kind : signature) {
    positions_.push_back(position);
    position += Positions(kind);
  }
}

absl::Status OpenClKernel::SetRaw(cl_uint position, size_t size,
                                  const void* value, absl::string_view what) {
  const cl_int code = cl_->SetKernelArg(kernel_.get(), position, size, value);
  return code == CL_SUCCESS
             ? absl::OkStatus()
             : OpenClStatus(
                   code, absl::StrFormat("kernel '%s': argument %d, %s", name(),
                                         position, what));
}

absl::Status OpenClKernel::DoSetBuffer(int index, const BufferView& view) {
  const cl_mem mem = static_cast<const OpenClBuffer*>(view.buffer)->mem();
  const cl_long offset = view.offset;
  MR_RETURN_IF_ERROR(SetRaw(positions_[index], sizeof(mem), &mem, view.name));
  return SetRaw(positions_[index] + 1, sizeof(offset), &offset, view.name);
}

absl::Status OpenClKernel::DoSetImage(int index, const Image& image) {
  const cl_mem mem = static_cast<const OpenClImage&>(image).mem();
  return SetRaw(positions_[index], sizeof(mem), &mem, image.name());
}

absl::StatusOr<std::unique_ptr<Kernel>> OpenClProgram::DoCreateKernel(
    absl::string_view kernel_name, const Signature& signature) {
  const std::string text(kernel_name);
  cl_int code = CL_SUCCESS;
  ClKernel kernel(cl_->CreateKernel(program_.get(), text.c_str(), &code),
                  {cl_->ReleaseKernel});
  if (code == CL_INVALID_KERNEL_NAME) {
    return absl::NotFoundError(
        absl::StrFormat("program '%s' has no kernel '%s'", name(), text));
  }
  const std::string what =
      absl::StrFormat("kernel '%s' of program '%s'", text, name());
  MR_RETURN_IF_ERROR(OpenClStatus(code, what));
  cl_uint num_args = 0;
  MR_RETURN_IF_ERROR(
      OpenClStatus(cl_->GetKernelInfo(kernel.get(), CL_KERNEL_NUM_ARGS,
                                      sizeof(num_args), &num_args, nullptr),
                   what));
  cl_uint wanted = 0;
  for (ArgKind kind : signature) {
    wanted += Positions(kind);
  }
  if (num_args != wanted) {
    return absl::InvalidArgumentError(absl::StrFormat(
        "kernel '%s': %d buffers and images are %d arguments in OpenCL, it has "
        "%d",
        text, signature.size(), wanted, num_args));
  }
  size_t group = 0;
  MR_RETURN_IF_ERROR(
      OpenClStatus(cl_->GetKernelWorkGroupInfo(kernel.get(), device_id_,
                                               CL_KERNEL_WORK_GROUP_SIZE,
                                               sizeof(group), &group, nullptr),
                   what));
  return std::make_unique<OpenClKernel>(device_, cl_, text, signature,
                                        static_cast<int64_t>(group),
                                        std::move(kernel));
}

absl::StatusOr<std::unique_ptr<Program>> BuildOpenClProgram(
    const OpenClBuildContext& build, absl::string_view name,
    absl::string_view source, absl::string_view options) {
  const std::string option_text(options);
  const CacheKey key = KeyOf(build.device->info(), source, options);
  if (std::optional<std::string> binary = build.cache->Load(key)) {
    if (ClProgram program = BuildFromBinary(build, *binary, option_text)) {
      return std::make_unique<OpenClProgram>(build.device, build.cl,
                                             build.device_id, std::string(name),
                                             true, std::move(program));
    }
    build.cache->Remove(key);
  }
  MR_ASSIGN_OR_RETURN(ClProgram program,
                      BuildFromSource(build, name, source, option_text));
  if (build.cache->enabled()) {
    if (const std::string binary = BinaryOf(build, program.get());
        !binary.empty()) {
      // A cache that cannot be written costs time, not the run.
      build.cache->Store(key, binary).IgnoreError();
    }
  }
  return std::make_unique<OpenClProgram>(build.device, build.cl,
                                         build.device_id, std::string(name),
                                         false, std::move(program));
}

}  // namespace millrace::hal
