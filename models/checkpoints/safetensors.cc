// SPDX-License-Identifier: Apache-2.0
#include "models/checkpoints/safetensors.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/status_macros.h"
#include "models/checkpoints/json_fields.h"

namespace millrace::checkpoints {
namespace {

constexpr size_t kLengthBytes = 8;
constexpr uint64_t kMaxHeaderBytes = 100'000'000;  // The format's own limit.
constexpr size_t kMaxRank = 16;
constexpr int64_t kMaxExtent = std::numeric_limits<int64_t>::max();

uint64_t ReadLittleEndian64(const uint8_t* bytes) {
  uint64_t value = 0;
  for (size_t i = 0; i < 8; ++i) {
    value |= uint64_t{bytes[i]} << (8 * i);
  }
  return value;
}

absl::StatusOr<std::vector<int64_t>> ReadIntegers(const Json& array,
                                                  absl::string_view where) {
  std::vector<int64_t> values;
  values.reserve(array.size());
  for (const Json& item : array) {
    const bool fits = item.is_number_unsigned() &&
                      item.get<uint64_t>() <= static_cast<uint64_t>(kMaxExtent);
    if (!fits) {
      return WrongJson(where, "integers of 0 or more", item);
    }
    values.push_back(item.get<int64_t>());
  }
  return values;
}

// Bytes of a tensor, or an error when they do not fit 64 bits.
absl::StatusOr<int64_t> TensorBytes(DType dtype,
                                    absl::Span<const int64_t> shape,
                                    absl::string_view where) {
  // A zero extent anywhere makes the tensor empty, whatever the others are.
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) {
    return 0;
  }
  int64_t bytes = static_cast<int64_t>(SizeOf(dtype));
  for (int64_t extent : shape) {
    if (extent > kMaxExtent / bytes) {
      return absl::InvalidArgumentError(absl::StrCat(
          where, ": shape ", ShapeToString(shape), " is larger than any file"));
    }
    bytes *= extent;
  }
  return bytes;
}

absl::StatusOr<TensorView> ReadTensor(const std::string& name,
                                      const Json& entry,
                                      absl::Span<const uint8_t> data,
                                      const std::string& where) {
  MR_ASSIGN_OR_RETURN(JsonFields fields, JsonFields::Of(entry, where));
  MR_ASSIGN_OR_RETURN(std::string dtype_name, fields.String("dtype"));
  std::optional<DType> dtype = ParseDType(dtype_name);
  if (!dtype) {
    return absl::UnimplementedError(absl::StrCat(
        where, ": wanted a known dtype, found '", dtype_name, "'"));
  }
  MR_ASSIGN_OR_RETURN(const Json* shape_json, fields.Array("shape"));
  if (shape_json->size() > kMaxRank) {
    return WrongJson(fields.Where("shape"), "at most 16 dimensions",
                     *shape_json);
  }
  MR_ASSIGN_OR_RETURN(std::vector<int64_t> shape,
                      ReadIntegers(*shape_json, fields.Where("shape")));
  MR_ASSIGN_OR_RETURN(const Json* offsets_json, fields.Array("data_offsets"));
  if (offsets_json->size() != 2) {
    return WrongJson(fields.Where("data_offsets"), "[begin, end]",
                     *offsets_json);
  }
  MR_ASSIGN_OR_RETURN(
      std::vector<int64_t> offsets,
      ReadIntegers(*offsets_json, fields.Where("data_offsets")));
  const int64_t begin = offsets[0];
  const int64_t end = offsets[1];
  if (begin > end || static_cast<uint64_t>(end) > data.size()) {
    return absl::InvalidArgumentError(absl::StrFormat(
        "%s: wanted data inside the file's %u data bytes, found [%d, %d)",
        where, data.size(), begin, end));
  }
  MR_ASSIGN_OR_RETURN(int64_t bytes, TensorBytes(*dtype, shape, where));
  if (end - begin != bytes) {
    return absl::InvalidArgumentError(
        absl::StrFormat("%s: wanted %d bytes for %s %s, found [%d, %d)", where,
                        bytes, dtype_name, ShapeToString(shape), begin, end));
  }
  return TensorView{
      name, *dtype, std::move(shape),
      data.subspan(static_cast<size_t>(begin), static_cast<size_t>(bytes))};
}

}  // namespace

absl::StatusOr<SafetensorsFile> SafetensorsFile::Open(const std::string& path) {
  MR_ASSIGN_OR_RETURN(MappedFile mapped, MappedFile::Open(path));
  SafetensorsFile file(path, std::move(mapped));
  MR_RETURN_IF_ERROR(file.ReadHeader());
  return file;
}

absl::Status SafetensorsFile::ReadHeader() {
  const absl::Span<const uint8_t> bytes = file_.bytes();
  if (bytes.size() < kLengthBytes) {
    return absl::InvalidArgumentError(absl::StrFormat(
        "%s: wanted a safetensors header, found a file of %u bytes", path_,
        bytes.size()));
  }
  const uint64_t length = ReadLittleEndian64(bytes.data());
  if (length > kMaxHeaderBytes || length > bytes.size() - kLengthBytes) {
    return absl::InvalidArgumentError(absl::StrFormat(
        "%s: wanted a header of at most %u bytes, found a length of %u", path_,
        std::min<uint64_t>(kMaxHeaderBytes, bytes.size() - kLengthBytes),
        length));
  }
  const std::string where = absl::StrCat(path_, ": header");
  MR_ASSIGN_OR_RETURN(
      Json header,
      ParseJson({reinterpret_cast<const char*>(bytes.data() + kLengthBytes),
                 static_cast<size_t>(length)},
                where, DuplicateKeys::kRefused));
  if (!header.is_object()) {
    return WrongJson(where, "an object", header);
  }
  const absl::Span<const uint8_t> data =
      bytes.subspan(kLengthBytes + static_cast<size_t>(length));
  for (const auto& [name, entry] : header.items()) {
    if (name == "__metadata__") {
      continue;
    }
    MR_ASSIGN_OR_RETURN(
        TensorView tensor,
        ReadTensor(name, entry, data,
                   absl::StrCat(path_, ": tensor '", name, "'")));
    tensors_.push_back(std::move(tensor));
  }
  std::sort(tensors_.begin(), tensors_.end(),
            [](const TensorView& a, const TensorView& b) {
              return std::pair(a.data.data(), a.data.size()) <
                     std::pair(b.data.data(), b.data.size());
            });
  for (size_t i = 0; i < tensors_.size(); ++i) {
    by_name_[tensors_[i].name] = i;
  }
  return CheckCoverage(data);
}

absl::Status SafetensorsFile::CheckCoverage(
    absl::Span<const uint8_t> data) const {
  const uint8_t* next = data.data();
  for (const TensorView& tensor : tensors_) {
    if (tensor.data.data() != next) {
      return absl::InvalidArgumentError(absl::StrFormat(
          "%s: tensor '%s': wanted data from byte %d on, where the tensor "
          "before it ends, found byte %d",
          path_, tensor.name, next - data.data(),
          tensor.data.data() - data.data()));
    }
    next += tensor.data.size();
  }
  if (next != data.data() + data.size()) {
    return absl::InvalidArgumentError(
        absl::StrFormat("%s: wanted %d bytes of data, found %u", path_,
                        next - data.data(), data.size()));
  }
  return absl::OkStatus();
}

const TensorView* SafetensorsFile::Find(absl::string_view name) const {
  auto it = by_name_.find(name);
  return it == by_name_.end() ? nullptr : &tensors_[it->second];
}

}  // namespace millrace::checkpoints
