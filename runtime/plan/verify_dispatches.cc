// SPDX-License-Identifier: Apache-2.0
//
// Programs, kernels, entry points: every reference, group, grid and port.
#include <set>
#include <string>

#include "base/status_macros.h"
#include "runtime/plan/verify_parts.h"

namespace millrace::plan::internal {
namespace {

using schema::Memory;
using schema::ObjectKind;

constexpr uint32_t kMaxSourceBytes = uint32_t{64} << 20;
constexpr int64_t kMaxGroupItems = 4096;
constexpr int64_t kMaxArguments = 64;

bool IsIdentifier(const flatbuffers::String& name) {
  for (size_t i = 0; i < name.size(); ++i) {
    const char c = name.c_str()[i];
    const bool letter =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    if (!letter && (i == 0 || c < '0' || c > '9')) {
      return false;
    }
  }
  return true;
}

absl::Status CheckProgram(const schema::Plan& plan, size_t index) {
  const schema::Program& program = *plan.programs()->Get(index);
  MR_RETURN_IF_ERROR(CheckName("program", index, *program.name()));
  const std::string where = Where("program", index, program);
  MR_RETURN_IF_ERROR(CheckText(where, program.options()));
  MR_RETURN_IF_ERROR(CheckRange(where, "bytes of source",
                                program.source()->size(), 1, kMaxSourceBytes));
  if (program.source()->string_view().find('\0') != std::string::npos) {
    return Wrong(where, "its source has a null character");
  }
  return absl::OkStatus();
}

absl::Status CheckKernel(const schema::Plan& plan, size_t index) {
  const schema::Kernel& kernel = *plan.kernels()->Get(index);
  MR_RETURN_IF_ERROR(CheckName("kernel", index, *kernel.name()));
  const std::string where = Where("kernel", index, kernel);
  if (!IsIdentifier(*kernel.name())) {
    return Wrong(where, "its name is no identifier");
  }
  MR_RETURN_IF_ERROR(
      CheckIndex(where, "program", kernel.program(), plan.programs()->size()));
  MR_RETURN_IF_ERROR(
      CheckRange(where, "sizes of the group", kernel.group()->size(), 3, 3));
  int64_t items = 1;
  for (uint32_t size : *kernel.group()) {
    MR_RETURN_IF_ERROR(
        CheckRange(where, "size of the group", size, 1, kMaxGroupItems));
    items *= size;
  }
  MR_RETURN_IF_ERROR(
      CheckRange(where, "items of the group", items, 1, kMaxGroupItems));
  MR_RETURN_IF_ERROR(CheckRange(where, "arguments", kernel.arguments()->size(),
                                1, kMaxArguments));
  for (auto kind : *kernel.arguments()) {
    MR_RETURN_IF_ERROR(CheckRange(
        where, "kind of an argument", static_cast<int>(kind),
        static_cast<int>(ObjectKind::MIN), static_cast<int>(ObjectKind::MAX)));
  }
  return CheckRange(where, "local bytes", kernel.local_bytes(), 0, kMaxBytes);
}

absl::Status CheckParameters(const std::string& where, const schema::Plan& plan,
                             const schema::EntryPoint& entry) {
  std::set<uint32_t> words;
  for (const schema::ParameterRange* range : *entry.parameters()) {
    MR_RETURN_IF_ERROR(CheckIndex(where, "parameter", range->word(),
                                  plan.parameters()->size()));
    MR_RETURN_IF_ERROR(CheckRange(where, "smallest value of a parameter",
                                  range->min(), 0, INT32_MAX));
    MR_RETURN_IF_ERROR(CheckRange(where, "largest value of a parameter",
                                  range->max(), range->min(), INT32_MAX));
    if (!words.insert(range->word()).second) {
      return Wrong(where, "parameter number ", range->word(),
                   " is there twice");
    }
  }
  return absl::OkStatus();
}

absl::Status CheckBindings(const std::string& where, const schema::Plan& plan,
                           const schema::Kernel& kernel,
                           const schema::Dispatch& dispatch) {
  const auto& arguments = *kernel.arguments();
  const auto& bindings = *dispatch.bindings();
  MR_RETURN_IF_ERROR(CheckRange(where, "bindings", bindings.size(),
                                arguments.size(), arguments.size()));
  for (uint32_t i = 0; i < bindings.size(); ++i) {
    MR_RETURN_IF_ERROR(
        CheckIndex(where, "object", bindings.Get(i), plan.objects()->size()));
    const schema::Object& object = *plan.objects()->Get(bindings.Get(i));
    const auto wanted = static_cast<ObjectKind>(arguments.Get(i));
    if (object.kind() != wanted) {
      return Wrong(where, "argument ", i, ": wanted ",
                   schema::EnumNameObjectKind(wanted), ", found ",
                   Where("object", bindings.Get(i), object), ", ",
                   schema::EnumNameObjectKind(object.kind()));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckDispatch(const std::string& entry_name,
                           const schema::Plan& plan,
                           const schema::EntryPoint& entry, size_t index,
                           const schema::Dispatch& dispatch) {
  std::string where = absl::StrCat(entry_name, ": dispatch");
  if (dispatch.label()->size() > 0) {
    MR_RETURN_IF_ERROR(CheckName(where, index, *dispatch.label()));
  }
  absl::StrAppend(&where, " ", index);
  MR_RETURN_IF_ERROR(
      CheckIndex(where, "kernel", dispatch.kernel(), plan.kernels()->size()));
  const schema::Kernel& kernel = *plan.kernels()->Get(dispatch.kernel());
  MR_RETURN_IF_ERROR(CheckBindings(where, plan, kernel, dispatch));
  MR_RETURN_IF_ERROR(CheckGrid(where, plan, entry, dispatch));
  MR_RETURN_IF_ERROR(CheckParameter(where, entry, dispatch.cost_param()));
  MR_RETURN_IF_ERROR(
      CheckRange(where, "cost_full", dispatch.cost_full(), 1, kMaxBytes));
  MR_RETURN_IF_ERROR(
      CheckRange(where, "read bytes", dispatch.read_bytes(), 0, kMaxBytes));
  MR_RETURN_IF_ERROR(
      CheckRange(where, "written bytes", dispatch.write_bytes(), 0, kMaxBytes));
  return CheckRange(where, "flops", dispatch.flops(), 0, INT64_MAX);
}

absl::Status CheckPort(const std::string& entry, const schema::Plan& plan,
                       size_t index, const schema::Port& port, Memory memory) {
  const std::string kind =
      absl::StrCat(entry, memory == Memory::Input ? ": input" : ": output");
  MR_RETURN_IF_ERROR(CheckName(kind, index, *port.name()));
  const std::string where = Where(kind, index, port);
  MR_RETURN_IF_ERROR(
      CheckIndex(where, "object", port.object(), plan.objects()->size()));
  const schema::Object& object = *plan.objects()->Get(port.object());
  if (object.memory() != memory) {
    return Wrong(where, "its object is in ",
                 schema::EnumNameMemory(object.memory()), " memory");
  }
  if (object.scalar() != port.scalar()) {
    return Wrong(where, "its object is of another type");
  }
  MR_ASSIGN_OR_RETURN(int64_t elements, Product(where, *port.shape()));
  return CheckRange(where, "elements", elements, 1,
                    object.bytes() / ScalarBytes(object.scalar()));
}

absl::Status CheckPorts(
    const std::string& entry, const schema::Plan& plan,
    const flatbuffers::Vector<flatbuffers::Offset<schema::Port>>& ports,
    Memory memory) {
  std::set<std::string> names;
  for (size_t i = 0; i < ports.size(); ++i) {
    const schema::Port& port = *ports.Get(i);
    MR_RETURN_IF_ERROR(CheckPort(entry, plan, i, port, memory));
    if (!names.insert(port.name()->str()).second) {
      return Wrong(entry, "two ports are called '", port.name()->str(), "'");
    }
  }
  return absl::OkStatus();
}

absl::Status CheckEntryPoint(const schema::Plan& plan, size_t index) {
  const schema::EntryPoint& entry = *plan.entry_points()->Get(index);
  MR_RETURN_IF_ERROR(CheckName("entry point", index, *entry.name()));
  const std::string where = Where("entry point", index, entry);
  MR_RETURN_IF_ERROR(CheckParameters(where, plan, entry));
  MR_RETURN_IF_ERROR(CheckPorts(where, plan, *entry.inputs(), Memory::Input));
  MR_RETURN_IF_ERROR(CheckPorts(where, plan, *entry.outputs(), Memory::Output));
  return CheckForms(where, plan, entry);
}

}  // namespace

absl::Status CheckDispatches(const std::string& where, const schema::Plan& plan,
                             const schema::EntryPoint& entry,
                             const Dispatches& dispatches) {
  for (uint32_t i = 0; i < dispatches.size(); ++i) {
    MR_RETURN_IF_ERROR(
        CheckDispatch(where, plan, entry, i, *dispatches.Get(i)));
  }
  return absl::OkStatus();
}

absl::Status VerifyPrograms(const schema::Plan& plan) {
  for (size_t i = 0; i < plan.programs()->size(); ++i) {
    MR_RETURN_IF_ERROR(CheckProgram(plan, i));
  }
  for (size_t i = 0; i < plan.kernels()->size(); ++i) {
    MR_RETURN_IF_ERROR(CheckKernel(plan, i));
  }
  return absl::OkStatus();
}

absl::Status VerifyEntryPoints(const schema::Plan& plan) {
  std::set<std::string> names;
  for (size_t i = 0; i < plan.entry_points()->size(); ++i) {
    MR_RETURN_IF_ERROR(CheckEntryPoint(plan, i));
    if (!names.insert(plan.entry_points()->Get(i)->name()->str()).second) {
      return Wrong(Where("entry point", i, *plan.entry_points()->Get(i)),
                   "another has the same name");
    }
  }
  return absl::OkStatus();
}

}  // namespace millrace::plan::internal
