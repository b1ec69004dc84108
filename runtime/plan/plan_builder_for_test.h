// SPDX-License-Identifier: Apache-2.0
//
// Plans made by hand, with kernels written by hand, so that the runtime's tests
// need no compiler. Sizes and offsets that follow from others are filled in;
// `plan()` is open for a test that wants to break something.
#ifndef MILLRACE_RUNTIME_PLAN_PLAN_BUILDER_FOR_TEST_H_
#define MILLRACE_RUNTIME_PLAN_PLAN_BUILDER_FOR_TEST_H_

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/plan/plan_generated.h"

namespace millrace::plan {

class PlanBuilder {
 public:
  // A plan of nothing that passes the verifier.
  PlanBuilder();

  schema::PlanT& plan() { return plan_; }

  // Each returns the index of what it added. Buffers and image buffers go to
  // the slab of their memory: in the arena to `offset`, elsewhere to its end.
  uint32_t AddBuffer(const std::string& name, schema::Memory memory,
                     schema::ScalarType scalar, int64_t vectors, int lanes = 1,
                     int64_t offset = 0);
  uint32_t AddImage(const std::string& name, schema::Memory memory,
                    schema::ObjectKind kind, schema::ScalarType scalar,
                    std::array<int64_t, 3> extents, int64_t offset = 0);
  uint32_t AddPoolTexture(schema::ObjectKind kind, schema::ScalarType scalar,
                          std::array<int64_t, 3> extents);
  uint32_t AddProgram(const std::string& name, const std::string& source,
                      const std::string& options = "-cl-std=CL1.2");
  uint32_t AddKernel(const std::string& name, uint32_t program,
                     std::array<uint32_t, 3> group,
                     std::vector<schema::ObjectKind> arguments);
  // A state over `objects`.
  uint32_t AddState(const std::string& name,
                    const std::vector<uint32_t>& objects);
  // A weight in buffers or images of `kind`, which it adds; those of weight i
  // are plan().weights[i]->objects. Sources: none yet.
  uint32_t AddWeight(const std::string& name, schema::ObjectKind kind,
                     schema::ScalarType scalar, const schema::LayoutT& layout);
  // It has one form, "only".
  uint32_t AddEntryPoint(const std::string& name);

  // Another form, to which dispatches are added from now on.
  schema::FormT& AddForm(uint32_t entry_point, const std::string& name);

  void AddSource(uint32_t weight, const std::string& name,
                 const std::vector<int64_t>& shape);
  void AddDispatch(uint32_t entry_point, const std::string& label,
                   uint32_t kernel, std::array<schema::GridDim, 3> grid,
                   const std::vector<uint32_t>& bindings);
  void AddInput(uint32_t entry_point, const std::string& name, uint32_t object,
                const std::vector<int64_t>& shape);
  void AddOutput(uint32_t entry_point, const std::string& name, uint32_t object,
                 const std::vector<int64_t>& shape);

  // The plan as a FlatBuffer, and as a whole file.
  std::string Payload() const;
  std::string File() const;

 private:
  uint32_t AddObject(schema::ObjectT object, int64_t offset);
  uint32_t SlabOf(schema::Memory memory);
  void PlaceInSlab(schema::ObjectT& object, int64_t offset);

  schema::PlanT plan_;
};

// `base` groups, or as many for each unit of `param`.
inline schema::GridDim Groups(int64_t base, int32_t param = -1,
                              int64_t divisor = 1) {
  return schema::GridDim(base, divisor, param);
}

}  // namespace millrace::plan

#endif  // MILLRACE_RUNTIME_PLAN_PLAN_BUILDER_FOR_TEST_H_
