// SPDX-License-Identifier: Apache-2.0
#include "models/families/config_keys.h"

#include <algorithm>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace millrace::families {
namespace {

using checkpoints::Json;

// About training, other software, or the text around the model.
constexpr absl::string_view kHarmless[] = {
    "_attn_implementation",
    "_attn_implementation_autoset",
    "_commit_hash",
    "_name_or_path",
    "attention_dropout",
    "attn_pdrop",
    "auto_map",
    "bad_words_ids",
    "begin_suppress_tokens",
    "bos_token_id",
    "cache_implementation",
    "chunk_size_feed_forward",
    "decoder_start_token_id",
    "diversity_penalty",
    "do_sample",
    "dtype",
    "early_stopping",
    "embd_pdrop",
    "encoder_no_repeat_ngram_size",
    "eos_token_id",
    "exponential_decay_length_penalty",
    "finetuning_task",
    "forced_bos_token_id",
    "forced_eos_token_id",
    "gradient_checkpointing",
    "hidden_dropout",
    "hidden_dropout_prob",
    "id2label",
    "initializer_range",
    "is_decoder",
    "is_encoder_decoder",
    "is_llama_config",
    "keys_to_ignore_at_inference",
    "label2id",
    "length_penalty",
    "max_length",
    "min_length",
    "model_type",
    "no_repeat_ngram_size",
    "num_beam_groups",
    "num_beams",
    "num_return_sequences",
    "original_max_position_embeddings",
    "output_attentions",
    "output_hidden_states",
    "output_scores",
    "pad_token_id",
    "prefix",
    "pretraining_tp",
    "problem_type",
    "remove_invalid_values",
    "repetition_penalty",
    "resid_pdrop",
    "return_dict",
    "return_dict_in_generate",
    "sep_token_id",
    "suppress_tokens",
    "task_specific_params",
    "temperature",
    "tie_encoder_decoder",
    "tokenizer_class",
    "top_k",
    "top_p",
    "torch_dtype",
    "torchscript",
    "transformers.js_config",
    "transformers_version",
    "typical_p",
    "use_cache",
    // Counts layers for use_sliding_window, which is in the table below.
    "max_window_layers",
};

// A key that changes the result unless it has this value.
struct NeutralValue {
  absl::string_view key;
  absl::string_view value;  // as JSON
};

constexpr NeutralValue kNeutral[] = {
    {"alibi", "false"},
    {"attention_bias", "false"},
    {"attention_multiplier", "null"},
    {"attn_logit_softcapping", "null"},
    {"bias", "false"},
    {"clip_qkv", "null"},
    {"cross_attention_layers", "null"},
    {"dim_model_base", "null"},
    {"embedding_multiplier", "1"},
    {"final_logit_softcapping", "null"},
    {"interleaved_sliding_window", "null"},
    {"layer_types", "null"},
    {"logit_scale", "1"},
    {"logits_scaling", "1"},
    {"mlp_bias", "false"},
    {"moe_intermediate_size", "null"},
    {"no_rope_layers", "null"},
    {"num_experts", "null"},
    {"num_experts_per_tok", "null"},
    {"num_local_experts", "null"},
    {"parallel_attn", "false"},
    {"partial_rotary_factor", "1"},
    {"qk_layernorm", "false"},
    {"qkv_bias", "false"},
    {"quantization_config", "null"},
    {"query_pre_attn_scalar", "null"},
    {"residual_multiplier", "1"},
    {"rope_interleaved", "false"},
    {"rope_parameters", "null"},
    {"rope_scaling", "null"},
    {"rotary_pct", "1"},
    {"scale_depth", "null"},
    {"scale_emb", "1"},
    {"sliding_window", "null"},
    {"sliding_window_pattern", "null"},
    {"use_bidirectional_attention", "false"},
    {"use_parallel_residual", "false"},
    {"use_qk_norm", "false"},
    {"use_qkv_bias", "false"},
    {"use_sliding_window", "false"},
};

// The last part of "rope_scaling.factor".
absl::string_view LeafOf(absl::string_view key) {
  const size_t dot = key.rfind('.');
  return dot == absl::string_view::npos ? key : key.substr(dot + 1);
}

// All layers alike, and each sees everything: what a model without the key is.
bool IsFullAttention(absl::string_view key, const Json& value) {
  return key == "layer_types" && value.is_array() &&
         std::all_of(value.begin(), value.end(), [](const Json& layer) {
           return layer == "full_attention";
         });
}

bool IsNeutral(const NeutralValue& neutral, const Json& value) {
  // Numbers are compared as such, so 1 is 1.0.
  return value.is_null() || value == Json::parse(neutral.value) ||
         IsFullAttention(neutral.key, value);
}

class Checker {
 public:
  Checker(const std::set<std::string>& read, absl::string_view where)
      : read_(read), where_(where) {}

  absl::Status Check(const Json& object, const std::string& prefix) {
    for (const auto& [name, value] : object.items()) {
      const std::string key = absl::StrCat(prefix, name);
      if (value.is_object() && read_.count(key) != 0) {
        absl::Status status = Check(value, absl::StrCat(key, "."));
        if (!status.ok()) {
          return status;
        }
        continue;
      }
      if (read_.count(key) == 0) {
        absl::Status status = CheckUnread(key, value);
        if (!status.ok()) {
          return status;
        }
      }
    }
    return absl::OkStatus();
  }

  std::vector<std::string> TakeUnknown() { return std::move(unknown_); }

 private:
  absl::Status CheckUnread(const std::string& key, const Json& value) {
    const absl::string_view leaf = LeafOf(key);
    if (absl::c_linear_search(kHarmless, leaf)) {
      return absl::OkStatus();
    }
    const auto* neutral = absl::c_find_if(
        kNeutral, [&](const NeutralValue& known) { return known.key == leaf; });
    if (neutral == std::end(kNeutral)) {
      if (!value.is_null()) {
        unknown_.push_back(key);
      }
      return absl::OkStatus();
    }
    if (IsNeutral(*neutral, value)) {
      return absl::OkStatus();
    }
    return absl::UnimplementedError(absl::StrCat(
        where_, ": ", key, ": wanted ",
        neutral->value == "null" ? "it absent" : neutral->value, ", found ",
        checkpoints::DescribeJson(value),
        ", which changes the result and which Millrace does not support for "
        "this architecture"));
  }

  const std::set<std::string>& read_;
  absl::string_view where_;
  std::vector<std::string> unknown_;
};

}  // namespace

absl::StatusOr<std::vector<std::string>> CheckUnreadKeys(
    const Json& json, const std::set<std::string>& read,
    absl::string_view where) {
  Checker checker(read, where);
  absl::Status status = checker.Check(json, "");
  if (!status.ok()) {
    return status;
  }
  return checker.TakeUnknown();
}

}  // namespace millrace::families
