// SPDX-License-Identifier: Apache-2.0
#include "models/families/decoder/read_rope.h"

#include <cmath>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/status_macros.h"

namespace millrace::families {
namespace {

using checkpoints::JsonFields;

constexpr double kMaxTheta = 1e12;
constexpr double kMaxFactor = 1e6;

absl::StatusOr<LinearRope> ReadLinear(const JsonFields& rope) {
  LinearRope linear;
  MR_ASSIGN_OR_RETURN(linear.factor, rope.Number("factor", 1e-6, kMaxFactor));
  return linear;
}

absl::StatusOr<Llama3Rope> ReadLlama3(const JsonFields& rope) {
  Llama3Rope scaling;
  MR_ASSIGN_OR_RETURN(scaling.factor, rope.Number("factor", 1.0, kMaxFactor));
  MR_ASSIGN_OR_RETURN(scaling.low_freq_factor,
                      rope.Number("low_freq_factor", 1e-6, kMaxFactor));
  MR_ASSIGN_OR_RETURN(scaling.high_freq_factor,
                      rope.Number("high_freq_factor", 1e-6, kMaxFactor));
  if (scaling.high_freq_factor <= scaling.low_freq_factor) {
    return absl::InvalidArgumentError(
        absl::StrFormat("%s: wanted more than low_freq_factor (%g), found %g",
                        rope.Where("high_freq_factor"), scaling.low_freq_factor,
                        scaling.high_freq_factor));
  }
  MR_ASSIGN_OR_RETURN(
      scaling.original_max_position_embeddings,
      rope.Integer("original_max_position_embeddings", 1, kMaxPositions));
  return scaling;
}

// YaRN's own: 0.1 m ln(factor) + 1.
double YarnScale(double factor, double m) {
  return factor <= 1.0 ? 1.0 : 0.1 * m * std::log(factor) + 1.0;
}

// `attention_factor`, or what it follows from.
absl::StatusOr<double> ReadYarnAttention(const JsonFields& rope,
                                         double factor) {
  MR_ASSIGN_OR_RETURN(const double m,
                      rope.Number("mscale", 0.0, kMaxFactor, 0.0));
  MR_ASSIGN_OR_RETURN(const double m_all,
                      rope.Number("mscale_all_dim", 0.0, kMaxFactor, 0.0));
  const double fallback = m != 0.0 && m_all != 0.0
                              ? YarnScale(factor, m) / YarnScale(factor, m_all)
                              : YarnScale(factor, 1.0);
  return rope.Number("attention_factor", 1e-6, kMaxFactor, fallback);
}

absl::StatusOr<YarnRope> ReadYarn(const JsonFields& rope,
                                  int64_t max_positions) {
  YarnRope yarn;
  MR_ASSIGN_OR_RETURN(yarn.factor, rope.Number("factor", 1.0, kMaxFactor));
  MR_ASSIGN_OR_RETURN(yarn.beta_fast,
                      rope.Number("beta_fast", 1e-6, kMaxFactor, 32.0));
  MR_ASSIGN_OR_RETURN(yarn.beta_slow,
                      rope.Number("beta_slow", 1e-6, kMaxFactor, 1.0));
  MR_ASSIGN_OR_RETURN(yarn.truncate, rope.Bool("truncate", true));
  MR_ASSIGN_OR_RETURN(yarn.attention_factor,
                      ReadYarnAttention(rope, yarn.factor));
  MR_ASSIGN_OR_RETURN(yarn.original_max_position_embeddings,
                      rope.Integer("original_max_position_embeddings", 1,
                                   kMaxPositions, max_positions));
  return yarn;
}

absl::Status ReadScaling(const JsonFields& rope, absl::string_view type_key,
                         absl::string_view type, int64_t max_positions,
                         RopeConfig* config) {
  if (type == "default") {
    return absl::OkStatus();
  }
  if (type == "linear") {
    MR_ASSIGN_OR_RETURN(config->scaling, ReadLinear(rope));
    return absl::OkStatus();
  }
  if (type == "dynamic") {
    // Raises the base for sequences beyond max_position_embeddings, which no
    // plan has room for; up to there it changes nothing.
    return rope.Number("factor", 1e-6, kMaxFactor).status();
  }
  if (type == "llama3") {
    MR_ASSIGN_OR_RETURN(config->scaling, ReadLlama3(rope));
    return absl::OkStatus();
  }
  if (type == "yarn") {
    MR_ASSIGN_OR_RETURN(config->scaling, ReadYarn(rope, max_positions));
    return absl::OkStatus();
  }
  return absl::UnimplementedError(absl::StrCat(
      rope.Where(type_key),
      ": wanted 'default', 'linear', 'dynamic', 'yarn' or 'llama3', found '",
      type, "'"));
}

// The older spelling is "type".
const char* TypeKey(const JsonFields& rope) {
  return rope.Find("rope_type") != nullptr ? "rope_type" : "type";
}

}  // namespace

absl::StatusOr<RopeConfig> ReadRopeConfig(const JsonFields& fields,
                                          double default_theta,
                                          int64_t max_positions) {
  RopeConfig config;
  MR_ASSIGN_OR_RETURN(
      config.theta, fields.Number("rope_theta", 1.0, kMaxTheta, default_theta));
  const bool has_parameters = fields.Find("rope_parameters") != nullptr;
  const char* key = has_parameters ? "rope_parameters" : "rope_scaling";
  if (fields.Find(key) == nullptr) {
    return config;
  }
  MR_ASSIGN_OR_RETURN(const JsonFields rope, fields.Object(key));
  if (has_parameters) {
    return ReadRopeObject(rope, config.theta, max_positions);
  }
  // Here, and only here, the type must be there.
  const char* type_key = TypeKey(rope);
  MR_ASSIGN_OR_RETURN(const std::string type, rope.String(type_key));
  MR_RETURN_IF_ERROR(ReadScaling(rope, type_key, type, max_positions, &config));
  return config;
}

absl::StatusOr<RopeConfig> ReadRopeObject(const JsonFields& rope,
                                          double default_theta,
                                          int64_t max_positions) {
  RopeConfig config;
  MR_ASSIGN_OR_RETURN(config.theta,
                      rope.Number("rope_theta", 1.0, kMaxTheta, default_theta));
  const char* type_key = TypeKey(rope);
  MR_ASSIGN_OR_RETURN(const std::string type, rope.String(type_key, "default"));
  MR_RETURN_IF_ERROR(ReadScaling(rope, type_key, type, max_positions, &config));
  return config;
}

}  // namespace millrace::families
