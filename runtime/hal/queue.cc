// SPDX-License-Identifier: Apache-2.0
#include "runtime/hal/queue.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_format.h"
#include "base/status_macros.h"
#include "runtime/hal/device.h"
#include "runtime/hal/limits.h"

namespace millrace::hal {
namespace {

constexpr int64_t kZeroPieceBytes = int64_t{4} << 20;

// Calls `write(region)` for boxes of at most kZeroPieceBytes that tile `image`:
// whole rows where a row is small enough, else parts of one row.
template <typename Write>
absl::Status ForEachPiece(const Image& image, Write write) {
  const ObjectDesc& desc = image.desc();
  const int64_t columns =
      std::clamp<int64_t>(kZeroPieceBytes / UnitBytes(desc), 1, desc.width);
  const int64_t rows = std::clamp<int64_t>(
      kZeroPieceBytes / (columns * UnitBytes(desc)), 1, desc.height);
  for (int64_t z = 0; z < desc.depth; ++z) {
    for (int64_t y = 0; y < desc.height; y += rows) {
      for (int64_t x = 0; x < desc.width; x += columns) {
        MR_RETURN_IF_ERROR(
            write(ImageRegion{{x, y, z},
                              {std::min(columns, desc.width - x),
                               std::min(rows, desc.height - y), 1}}));
      }
    }
  }
  return absl::OkStatus();
}

ImageRegion WholeImage(const Image& image) {
  const ObjectDesc& desc = image.desc();
  return {{0, 0, 0}, {desc.width, desc.height, desc.depth}};
}

absl::Status CheckWholeSize(const Object& object, size_t size) {
  if (static_cast<int64_t>(size) == object.bytes()) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrFormat("%s: given %d host bytes, it has %d",
                      Describe(object.desc()), size, object.bytes()));
}

}  // namespace

Queue::~Queue() = default;

absl::Status Queue::CheckBufferRange(const Buffer& buffer, int64_t offset,
                                     size_t size, const char* what) const {
  const int64_t bytes = static_cast<int64_t>(size);
  if (buffer.device() != device_) {
    return absl::InvalidArgumentError(absl::StrFormat(
        "%s of buffer '%s' of another device", what, buffer.name()));
  }
  if (offset < 0 || bytes < 0 || offset > buffer.bytes() ||
      bytes > buffer.bytes() - offset) {
    return absl::OutOfRangeError(
        absl::StrFormat("%s of bytes [%d, +%d) of buffer '%s', which has %d",
                        what, offset, bytes, buffer.name(), buffer.bytes()));
  }
  return absl::OkStatus();
}

absl::Status Queue::CheckImageRegion(const Image& image,
                                     const ImageRegion& region, size_t size,
                                     const char* what) const {
  if (image.device() != device_) {
    return absl::InvalidArgumentError(absl::StrFormat(
        "%s of image '%s' of another device", what, image.name()));
  }
  const ObjectDesc& desc = image.desc();
  const int64_t extents[3] = {desc.width, desc.height, desc.depth};
  int64_t bytes = UnitBytes(desc);
  for (int i = 0; i < 3; ++i) {
    const int64_t origin = region.origin[i];
    if (origin < 0 || region.size[i] <= 0 || origin > extents[i] ||
        region.size[i] > extents[i] - origin) {
      return absl::OutOfRangeError(
          absl::StrFormat("%s of texels [%d, +%d) in dimension %d of %s", what,
                          origin, region.size[i], i, Describe(desc)));
    }
    bytes *= region.size[i];
  }
  if (bytes != static_cast<int64_t>(size)) {
    return absl::InvalidArgumentError(
        absl::StrFormat("%s of a region of %d bytes of %s: given %d host bytes",
                        what, bytes, Describe(desc), size));
  }
  return absl::OkStatus();
}

absl::Status Queue::Dispatch(Kernel& kernel, const Size3& groups,
                             const Size3& local) {
  if (kernel.device() != device_) {
    return absl::InvalidArgumentError(
        absl::StrFormat("kernel '%s' is another device's", kernel.name()));
  }
  MR_RETURN_IF_ERROR(CheckDispatch(device_->info(), kernel.name(),
                                   kernel.max_work_group_size(), groups,
                                   local));
  MR_RETURN_IF_ERROR(kernel.CheckArgsSet());
  return DoDispatch(kernel, groups, local);
}

absl::Status Queue::Write(const Buffer& buffer, int64_t offset,
                          absl::Span<const uint8_t> data) {
  MR_RETURN_IF_ERROR(CheckBufferRange(buffer, offset, data.size(), "write"));
  return data.empty() ? absl::OkStatus() : DoWrite(buffer, offset, data, true);
}

absl::Status Queue::Update(const Buffer& buffer, int64_t offset,
                           absl::Span<const uint8_t> data) {
  MR_RETURN_IF_ERROR(CheckBufferRange(buffer, offset, data.size(), "update"));
  return data.empty() ? absl::OkStatus() : DoWrite(buffer, offset, data, false);
}

absl::Status Queue::Read(const Buffer& buffer, int64_t offset,
                         absl::Span<uint8_t> data) {
  MR_RETURN_IF_ERROR(CheckBufferRange(buffer, offset, data.size(), "read"));
  return data.empty() ? absl::OkStatus() : DoRead(buffer, offset, data);
}

absl::Status Queue::WriteImage(const Image& image, const ImageRegion& region,
                               absl::Span<const uint8_t> data) {
  MR_RETURN_IF_ERROR(CheckImageRegion(image, region, data.size(), "write"));
  return DoWriteImage(image, region, data);
}

absl::Status Queue::ReadImage(const Image& image, const ImageRegion& region,
                              absl::Span<uint8_t> data) {
  MR_RETURN_IF_ERROR(CheckImageRegion(image, region, data.size(), "read"));
  return DoReadImage(image, region, data);
}

absl::Status Queue::WriteAll(const Object& object,
                             absl::Span<const uint8_t> data) {
  MR_RETURN_IF_ERROR(CheckWholeSize(object, data.size()));
  if (object.kind() == ObjectKind::kBuffer) {
    return Write(static_cast<const Buffer&>(object), 0, data);
  }
  const Image& image = static_cast<const Image&>(object);
  return WriteImage(image, WholeImage(image), data);
}

absl::Status Queue::ReadAll(const Object& object, absl::Span<uint8_t> data) {
  MR_RETURN_IF_ERROR(CheckWholeSize(object, data.size()));
  if (object.kind() == ObjectKind::kBuffer) {
    return Read(static_cast<const Buffer&>(object), 0, data);
  }
  const Image& image = static_cast<const Image&>(object);
  return ReadImage(image, WholeImage(image), data);
}

absl::Status Queue::FillZero(const Object& object) {
  if (object.kind() == ObjectKind::kBuffer) {
    const Buffer& buffer = static_cast<const Buffer&>(object);
    const std::vector<uint8_t> zeros(std::min(kZeroPieceBytes, buffer.bytes()));
    for (int64_t at = 0; at < buffer.bytes(); at += kZeroPieceBytes) {
      const int64_t size = std::min(kZeroPieceBytes, buffer.bytes() - at);
      MR_RETURN_IF_ERROR(
          Write(buffer, at, absl::MakeConstSpan(zeros.data(), size)));
    }
    return absl::OkStatus();
  }
  const Image& image = static_cast<const Image&>(object);
  std::vector<uint8_t> zeros;
  return ForEachPiece(image, [&](const ImageRegion& region) {
    zeros.resize(region.size[0] * region.size[1] * UnitBytes(image.desc()));
    return WriteImage(image, region, zeros);
  });
}

}  // namespace millrace::hal
