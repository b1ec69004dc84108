// SPDX-License-Identifier: Apache-2.0
#include "runtime/weights/weights_file.h"

#include <cstring>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/hash64.h"
#include "runtime/plan/text.h"

namespace millrace::weights {
namespace {

constexpr absl::string_view kMagic = "MRWEIGHT";
constexpr uint32_t kVersion = 1;
constexpr size_t kFixedBytes = 40;
constexpr size_t kHashedBytes = 32;  // those before the header's own hash
constexpr int64_t kPayloadAlignment = 4096;

void AppendNumber(std::vector<uint8_t>& out, uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) {
    out.push_back(static_cast<uint8_t>(value >> (8 * i)));
  }
}

uint64_t ReadNumber(absl::Span<const uint8_t> in, size_t offset, int bytes) {
  uint64_t value = 0;
  for (int i = bytes - 1; i >= 0; --i) {
    value = (value << 8) | in[offset + static_cast<size_t>(i)];
  }
  return value;
}

void HashText(Hasher64& hasher, const flatbuffers::String& text) {
  hasher.UpdateInt(text.size());
  hasher.Update(plan::Text(&text));
}

void HashFloat(Hasher64& hasher, float value) {
  int32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  hasher.UpdateInt(bits);
}

void HashLayout(Hasher64& hasher, const plan::schema::Layout& layout) {
  hasher.UpdateInt(layout.axes()->size());
  for (uint32_t i = 0; i < layout.axes()->size(); ++i) {
    hasher.UpdateInt(static_cast<int>(layout.axes()->Get(i)));
    hasher.UpdateInt(layout.shape()->Get(i));
  }
  for (const auto* digits :
       {layout.object(), layout.z(), layout.y(), layout.x(), layout.lane()}) {
    hasher.UpdateInt(digits == nullptr ? 0 : digits->size());
    if (digits == nullptr) {
      continue;
    }
    for (const plan::schema::Digit* digit : *digits) {
      hasher.UpdateInt(static_cast<int>(digit->axis()));
      hasher.UpdateInt(digit->divisor());
      hasher.UpdateInt(digit->extent());
    }
  }
}

void HashWeight(Hasher64& hasher, const plan::schema::Weight& weight) {
  HashText(hasher, *weight.name());
  hasher.UpdateInt(weight.sources()->size());
  for (const plan::schema::Source* source : *weight.sources()) {
    HashText(hasher, *source->name());
    hasher.UpdateInt(source->shape()->size());
    for (int64_t extent : *source->shape()) {
      hasher.UpdateInt(extent);
    }
    HashFloat(hasher, source->offset());
  }
  HashLayout(hasher, *weight.layout());
  hasher.UpdateInt(static_cast<int>(weight.scalar()));
  hasher.UpdateInt(weight.offset());
  hasher.UpdateInt(weight.bytes());
  if (weight.constant() == nullptr) {
    return;
  }
  for (float value : *weight.constant()) {
    HashFloat(hasher, value);
  }
}

uint64_t HeaderHash(absl::Span<const uint8_t> header) {
  Hasher64 hasher;
  hasher.Update(header.first(kHashedBytes));
  hasher.Update(header.subspan(kFixedBytes));
  return hasher.Finish();
}

template <typename... Parts>
absl::Status Damaged(const Parts&... parts) {
  return absl::DataLossError(absl::StrCat(parts...));
}

}  // namespace

uint64_t WeightTableHash(const plan::schema::Plan& plan) {
  Hasher64 hasher;
  HashText(hasher, *plan.model()->identity());
  for (const plan::schema::Weight* weight : *plan.weights()) {
    HashWeight(hasher, *weight);
  }
  hasher.UpdateInt(plan.weight_file_bytes());
  return hasher.Finish();
}

WeightsFileHeader HeaderFor(const plan::schema::Plan& plan) {
  return {WeightTableHash(plan), plan.weight_file_bytes(),
          std::vector<uint64_t>(plan.weights()->size(), 0)};
}

int64_t PayloadOffset(const plan::schema::Plan& plan) {
  const int64_t header =
      static_cast<int64_t>(kFixedBytes) + 8 * int64_t{plan.weights()->size()};
  return (header + kPayloadAlignment - 1) / kPayloadAlignment *
         kPayloadAlignment;
}

std::vector<uint8_t> EncodeHeader(const WeightsFileHeader& header) {
  std::vector<uint8_t> out(kMagic.begin(), kMagic.end());
  AppendNumber(out, kVersion, 4);
  AppendNumber(out, header.weight_hashes.size(), 4);
  AppendNumber(out, header.table_hash, 8);
  AppendNumber(out, static_cast<uint64_t>(header.payload_bytes), 8);
  AppendNumber(out, 0, 8);
  for (uint64_t hash : header.weight_hashes) {
    AppendNumber(out, hash, 8);
  }
  const uint64_t hash = HeaderHash(out);
  for (size_t i = 0; i < 8; ++i) {
    out[kHashedBytes + i] = static_cast<uint8_t>(hash >> (8 * i));
  }
  return out;
}

absl::StatusOr<WeightsFileHeader> ReadHeader(const plan::schema::Plan& plan,
                                             absl::Span<const uint8_t> file) {
  if (file.size() < kFixedBytes ||
      std::memcmp(file.data(), kMagic.data(), kMagic.size()) != 0) {
    return Damaged("not a weights file: it does not start with ", kMagic);
  }
  if (ReadNumber(file, 8, 4) != kVersion) {
    return absl::InvalidArgumentError(
        absl::StrCat("weights of another version: wanted ", kVersion,
                     ", found ", ReadNumber(file, 8, 4)));
  }
  WeightsFileHeader header = HeaderFor(plan);
  if (ReadNumber(file, 16, 8) != header.table_hash ||
      ReadNumber(file, 12, 4) != header.weight_hashes.size()) {
    return absl::InvalidArgumentError(
        "the weights of another plan: pack them again for this one");
  }
  const int64_t wanted = PayloadOffset(plan) + header.payload_bytes;
  if (static_cast<int64_t>(file.size()) != wanted ||
      ReadNumber(file, 24, 8) != static_cast<uint64_t>(header.payload_bytes)) {
    return Damaged("the file is cut short or overlong: wanted ", wanted,
                   " bytes, found ", file.size());
  }
  const size_t bytes = kFixedBytes + 8 * header.weight_hashes.size();
  if (ReadNumber(file, kHashedBytes, 8) != HeaderHash(file.first(bytes))) {
    return Damaged("the file is damaged: its header's checksum does not match");
  }
  for (size_t i = 0; i < header.weight_hashes.size(); ++i) {
    header.weight_hashes[i] = ReadNumber(file, kFixedBytes + 8 * i, 8);
  }
  return header;
}

}  // namespace millrace::weights
