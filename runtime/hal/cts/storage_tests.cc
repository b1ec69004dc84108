// SPDX-License-Identifier: Apache-2.0
//
// Conformance: each object kind with each scalar, host copies and kernels.
#include <cstdint>
#include <memory>
#include <vector>

#include "runtime/hal/cts/conformance.h"

namespace millrace::hal::cts {
namespace {

// Odd extents, so that a wrong pitch or a swapped axis cannot go unseen.
ObjectDesc OddDesc(ObjectKind kind, ScalarType scalar, const char* name) {
  switch (kind) {
    case ObjectKind::kBuffer:
      return BufferDesc(name, scalar, 77);
    case ObjectKind::kImageBuffer:
      return ImageDesc(name, kind, scalar, 77);
    case ObjectKind::kTexture2d:
      return ImageDesc(name, kind, scalar, 7, 5);
    case ObjectKind::kTextureArray:
    case ObjectKind::kTexture3d:
      return ImageDesc(name, kind, scalar, 7, 5, 3);
  }
  return {};
}

TEST_P(StorageTest, HostRoundTrip) {
  auto object = device_->CreateObject(OddDesc(kind(), scalar(), "object"));
  ASSERT_TRUE(object.ok()) << object.status();
  const int64_t bytes = (*object)->bytes();
  const auto in = Ramp(scalar(), bytes / ScalarBytes(scalar()), 1);
  ASSERT_TRUE(device_->queue().WriteAll(**object, in).ok());
  std::vector<uint8_t> out(bytes);
  ASSERT_TRUE(device_->queue().ReadAll(**object, absl::MakeSpan(out)).ok());
  EXPECT_EQ(in, out);
  ASSERT_TRUE(device_->queue().FillZero(**object).ok());
  ASSERT_TRUE(device_->queue().ReadAll(**object, absl::MakeSpan(out)).ok());
  EXPECT_EQ(out, std::vector<uint8_t>(bytes, 0));
}

TEST_P(StorageTest, ImageRegions) {
  if (kind() == ObjectKind::kBuffer) {
    return;  // buffers have byte ranges: ConformanceTest.BufferRegions
  }
  const ObjectDesc desc = OddDesc(kind(), scalar(), "image");
  auto object = device_->CreateImage(desc);
  ASSERT_TRUE(object.ok()) << object.status();
  Queue& queue = device_->queue();
  ASSERT_TRUE(queue.FillZero(**object).ok());
  const int64_t rows = desc.height > 1 ? 2 : 1;
  const ImageRegion region = {{3, desc.height - rows, desc.depth - 1},
                              {4, rows, 1}};
  const auto in = Ramp(scalar(), 4 * 4 * rows, 1);
  ASSERT_TRUE(queue.WriteImage(**object, region, in).ok());
  std::vector<uint8_t> out(in.size());
  ASSERT_TRUE(queue.ReadImage(**object, region, absl::MakeSpan(out)).ok());
  EXPECT_EQ(in, out);
  const ImageRegion before = {{2, desc.height - 1, desc.depth - 1}, {1, 1, 1}};
  std::vector<uint8_t> texel(UnitBytes(desc));
  ASSERT_TRUE(queue.ReadImage(**object, before, absl::MakeSpan(texel)).ok());
  EXPECT_EQ(texel, std::vector<uint8_t>(texel.size(), 0));
}

TEST_P(StorageTest, KernelReadsAndWrites) {
  const ObjectDesc desc = OddDesc(kind(), scalar(), "src");
  auto src = device_->CreateObject(desc);
  auto dst = device_->CreateObject(OddDesc(kind(), scalar(), "dst"));
  ASSERT_TRUE(src.ok() && dst.ok()) << src.status() << dst.status();
  const int64_t bytes = (*src)->bytes();
  const int64_t scalars = bytes / ScalarBytes(scalar());
  Queue& queue = device_->queue();
  ASSERT_TRUE(queue.WriteAll(**src, Ramp(scalar(), scalars, 10)).ok());
  ASSERT_TRUE(queue.FillZero(**dst).ok());
  auto program = device_->BuildProgram("plus_one",
                                       backend().PlusOne(kind(), scalar()), "");
  ASSERT_TRUE(program.ok()) << program.status();
  auto kernel = (*program)->CreateKernel("plus_one", TwoOf(kind()));
  ASSERT_TRUE(kernel.ok()) << kernel.status();
  ASSERT_TRUE((*kernel)->SetArg(0, **src).ok());
  ASSERT_TRUE((*kernel)->SetArg(1, **dst).ok());
  const Size3 groups = {static_cast<uint32_t>(desc.width),
                        static_cast<uint32_t>(desc.height),
                        static_cast<uint32_t>(desc.depth)};
  ASSERT_TRUE(queue.Dispatch(**kernel, groups, {1, 1, 1}).ok());
  std::vector<uint8_t> out(bytes);
  ASSERT_TRUE(queue.ReadAll(**dst, absl::MakeSpan(out)).ok());
  EXPECT_EQ(out, Ramp(scalar(), scalars, 11));
}

}  // namespace
}  // namespace millrace::hal::cts
