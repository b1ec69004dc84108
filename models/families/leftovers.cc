// SPDX-License-Identifier: Apache-2.0
#include "models/families/leftovers.h"

#include <algorithm>
#include <cstddef>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace millrace::families {
namespace {

using checkpoints::Checkpoint;
using checkpoints::TensorView;

// Tables that older software stored beside the weights they follow from.
constexpr absl::string_view kHarmlessEnds[] = {
    ".attn.bias",
    ".masked_bias",
    ".position_ids",
    ".rotary_emb.inv_freq",
};

constexpr absl::string_view kHead = "lm_head.weight";
constexpr absl::string_view kEmbedding = "model.embed_tokens.weight";
constexpr size_t kMostNames = 8;

bool IsHarmless(absl::string_view name) {
  return absl::c_any_of(kHarmlessEnds, [&](absl::string_view end) {
    return absl::EndsWith(name, end);
  });
}

// "model" of "model.layers.0...".
absl::string_view RootOf(absl::string_view name) {
  return name.substr(0, name.find('.'));
}

// Whether a head that is not read says the same as the embedding, which is.
bool IsTiedHead(const Checkpoint& checkpoint, const TensorView& head) {
  const auto embedding = checkpoint.Find(kEmbedding);
  return embedding.ok() && embedding->dtype == head.dtype &&
         embedding->data == head.data;
}

std::string SomeOf(const std::vector<std::string>& names) {
  const size_t shown = std::min(names.size(), kMostNames);
  std::string text = absl::StrJoin(
      names.begin(), names.begin() + static_cast<ptrdiff_t>(shown), ", ");
  if (shown < names.size()) {
    absl::StrAppend(&text, " and ", names.size() - shown, " more");
  }
  return text;
}

}  // namespace

absl::StatusOr<std::vector<std::string>> CheckLeftovers(
    const Checkpoint& checkpoint, const std::set<std::string>& read) {
  std::set<absl::string_view> roots;
  for (const std::string& name : read) {
    roots.insert(RootOf(name));
  }
  std::vector<std::string> notes;
  std::vector<std::string> unread;
  for (const TensorView& tensor : checkpoint.Tensors()) {
    const std::string name(tensor.name);
    if (read.count(name) != 0 || IsHarmless(name)) {
      continue;
    }
    if (name == kHead) {
      if (!IsTiedHead(checkpoint, tensor)) {
        notes.push_back(absl::StrCat(
            checkpoint.directory(), ": tensor '", name,
            "': ignored, as the config says that the embedding is the head; "
            "but the two differ"));
      }
      continue;
    }
    if (roots.count(RootOf(name)) != 0) {
      return absl::UnimplementedError(absl::StrCat(
          checkpoint.directory(), ": tensor '", name,
          "': the model that config.json describes does not read it, and "
          "without it the result would be another"));
    }
    unread.push_back(name);
  }
  if (!unread.empty()) {
    notes.push_back(
        absl::StrCat(checkpoint.directory(), ": ", unread.size(),
                     " tensors are not of this model: ", SomeOf(unread)));
  }
  return notes;
}

}  // namespace millrace::families
