// SPDX-License-Identifier: Apache-2.0
#include "runtime/hal/null/null_queue.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_format.h"
#include "runtime/hal/null/null_objects.h"

namespace millrace::hal {
namespace {

constexpr uint64_t kDispatchNs = 1000;

// Calls `row(host_offset, device_offset, bytes)` for each row of `region`.
template <typename Row>
void ForEachRow(const ObjectDesc& desc, const ImageRegion& region, Row row) {
  const int64_t unit = UnitBytes(desc);
  const int64_t row_bytes = region.size[0] * unit;
  int64_t host = 0;
  for (int64_t z = 0; z < region.size[2]; ++z) {
    for (int64_t y = 0; y < region.size[1]; ++y) {
      const int64_t line =
          (region.origin[2] + z) * desc.height + region.origin[1] + y;
      row(host, (line * desc.width + region.origin[0]) * unit, row_bytes);
      host += row_bytes;
    }
  }
}

}  // namespace

NullKernelInstance::NullKernelInstance(const NullDevice* device,
                                       std::string name, NullKernel definition,
                                       const Signature& signature)
    : Kernel(device, std::move(name), signature,
             definition.max_work_group_size),
      definition_(std::move(definition)),
      args_(signature.size()) {}

absl::Status NullKernelInstance::DoSetBuffer(int index,
                                             const BufferView& view) {
  args_[index] = {view, nullptr};
  return absl::OkStatus();
}

absl::Status NullKernelInstance::DoSetImage(int index, const Image& image) {
  args_[index] = {{}, &image};
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<Kernel>> NullProgram::DoCreateKernel(
    absl::string_view kernel_name, const Signature& signature) {
  const auto found = device_->kernels_.find(kernel_name);
  if (found != device_->kernels_.end()) {
    const NullKernel& kernel = found->second;
    if (kernel.num_args != static_cast<int>(signature.size())) {
      return absl::InvalidArgumentError(
          absl::StrFormat("kernel '%s': wanted %d arguments, it has %d",
                          kernel_name, signature.size(), kernel.num_args));
    }
    return std::make_unique<NullKernelInstance>(
        device_, std::string(kernel_name), kernel, signature);
  }
  if (!absl::StrContains(source_, kernel_name)) {
    return absl::NotFoundError(absl::StrFormat(
        "program '%s' has no kernel '%s'", name(), kernel_name));
  }
  NullKernel unknown;
  unknown.max_work_group_size = device_->info().limits.max_work_group_size;
  return std::make_unique<NullKernelInstance>(device_, std::string(kernel_name),
                                              std::move(unknown), signature);
}

absl::Status NullQueue::Flush() {
  NullCall call;
  call.kind = NullCall::Kind::kFlush;
  device_->calls_.push_back(std::move(call));
  return absl::OkStatus();
}

absl::Status NullQueue::Finish() {
  NullCall call;
  call.kind = NullCall::Kind::kFinish;
  device_->calls_.push_back(std::move(call));
  return absl::OkStatus();
}

absl::Status NullQueue::SetProfiling(bool on) {
  profiling_ = on;
  return absl::OkStatus();
}

absl::StatusOr<std::vector<DispatchTime>> NullQueue::TakeTimes() {
  return std::exchange(times_, {});
}

absl::Status NullQueue::DoDispatch(Kernel& kernel, const Size3& groups,
                                   const Size3& local) {
  const auto& instance = static_cast<const NullKernelInstance&>(kernel);
  NullCall call;
  call.kind = NullCall::Kind::kDispatch;
  call.name = kernel.name();
  call.groups = groups;
  call.local = local;
  for (const NullKernelInstance::Arg& arg : instance.args()) {
    call.args.push_back(arg.image == nullptr ? arg.view.name
                                             : arg.image->name());
  }
  device_->calls_.push_back(std::move(call));
  if (instance.definition().run) {
    std::vector<NullArg> args;
    for (const NullKernelInstance::Arg& arg : instance.args()) {
      args.push_back({arg.image == nullptr
                          ? NullData(*arg.view.buffer)
                                .subspan(arg.view.offset, arg.view.bytes)
                          : NullData(*arg.image)});
    }
    instance.definition().run(args, groups, local);
  }
  if (profiling_) {
    times_.push_back(
        {kernel.name(), clock_ns_, clock_ns_, clock_ns_ + kDispatchNs});
    clock_ns_ += kDispatchNs;
  }
  return absl::OkStatus();
}

void NullQueue::RecordTransfer(NullCall::Kind kind, const Object& object,
                               int64_t offset, int64_t bytes) {
  NullCall call;
  call.kind = kind;
  call.name = object.name();
  call.offset = offset;
  call.bytes = bytes;
  device_->calls_.push_back(std::move(call));
}

absl::Status NullQueue::DoWrite(const Buffer& buffer, int64_t offset,
                                absl::Span<const uint8_t> data, bool blocking) {
  RecordTransfer(blocking ? NullCall::Kind::kWrite : NullCall::Kind::kUpdate,
                 buffer, offset, static_cast<int64_t>(data.size()));
  std::copy(data.begin(), data.end(), NullData(buffer).begin() + offset);
  return absl::OkStatus();
}

absl::Status NullQueue::DoRead(const Buffer& buffer, int64_t offset,
                               absl::Span<uint8_t> data) {
  RecordTransfer(NullCall::Kind::kRead, buffer, offset,
                 static_cast<int64_t>(data.size()));
  const auto from = NullData(buffer).begin() + offset;
  std::copy(from, from + data.size(), data.begin());
  return absl::OkStatus();
}

absl::Status NullQueue::DoWriteImage(const Image& image,
                                     const ImageRegion& region,
                                     absl::Span<const uint8_t> data) {
  RecordTransfer(NullCall::Kind::kWrite, image, 0,
                 static_cast<int64_t>(data.size()));
  const absl::Span<uint8_t> texels = NullData(image);
  ForEachRow(image.desc(), region, [&](int64_t host, int64_t at, int64_t size) {
    std::copy_n(data.begin() + host, size, texels.begin() + at);
  });
  return absl::OkStatus();
}

absl::Status NullQueue::DoReadImage(const Image& image,
                                    const ImageRegion& region,
                                    absl::Span<uint8_t> data) {
  RecordTransfer(NullCall::Kind::kRead, image, 0,
                 static_cast<int64_t>(data.size()));
  const absl::Span<uint8_t> texels = NullData(image);
  ForEachRow(image.desc(), region, [&](int64_t host, int64_t at, int64_t size) {
    std::copy_n(texels.begin() + at, size, data.begin() + host);
  });
  return absl::OkStatus();
}

}  // namespace millrace::hal
