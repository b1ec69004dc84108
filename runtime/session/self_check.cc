// SPDX-License-Identifier: Apache-2.0
#include "runtime/session/self_check.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "models/checkpoints/convert.h"
#include "runtime/plan/text.h"
#include "runtime/session/bind_dispatch.h"
#include "runtime/session/grid.h"

namespace millrace::session {
namespace {

using plan::schema::CheckOutput;
using plan::schema::ScalarType;

absl::Status WriteBytes(hal::Queue& queue, const hal::BufferView& view,
                        absl::Span<const uint8_t> bytes) {
  return queue.Write(*view.buffer, view.offset, bytes);
}

absl::Status WriteInputs(hal::Queue& queue,
                         const plan::schema::SelfCheck& check,
                         const DeviceObjects& objects) {
  for (const plan::schema::CheckInput* input : *check.inputs()) {
    MR_RETURN_IF_ERROR(
        WriteBytes(queue, objects.GetView(input->object()),
                   {input->data()->data(), input->data()->size()}));
  }
  const auto& words = *check.parameters();
  if (objects.parameters() == nullptr || words.size() == 0) {
    return absl::OkStatus();
  }
  return WriteBytes(queue, *objects.parameters(),
                    {reinterpret_cast<const uint8_t*>(words.data()),
                     words.size() * sizeof(int32_t)});
}

absl::Status RunDispatch(const LoadedModel& model,
                         const plan::schema::Dispatch& dispatch,
                         absl::Span<const int32_t> words,
                         const DeviceObjects& objects) {
  MR_ASSIGN_OR_RETURN(const hal::Size3 groups, ResolveGrid(dispatch, words));
  if (std::count(groups.begin(), groups.end(), 0u) > 0) {
    return absl::OkStatus();
  }
  MR_ASSIGN_OR_RETURN(std::unique_ptr<hal::Kernel> kernel,
                      BindDispatch(model, dispatch, objects));
  const auto& group = *model.plan().kernels()->Get(dispatch.kernel())->group();
  hal::Queue& queue = model.device().queue();
  MR_RETURN_IF_ERROR(queue.Dispatch(
      *kernel, groups, {group.Get(0), group.Get(1), group.Get(2)}));
  return queue.Finish();  // the kernel goes with this function
}

// Element `index` of `bytes`, whatever it is stored as.
double ElementOf(absl::Span<const uint8_t> bytes, ScalarType scalar,
                 size_t index) {
  switch (scalar) {
    case ScalarType::F16: {
      uint16_t half;
      std::memcpy(&half, bytes.data() + 2 * index, sizeof(half));
      return checkpoints::HalfToFloat(half);
    }
    case ScalarType::I32: {
      int32_t word;
      std::memcpy(&word, bytes.data() + 4 * index, sizeof(word));
      return word;
    }
    case ScalarType::F32:
      break;
  }
  float value;
  std::memcpy(&value, bytes.data() + 4 * index, sizeof(value));
  return value;
}

absl::Status CompareOutput(const LoadedModel& model, const CheckOutput& output,
                           double tolerance, const DeviceObjects& objects) {
  const plan::schema::Object& object =
      *model.plan().objects()->Get(output.object());
  const size_t size = object.scalar() == ScalarType::F16 ? 2 : 4;
  std::vector<uint8_t> bytes(size * output.values()->size());
  const hal::BufferView& view = objects.GetView(output.object());
  MR_RETURN_IF_ERROR(model.device().queue().Read(*view.buffer, view.offset,
                                                 absl::MakeSpan(bytes)));
  for (uint32_t i = 0; i < output.values()->size(); ++i) {
    const double wanted = output.values()->Get(i);
    const double found = ElementOf(bytes, object.scalar(), i);
    // Written so that what is not a number fails.
    if (!(std::abs(found - wanted) <=
          tolerance * std::max(1.0, std::abs(wanted)))) {
      return absl::FailedPreconditionError(absl::StrCat(
          "self-check: '", plan::Text(object.name()), "' [", i, "]: wanted ",
          wanted, " within ", tolerance, ", found ", found));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status RunSelfCheck(const LoadedModel& model,
                          const plan::schema::Form& form,
                          const DeviceObjects& objects) {
  const plan::schema::SelfCheck& check = *form.check();
  MR_RETURN_IF_ERROR(WriteInputs(model.device().queue(), check, objects));
  const absl::Span<const int32_t> words(check.parameters()->data(),
                                        check.parameters()->size());
  const auto& dispatches =
      check.dispatches()->size() > 0 ? *check.dispatches() : *form.dispatches();
  for (const plan::schema::Dispatch* dispatch : dispatches) {
    MR_RETURN_IF_ERROR(RunDispatch(model, *dispatch, words, objects));
  }
  for (const CheckOutput* output : *check.outputs()) {
    MR_RETURN_IF_ERROR(
        CompareOutput(model, *output, check.tolerance(), objects));
  }
  return absl::OkStatus();
}

}  // namespace millrace::session
