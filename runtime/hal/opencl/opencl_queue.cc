// SPDX-License-Identifier: Apache-2.0
#include "runtime/hal/opencl/opencl_queue.h"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/status_macros.h"
#include "runtime/hal/opencl/opencl_error.h"
#include "runtime/hal/opencl/opencl_objects.h"
#include "runtime/hal/opencl/opencl_program.h"

namespace millrace::hal {
namespace {

// Updates are a few words each; past this many bytes one waits.
constexpr size_t kMaxStagedBytes = size_t{1} << 20;

struct ClRegion {
  size_t origin[3];
  size_t size[3];
};

ClRegion ToCl(const ImageRegion& region) {
  ClRegion cl;
  for (int i = 0; i < 3; ++i) {
    cl.origin[i] = static_cast<size_t>(region.origin[i]);
    cl.size[i] = static_cast<size_t>(region.size[i]);
  }
  return cl;
}

// Byte of the buffer below an image buffer where `region` starts.
int64_t ByteOffset(const OpenClImage& image, const ImageRegion& region) {
  return image.offset() + region.origin[0] * UnitBytes(image.desc());
}

}  // namespace

absl::StatusOr<std::unique_ptr<OpenClQueue>> OpenClQueue::Create(
    const Device* device, const OpenClLibrary* cl, cl_context context,
    cl_device_id device_id) {
  std::unique_ptr<OpenClQueue> queue(
      new OpenClQueue(device, cl, context, device_id));
  MR_RETURN_IF_ERROR(queue->MakeQueue(false));
  return queue;
}

OpenClQueue::~OpenClQueue() {
  if (queue_) {
    cl_->Finish(queue_.get());  // staged bytes may still be in use
  }
}

absl::Status OpenClQueue::MakeQueue(bool profiling) {
  cl_int code = CL_SUCCESS;
  queue_ = ClQueue(
      cl_->CreateCommandQueue(context_, device_id_,
                              profiling ? CL_QUEUE_PROFILING_ENABLE : 0, &code),
      {cl_->ReleaseCommandQueue});
  profiling_ = profiling;
  return OpenClStatus(code, "creating a command queue");
}

absl::Status OpenClQueue::Flush() {
  return OpenClStatus(cl_->Flush(queue_.get()), "flushing the queue");
}

absl::Status OpenClQueue::Finish() {
  MR_RETURN_IF_ERROR(
      OpenClStatus(cl_->Finish(queue_.get()), "waiting for the device"));
  DropStaged();
  return absl::OkStatus();
}

void OpenClQueue::DropStaged() {
  staged_.clear();
  staged_bytes_ = 0;
}

absl::Status OpenClQueue::SetProfiling(bool on) {
  MR_RETURN_IF_ERROR(Finish());
  return on == profiling_ ? absl::OkStatus() : MakeQueue(on);
}

absl::StatusOr<DispatchTime> OpenClQueue::TimeOf(
    const PendingTime& pending) const {
  DispatchTime time;
  time.kernel = pending.kernel;
  const std::pair<cl_profiling_info, uint64_t*> fields[] = {
      {CL_PROFILING_COMMAND_QUEUED, &time.queued_ns},
      {CL_PROFILING_COMMAND_START, &time.start_ns},
      {CL_PROFILING_COMMAND_END, &time.end_ns}};
  for (const auto& [property, field] : fields) {
    cl_ulong value = 0;
    MR_RETURN_IF_ERROR(
        OpenClStatus(cl_->GetEventProfilingInfo(pending.event.get(), property,
                                                sizeof(value), &value, nullptr),
                     absl::StrFormat("times of kernel '%s'", pending.kernel)));
    *field = value;
  }
  return time;
}

absl::StatusOr<std::vector<DispatchTime>> OpenClQueue::TakeTimes() {
  MR_RETURN_IF_ERROR(Finish());
  std::vector<DispatchTime> times;
  times.reserve(pending_times_.size());
  for (const PendingTime& pending : std::exchange(pending_times_, {})) {
    MR_ASSIGN_OR_RETURN(DispatchTime time, TimeOf(pending));
    times.push_back(std::move(time));
  }
  return times;
}

absl::Status OpenClQueue::DoDispatch(Kernel& kernel, const Size3& groups,
                                     const Size3& local) {
  const cl_kernel handle = static_cast<OpenClKernel&>(kernel).get();
  size_t global_size[3];
  size_t local_size[3];
  for (int i = 0; i < 3; ++i) {
    local_size[i] = local[i];
    global_size[i] = size_t{groups[i]} * local[i];
  }
  cl_event event = nullptr;
  const cl_int code = cl_->EnqueueNDRangeKernel(
      queue_.get(), handle, 3, nullptr, global_size, local_size, 0, nullptr,
      profiling_ ? &event : nullptr);
  if (code != CL_SUCCESS) {
    return OpenClStatus(
        code,
        absl::StrFormat(
            "kernel '%s': dispatch of %d x %d x %d groups of %d x %d x %d",
            kernel.name(), groups[0], groups[1], groups[2], local[0], local[1],
            local[2]));
  }
  if (profiling_) {
    pending_times_.push_back(
        {kernel.name(), ClEvent(event, {cl_->ReleaseEvent})});
  }
  return absl::OkStatus();
}

absl::Status OpenClQueue::DoWrite(const Buffer& buffer, int64_t offset,
                                  absl::Span<const uint8_t> data,
                                  bool blocking) {
  if (!blocking) {
    return Stage(buffer, offset, data);
  }
  const cl_mem mem = static_cast<const OpenClBuffer&>(buffer).mem();
  MR_RETURN_IF_ERROR(OpenClStatus(
      cl_->EnqueueWriteBuffer(queue_.get(), mem, CL_TRUE, offset, data.size(),
                              data.data(), 0, nullptr, nullptr),
      absl::StrCat("writing buffer '", buffer.name(), "'")));
  DropStaged();
  return absl::OkStatus();
}

absl::Status OpenClQueue::Stage(const Buffer& buffer, int64_t offset,
                                absl::Span<const uint8_t> data) {
  if (data.size() > kMaxStagedBytes) {
    return DoWrite(buffer, offset, data, true);
  }
  if (staged_bytes_ + data.size() > kMaxStagedBytes) {
    MR_RETURN_IF_ERROR(Finish());
  }
  staged_.emplace_back(data.begin(), data.end());
  staged_bytes_ += data.size();
  const cl_mem mem = static_cast<const OpenClBuffer&>(buffer).mem();
  return OpenClStatus(
      cl_->EnqueueWriteBuffer(queue_.get(), mem, CL_FALSE, offset, data.size(),
                              staged_.back().data(), 0, nullptr, nullptr),
      absl::StrCat("updating buffer '", buffer.name(), "'"));
}

absl::Status OpenClQueue::DoRead(const Buffer& buffer, int64_t offset,
                                 absl::Span<uint8_t> data) {
  const cl_mem mem = static_cast<const OpenClBuffer&>(buffer).mem();
  MR_RETURN_IF_ERROR(OpenClStatus(
      cl_->EnqueueReadBuffer(queue_.get(), mem, CL_TRUE, offset, data.size(),
                             data.data(), 0, nullptr, nullptr),
      absl::StrCat("reading buffer '", buffer.name(), "'")));
  DropStaged();
  return absl::OkStatus();
}

absl::Status OpenClQueue::DoWriteImage(const Image& image,
                                       const ImageRegion& region,
                                       absl::Span<const uint8_t> data) {
  const auto& target = static_cast<const OpenClImage&>(image);
  const ClRegion cl_region = ToCl(region);
  // An image buffer is written as the buffer it is: drivers differ on copies
  // to the image form.
  const cl_int code =
      image.kind() == ObjectKind::kImageBuffer
          ? cl_->EnqueueWriteBuffer(queue_.get(), target.memory().mem.get(),
                                    CL_TRUE, ByteOffset(target, region),
                                    data.size(), data.data(), 0, nullptr,
                                    nullptr)
          : cl_->EnqueueWriteImage(queue_.get(), target.mem(), CL_TRUE,
                                   cl_region.origin, cl_region.size, 0, 0,
                                   data.data(), 0, nullptr, nullptr);
  MR_RETURN_IF_ERROR(
      OpenClStatus(code, absl::StrCat("writing ", Describe(image.desc()))));
  DropStaged();
  return absl::OkStatus();
}

absl::Status OpenClQueue::DoReadImage(const Image& image,
                                      const ImageRegion& region,
                                      absl::Span<uint8_t> data) {
  const auto& source = static_cast<const OpenClImage&>(image);
  const ClRegion cl_region = ToCl(region);
  const cl_int code =
      image.kind() == ObjectKind::kImageBuffer
          ? cl_->EnqueueReadBuffer(queue_.get(), source.memory().mem.get(),
                                   CL_TRUE, ByteOffset(source, region),
                                   data.size(), data.data(), 0, nullptr,
                                   nullptr)
          : cl_->EnqueueReadImage(queue_.get(), source.mem(), CL_TRUE,
                                  cl_region.origin, cl_region.size, 0, 0,
                                  data.data(), 0, nullptr, nullptr);
  MR_RETURN_IF_ERROR(
      OpenClStatus(code, absl::StrCat("reading ", Describe(image.desc()))));
  DropStaged();
  return absl::OkStatus();
}

}  // namespace millrace::hal
