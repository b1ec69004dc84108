// SPDX-License-Identifier: Apache-2.0
#include "models/checkpoints/json_fields.h"

#include <cmath>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/status_macros.h"
#include "models/checkpoints/mapped_file.h"

namespace millrace::checkpoints {
namespace {

constexpr size_t kMaxDepth = 64;

// A first pass over the text that builds nothing: it says where the syntax
// breaks, and refuses what would be dangerous to build.
class StructureCheck : public nlohmann::json_sax<Json> {
 public:
  explicit StructureCheck(DuplicateKeys duplicates) : duplicates_(duplicates) {}

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }

  bool start_object(std::size_t) override {
    if (duplicates_ == DuplicateKeys::kRefused) {
      keys_.emplace_back();
    }
    return Enter();
  }
  bool end_object() override {
    if (duplicates_ == DuplicateKeys::kRefused) {
      keys_.pop_back();
    }
    return Leave();
  }
  bool start_array(std::size_t) override { return Enter(); }
  bool end_array() override { return Leave(); }

  bool key(string_t& name) override {
    if (duplicates_ == DuplicateKeys::kRefused &&
        !keys_.back().insert(name).second) {
      problem_ = absl::StrCat("the name '", name, "' appears twice");
      return false;
    }
    return true;
  }

  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::detail::exception&) override {
    problem_ = absl::StrCat("not JSON: syntax error at byte ", position);
    return false;
  }

  const std::string& problem() const { return problem_; }

 private:
  bool Enter() {
    if (++depth_ > kMaxDepth) {
      problem_ = absl::StrCat("nested deeper than ", kMaxDepth, " levels");
      return false;
    }
    return true;
  }
  bool Leave() {
    --depth_;
    return true;
  }

  DuplicateKeys duplicates_;
  size_t depth_ = 0;
  std::vector<absl::flat_hash_set<std::string>> keys_;
  std::string problem_;
};

}  // namespace

absl::StatusOr<Json> ParseJson(absl::string_view text, absl::string_view where,
                               DuplicateKeys duplicates) {
  StructureCheck check(duplicates);
  const char* end = text.data() + text.size();
  if (!Json::sax_parse(text.data(), end, &check)) {
    return absl::InvalidArgumentError(
        absl::StrCat(where, ": ", check.problem()));
  }
  Json value = Json::parse(text.data(), end, nullptr, false);
  if (value.is_discarded()) {
    return absl::InvalidArgumentError(absl::StrCat(where, ": not JSON"));
  }
  return value;
}

absl::StatusOr<Json> ReadJsonFile(const std::string& path, size_t max_bytes) {
  MR_ASSIGN_OR_RETURN(MappedFile file, MappedFile::Open(path));
  if (file.bytes().size() > max_bytes) {
    return absl::InvalidArgumentError(
        absl::StrFormat("%s: wanted a JSON file of at most %u bytes, found %u",
                        path, max_bytes, file.bytes().size()));
  }
  return ParseJson(
      absl::string_view(reinterpret_cast<const char*>(file.bytes().data()),
                        file.bytes().size()),
      path);
}

std::string DescribeJson(const Json& value) {
  if (value.is_null()) {
    return "null";
  }
  if (value.is_object()) {
    return "an object";
  }
  if (value.is_array()) {
    return absl::StrCat("an array of ", value.size());
  }
  if (value.is_string()) {
    const std::string& text = value.get_ref<const std::string&>();
    return text.size() <= 60 ? absl::StrCat("'", text, "'")
                             : std::string("a long string");
  }
  return value.dump();
}

absl::Status WrongJson(absl::string_view where, absl::string_view wanted,
                       const Json& value) {
  return absl::InvalidArgumentError(absl::StrCat(
      where, ": wanted ", wanted, ", found ", DescribeJson(value)));
}

absl::StatusOr<JsonFields> JsonFields::Of(const Json& value,
                                          std::string where) {
  if (!value.is_object()) {
    return WrongJson(where, "an object", value);
  }
  return JsonFields(&value, std::move(where));
}

const Json* JsonFields::Find(absl::string_view key) const {
  if (reads_ != nullptr) {
    reads_->insert(absl::StrCat(path_, key));
  }
  auto it = object_->find(std::string(key));
  return it == object_->end() || it->is_null() ? nullptr : &*it;
}

bool JsonFields::IsNull(absl::string_view key) const {
  auto it = object_->find(std::string(key));
  return it != object_->end() && it->is_null();
}

absl::StatusOr<const Json*> JsonFields::Required(absl::string_view key) const {
  if (const Json* value = Find(key)) {
    return value;
  }
  return absl::InvalidArgumentError(absl::StrCat(Where(key), ": missing"));
}

absl::StatusOr<int64_t> JsonFields::Integer(
    absl::string_view key, int64_t low, int64_t high,
    std::optional<int64_t> fallback) const {
  if (fallback && !Find(key)) {
    return *fallback;
  }
  MR_ASSIGN_OR_RETURN(const Json* value, Required(key));
  // An unsigned number above 2^63 would wrap when read as signed.
  const bool fits = value->is_number_integer() &&
                    !(value->is_number_unsigned() &&
                      value->get<uint64_t>() > uint64_t{INT64_MAX});
  if (!fits || value->get<int64_t>() < low || value->get<int64_t>() > high) {
    return WrongJson(Where(key),
                     absl::StrFormat("an integer in [%d, %d]", low, high),
                     *value);
  }
  return value->get<int64_t>();
}

absl::StatusOr<double> JsonFields::Number(
    absl::string_view key, double low, double high,
    std::optional<double> fallback) const {
  if (fallback && !Find(key)) {
    return *fallback;
  }
  MR_ASSIGN_OR_RETURN(const Json* value, Required(key));
  const double number = value->is_number() ? value->get<double>() : NAN;
  if (!(number >= low && number <= high)) {
    return WrongJson(
        Where(key), absl::StrFormat("a number in [%g, %g]", low, high), *value);
  }
  return number;
}

absl::StatusOr<bool> JsonFields::Bool(absl::string_view key,
                                      std::optional<bool> fallback) const {
  if (fallback && !Find(key)) {
    return *fallback;
  }
  MR_ASSIGN_OR_RETURN(const Json* value, Required(key));
  if (!value->is_boolean()) {
    return WrongJson(Where(key), "true or false", *value);
  }
  return value->get<bool>();
}

absl::StatusOr<std::string> JsonFields::String(
    absl::string_view key, std::optional<std::string> fallback) const {
  if (fallback && !Find(key)) {
    return *std::move(fallback);
  }
  MR_ASSIGN_OR_RETURN(const Json* value, Required(key));
  if (!value->is_string()) {
    return WrongJson(Where(key), "a string", *value);
  }
  return value->get_ref<const std::string&>();
}

absl::StatusOr<JsonFields> JsonFields::Object(absl::string_view key) const {
  MR_ASSIGN_OR_RETURN(const Json* value, Required(key));
  MR_ASSIGN_OR_RETURN(JsonFields nested, Of(*value, Where(key)));
  nested.reads_ = reads_;
  nested.path_ = absl::StrCat(path_, key, ".");
  return nested;
}

absl::StatusOr<const Json*> JsonFields::Array(absl::string_view key) const {
  MR_ASSIGN_OR_RETURN(const Json* value, Required(key));
  if (!value->is_array()) {
    return WrongJson(Where(key), "an array", *value);
  }
  return value;
}

std::string JsonFields::Where(absl::string_view key) const {
  return absl::StrCat(where_, ": ", key);
}

}  // namespace millrace::checkpoints
