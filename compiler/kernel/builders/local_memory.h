// SPDX-License-Identifier: Apache-2.0
//
// What the items of a work-group share: arrays in local memory, and the barrier
// that orders accesses to them.
#ifndef MILLRACE_COMPILER_KERNEL_BUILDERS_LOCAL_MEMORY_H_
#define MILLRACE_COMPILER_KERNEL_BUILDERS_LOCAL_MEMORY_H_

#include <cstdint>

#include "compiler/kernel/builders/body.h"
#include "llvm/ADT/StringRef.h"

namespace millrace::kernel {

// `size` elements, each an f32 (lanes 1) or a vector of four (lanes 4). To be
// made where `body` appends to the kernel's own block, not inside a loop.
class LocalArray {
 public:
  LocalArray() = default;
  LocalArray(Body& body, int64_t size, int64_t lanes, llvm::StringRef name);

  Val Load(Val index) const;
  void Store(Val value, Val index) const;

 private:
  Body* body_ = nullptr;
  mlir::Value memory_;
};

// Every item of the group must reach it equally often.
void Barrier(Body& body);

}  // namespace millrace::kernel

#endif  // MILLRACE_COMPILER_KERNEL_BUILDERS_LOCAL_MEMORY_H_
