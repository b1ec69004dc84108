// SPDX-License-Identifier: Apache-2.0
//
// JSON files that nobody vouches for, read without exceptions. Every syntax
// error, missing field and wrong type becomes one line that names the file, the
// field, what was wanted and what was found.
#ifndef MILLRACE_MODELS_CHECKPOINTS_JSON_FIELDS_H_
#define MILLRACE_MODELS_CHECKPOINTS_JSON_FIELDS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "nlohmann/json.hpp"

namespace millrace::checkpoints {

using Json = nlohmann::json;

// Whether a key may appear twice in one object (the last one then wins).
enum class DuplicateKeys { kAllowed, kRefused };

// Parses `text`; errors start with `where`. Refuses nesting deeper than 64.
absl::StatusOr<Json> ParseJson(
    absl::string_view text, absl::string_view where,
    DuplicateKeys duplicates = DuplicateKeys::kAllowed);

// Reads and parses a file of at most `max_bytes`.
absl::StatusOr<Json> ReadJsonFile(const std::string& path,
                                  size_t max_bytes = size_t{256} << 20);

// "a string", "0", "an array": for the end of an error line. Never long.
std::string DescribeJson(const Json& value);

// "<where>: wanted <wanted>, found <value>".
absl::Status WrongJson(absl::string_view where, absl::string_view wanted,
                       const Json& value);

// A view of one JSON object, which must outlive it, and of where it came from.
// A field that is null counts as absent. Fields with a `fallback` may be
// absent.
class JsonFields {
 public:
  static absl::StatusOr<JsonFields> Of(const Json& value, std::string where);

  // From now on, notes in `keys` every key that is asked for, whether it is
  // there or not; those of nested objects as "outer.inner". `keys` must outlive
  // this and the objects taken from it.
  void RecordReads(std::set<std::string>* keys) { reads_ = keys; }

  // The field, or nullptr when it is absent or null.
  const Json* Find(absl::string_view key) const;
  // Whether the field is there and null, which some readers tell from absent.
  bool IsNull(absl::string_view key) const;
  absl::StatusOr<const Json*> Required(absl::string_view key) const;

  // Whole numbers written with a fraction (4096.0) are refused.
  absl::StatusOr<int64_t> Integer(
      absl::string_view key, int64_t low, int64_t high,
      std::optional<int64_t> fallback = std::nullopt) const;
  // A finite number in [low, high].
  absl::StatusOr<double> Number(
      absl::string_view key, double low, double high,
      std::optional<double> fallback = std::nullopt) const;
  absl::StatusOr<bool> Bool(absl::string_view key,
                            std::optional<bool> fallback = std::nullopt) const;
  absl::StatusOr<std::string> String(
      absl::string_view key,
      std::optional<std::string> fallback = std::nullopt) const;
  absl::StatusOr<JsonFields> Object(absl::string_view key) const;
  // The array `key`, required.
  absl::StatusOr<const Json*> Array(absl::string_view key) const;

  // "<where>: <key>".
  std::string Where(absl::string_view key) const;
  const std::string& where() const { return where_; }

 private:
  JsonFields(const Json* object, std::string where)
      : object_(object), where_(std::move(where)) {}

  const Json* object_;
  std::string where_;
  std::set<std::string>* reads_ = nullptr;
  std::string path_;  // "outer." of a nested object
};

}  // namespace millrace::checkpoints

#endif  // MILLRACE_MODELS_CHECKPOINTS_JSON_FIELDS_H_
