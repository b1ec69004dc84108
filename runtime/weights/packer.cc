// SPDX-License-Identifier: Apache-2.0
#include "runtime/weights/packer.h"

#include <algorithm>
#include <optional>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/atomic_file.h"
#include "base/hash64.h"
#include "base/status_macros.h"
#include "models/checkpoints/finite.h"
#include "runtime/plan/read_layout.h"
#include "runtime/plan/text.h"
#include "runtime/weights/layout_packer.h"
#include "runtime/weights/weights_file.h"

namespace millrace::weights {
namespace {

constexpr int64_t kMaxThreads = 16;
constexpr int64_t kZeroesAtOnce = int64_t{1} << 20;

int64_t ThreadCount() {
  return std::clamp<int64_t>(std::thread::hardware_concurrency(), 1,
                             kMaxThreads);
}

struct Piece {
  std::vector<uint8_t> bytes;
  absl::Status status;
};

// Packs pieces first, first + 1, ... of the weight, each on a thread of its
// own.
void PackBatch(const LayoutPacker& packer, absl::Span<const Segment> segments,
               int64_t first, absl::Span<Piece> pieces) {
  const auto pack = [&](size_t i) {
    const int64_t index = first + static_cast<int64_t>(i);
    pieces[i].bytes.resize(static_cast<size_t>(packer.PieceBytes(index)));
    pieces[i].status = packer.Pack(segments, index, pieces[i].bytes.data());
  };
  std::vector<std::thread> helpers;
  for (size_t i = 1; i < pieces.size(); ++i) {
    helpers.emplace_back(pack, i);
  }
  pack(0);
  for (std::thread& helper : helpers) {
    helper.join();
  }
}

absl::Status AppendZeroes(AtomicFile& file, int64_t bytes) {
  const std::vector<uint8_t> zeroes(
      static_cast<size_t>(std::min(bytes, kZeroesAtOnce)), 0);
  for (; bytes > 0; bytes -= kZeroesAtOnce) {
    const auto piece = static_cast<size_t>(std::min(bytes, kZeroesAtOnce));
    MR_RETURN_IF_ERROR(file.Append(absl::MakeConstSpan(zeroes).first(piece)));
  }
  return absl::OkStatus();
}

// Appends one weight at its offset; `end` is that of the payload so far.
absl::StatusOr<uint64_t> AppendWeight(const plan::schema::Weight& weight,
                                      const Source& source, int64_t end,
                                      AtomicFile& file, Progress& progress) {
  MR_RETURN_IF_ERROR(AppendZeroes(file, weight.offset() - end));
  Hasher64 hasher;
  MR_RETURN_IF_ERROR(PackWeight(
      weight, source, [&](absl::Span<const uint8_t> piece) -> absl::Status {
        hasher.Update(piece);
        progress.Advance(static_cast<int64_t>(piece.size()));
        return file.Append(piece);
      }));
  return hasher.Finish();
}

// A model with such a value gives no text, so it is not worth packing.
absl::Status CheckFinite(const plan::schema::Weight& weight,
                         absl::Span<const Segment> segments) {
  for (size_t i = 0; i < segments.size(); ++i) {
    const Segment& segment = segments[i];
    if (segment.data == nullptr || weight.sources()->size() == 0) {
      continue;
    }
    const std::optional<int64_t> element = checkpoints::FirstNotFinite(
        segment.dtype, segment.data, segment.elements);
    if (element.has_value()) {
      const auto* source = weight.sources()->Get(static_cast<uint32_t>(i));
      return absl::InvalidArgumentError(absl::StrCat(
          "tensor '", plan::Text(source->name()), "': element ", *element,
          " is infinite or not a number; the checkpoint is damaged"));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status PackWeight(
    const plan::schema::Weight& weight, const Source& source,
    absl::FunctionRef<absl::Status(absl::Span<const uint8_t>)> sink) {
  MR_ASSIGN_OR_RETURN(std::vector<Segment> segments,
                      SegmentsOf(weight, source));
  MR_RETURN_IF_ERROR(CheckFinite(weight, segments));
  MR_ASSIGN_OR_RETURN(const layout::Layout layout,
                      plan::ReadLayout(*weight.layout()));
  const LayoutPacker packer(layout, weight.scalar());
  std::vector<Piece> pieces(
      static_cast<size_t>(std::min<int64_t>(packer.pieces(), ThreadCount())));
  const auto batch = static_cast<int64_t>(pieces.size());
  for (int64_t first = 0; first < packer.pieces(); first += batch) {
    const int64_t count = std::min(batch, packer.pieces() - first);
    PackBatch(packer, segments, first, absl::MakeSpan(pieces).first(count));
    for (int64_t i = 0; i < count; ++i) {
      const Piece& piece = pieces[static_cast<size_t>(i)];
      if (!piece.status.ok()) {
        return absl::Status(piece.status.code(),
                            absl::StrCat("weight '", plan::Text(weight.name()),
                                         "': ", piece.status.message()));
      }
      MR_RETURN_IF_ERROR(sink(piece.bytes));
    }
  }
  return absl::OkStatus();
}

absl::Status PackWeights(const plan::schema::Plan& plan, const Source& source,
                         const std::string& path, Progress& progress) {
  MR_RETURN_IF_ERROR(CheckSource(plan, source));
  WeightsFileHeader header = HeaderFor(plan);
  MR_ASSIGN_OR_RETURN(AtomicFile file, AtomicFile::Create(path));
  MR_RETURN_IF_ERROR(
      file.Reserve(PayloadOffset(plan) + plan.weight_file_bytes()));
  progress.Start(plan.weight_file_bytes());
  // The hashes are known at the end; until then their place holds zeroes.
  MR_RETURN_IF_ERROR(AppendZeroes(file, PayloadOffset(plan)));
  int64_t end = 0;
  for (uint32_t i = 0; i < plan.weights()->size(); ++i) {
    const plan::schema::Weight& weight = *plan.weights()->Get(i);
    MR_ASSIGN_OR_RETURN(header.weight_hashes[i],
                        AppendWeight(weight, source, end, file, progress));
    end = weight.offset() + weight.bytes();
  }
  MR_RETURN_IF_ERROR(AppendZeroes(file, plan.weight_file_bytes() - end));
  MR_RETURN_IF_ERROR(file.WriteAt(0, EncodeHeader(header)));
  MR_RETURN_IF_ERROR(file.Commit());
  progress.Done();
  return absl::OkStatus();
}

}  // namespace millrace::weights
