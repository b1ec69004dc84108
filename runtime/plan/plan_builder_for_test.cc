// SPDX-License-Identifier: Apache-2.0
#include "runtime/plan/plan_builder_for_test.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "base/hash64.h"
#include "runtime/plan/container.h"

namespace millrace::plan {
namespace {

using schema::ObjectKind;

int64_t BytesOf(const schema::ObjectT& object) {
  return object.width * object.height * object.depth * object.lanes *
         (object.scalar == schema::ScalarType::F16 ? 2 : 4);
}

int64_t Extent(const std::vector<schema::Digit>& digits) {
  int64_t extent = 1;
  for (const schema::Digit& digit : digits) {
    extent *= digit.extent();
  }
  return extent;
}

template <typename T>
uint32_t Push(std::vector<std::unique_ptr<T>>& list, T item) {
  list.push_back(std::make_unique<T>(std::move(item)));
  return static_cast<uint32_t>(list.size() - 1);
}

schema::PortT MakePort(const schema::PlanT& plan, const std::string& name,
                       uint32_t object, const std::vector<int64_t>& shape) {
  schema::PortT port;
  port.name = name;
  port.object = object;
  port.shape = shape;
  port.scalar = plan.objects[object]->scalar;
  return port;
}

}  // namespace

PlanBuilder::PlanBuilder() {
  plan_.version = kPlanVersion;
  plan_.model = std::make_unique<schema::ModelT>();
  plan_.model->name = "sample";
  plan_.model->architecture = "sample";
  plan_.provenance = std::make_unique<schema::ProvenanceT>();
  plan_.provenance->compiler_version = "by hand";
  plan_.provenance->profile = "generic";
  plan_.provenance->language = "opencl";
  plan_.provenance->quantization = "f32";
  plan_.needs = std::make_unique<schema::NeedsT>();
  plan_.memory = std::make_unique<schema::MemoryReportT>();
}

uint32_t PlanBuilder::AddBuffer(const std::string& name, schema::Memory memory,
                                schema::ScalarType scalar, int64_t vectors,
                                int lanes, int64_t offset) {
  schema::ObjectT object;
  object.name = name;
  object.kind = ObjectKind::Buffer;
  object.scalar = scalar;
  object.width = vectors;
  object.height = object.depth = 1;
  object.lanes = lanes;
  object.memory = memory;
  return AddObject(std::move(object), offset);
}

uint32_t PlanBuilder::AddObject(schema::ObjectT object, int64_t offset) {
  object.bytes = BytesOf(object);
  if (object.kind == ObjectKind::Buffer ||
      object.kind == ObjectKind::ImageBuffer) {
    PlaceInSlab(object, offset);
  } else {
    object.offset = offset;
  }
  return Push(plan_.objects, std::move(object));
}

uint32_t PlanBuilder::SlabOf(schema::Memory memory) {
  for (uint32_t i = 0; i < plan_.slabs.size(); ++i) {
    if (plan_.slabs[i]->memory == memory) {
      return i;
    }
  }
  schema::SlabT slab;
  slab.name = schema::EnumNameMemory(memory);
  slab.memory = memory;
  return Push(plan_.slabs, std::move(slab));
}

void PlanBuilder::PlaceInSlab(schema::ObjectT& object, int64_t offset) {
  object.slab = static_cast<int32_t>(SlabOf(object.memory));
  schema::SlabT& slab = *plan_.slabs[static_cast<size_t>(object.slab)];
  const bool is_arena = object.memory == schema::Memory::Arena;
  object.offset = is_arena ? offset
                           : (slab.bytes + kSlabAlignment - 1) /
                                 kSlabAlignment * kSlabAlignment;
  slab.bytes = std::max(slab.bytes, object.offset + object.bytes);
  if (is_arena) {
    plan_.memory->arena_bytes = slab.bytes;
  }
}

uint32_t PlanBuilder::AddImage(const std::string& name, schema::Memory memory,
                               ObjectKind kind, schema::ScalarType scalar,
                               std::array<int64_t, 3> extents, int64_t offset) {
  schema::ObjectT object;
  object.name = name;
  object.kind = kind;
  object.scalar = scalar;
  object.width = extents[0];
  object.height = extents[1];
  object.depth = extents[2];
  object.lanes = 4;
  object.memory = memory;
  return AddObject(std::move(object), offset);
}

uint32_t PlanBuilder::AddPoolTexture(ObjectKind kind, schema::ScalarType scalar,
                                     std::array<int64_t, 3> extents) {
  schema::PoolTextureT texture;
  texture.kind = kind;
  texture.scalar = scalar;
  texture.width = extents[0];
  texture.height = extents[1];
  texture.depth = extents[2];
  return Push(plan_.pool, std::move(texture));
}

uint32_t PlanBuilder::AddProgram(const std::string& name,
                                 const std::string& source,
                                 const std::string& options) {
  schema::ProgramT program;
  program.name = name;
  program.source = source;
  program.options = options;
  program.hash = Hash64(source);
  return Push(plan_.programs, std::move(program));
}

uint32_t PlanBuilder::AddKernel(const std::string& name, uint32_t program,
                                std::array<uint32_t, 3> group,
                                std::vector<ObjectKind> arguments) {
  schema::KernelT kernel;
  kernel.name = name;
  kernel.program = program;
  kernel.group.assign(group.begin(), group.end());
  kernel.arguments = std::move(arguments);
  return Push(plan_.kernels, std::move(kernel));
}

uint32_t PlanBuilder::AddState(const std::string& name,
                               const std::vector<uint32_t>& objects) {
  schema::StateT state;
  state.name = name;
  state.objects = objects;
  for (uint32_t object : objects) {
    state.bytes += plan_.objects[object]->bytes;
  }
  return Push(plan_.states, std::move(state));
}

uint32_t PlanBuilder::AddWeight(const std::string& name, ObjectKind kind,
                                schema::ScalarType scalar,
                                const schema::LayoutT& layout) {
  schema::WeightT weight;
  weight.name = name;
  weight.layout = std::make_unique<schema::LayoutT>(layout);
  weight.scalar = scalar;
  weight.offset = plan_.weight_file_bytes;
  for (int64_t i = 0; i < Extent(layout.object); ++i) {
    schema::ObjectT object;
    object.name = name;
    object.kind = kind;
    object.scalar = scalar;
    object.width = Extent(layout.x);
    object.height = Extent(layout.y);
    object.depth = Extent(layout.z);
    object.lanes = static_cast<int>(Extent(layout.lane));
    object.memory = schema::Memory::Weight;
    const uint32_t index = AddObject(std::move(object), /*offset=*/0);
    weight.bytes += plan_.objects[index]->bytes;
    weight.objects.push_back(index);
  }
  const int64_t end = weight.offset + weight.bytes;
  plan_.weight_file_bytes =
      (end + kWeightAlignment - 1) / kWeightAlignment * kWeightAlignment;
  return Push(plan_.weights, std::move(weight));
}

uint32_t PlanBuilder::AddEntryPoint(const std::string& name) {
  schema::EntryPointT entry;
  entry.name = name;
  const uint32_t index = Push(plan_.entry_points, std::move(entry));
  AddForm(index, "only");
  return index;
}

schema::FormT& PlanBuilder::AddForm(uint32_t entry_point,
                                    const std::string& name) {
  schema::FormT form;
  form.name = name;
  form.needs = std::make_unique<schema::NeedsT>();
  auto& forms = plan_.entry_points[entry_point]->forms;
  Push(forms, std::move(form));
  return *forms.back();
}

void PlanBuilder::AddSource(uint32_t weight, const std::string& name,
                            const std::vector<int64_t>& shape) {
  schema::SourceT source;
  source.name = name;
  source.shape = shape;
  Push(plan_.weights[weight]->sources, std::move(source));
}

void PlanBuilder::AddDispatch(uint32_t entry_point, const std::string& label,
                              uint32_t kernel,
                              std::array<schema::GridDim, 3> grid,
                              const std::vector<uint32_t>& bindings) {
  schema::DispatchT dispatch;
  dispatch.label = label;
  dispatch.kernel = kernel;
  dispatch.grid.assign(grid.begin(), grid.end());
  dispatch.bindings = bindings;
  Push(plan_.entry_points[entry_point]->forms.back()->dispatches,
       std::move(dispatch));
}

void PlanBuilder::AddInput(uint32_t entry_point, const std::string& name,
                           uint32_t object, const std::vector<int64_t>& shape) {
  Push(plan_.entry_points[entry_point]->inputs,
       MakePort(plan_, name, object, shape));
}

void PlanBuilder::AddOutput(uint32_t entry_point, const std::string& name,
                            uint32_t object,
                            const std::vector<int64_t>& shape) {
  Push(plan_.entry_points[entry_point]->outputs,
       MakePort(plan_, name, object, shape));
}

std::string PlanBuilder::Payload() const {
  flatbuffers::FlatBufferBuilder builder;
  schema::FinishPlanBuffer(builder, schema::Plan::Pack(builder, &plan_));
  return std::string(reinterpret_cast<const char*>(builder.GetBufferPointer()),
                     builder.GetSize());
}

std::string PlanBuilder::File() const {
  const std::string payload = Payload();
  return Wrap(
      {reinterpret_cast<const uint8_t*>(payload.data()), payload.size()});
}

}  // namespace millrace::plan
