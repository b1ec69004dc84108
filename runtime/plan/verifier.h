// SPDX-License-Identifier: Apache-2.0
//
// Holds a plan against everything that the runtime relies on. A plan that
// passes has no index out of its vector, no extent, offset or size that
// overflows or leaves its memory, no two live tensors in one place, as many
// bindings as each kernel has arguments, layouts that are bijections of the
// size of their objects, and names that a terminal can print.
//
// What depends on the device (limits, alignment) is checked by the session.
//
// A plan is a program all the same: its kernels run on the device as they are,
// and one that was made to harm can pass, with a kernel that writes beside its
// buffers or never ends. Trust a plan as you trust a program, by where it came
// from; what is checked here protects from damage and mistakes.
#ifndef MILLRACE_RUNTIME_PLAN_VERIFIER_H_
#define MILLRACE_RUNTIME_PLAN_VERIFIER_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/plan/plan_generated.h"

namespace millrace::plan {

// The root of the FlatBuffer `payload`, after both the check of its structure
// and Verify. `payload` must be aligned to 8 bytes.
absl::StatusOr<const schema::Plan*> VerifyPayload(
    absl::Span<const uint8_t> payload);

// The meaning of a FlatBuffer of sound structure. One line: which table, what
// was wanted, what was found.
absl::Status Verify(const schema::Plan& plan);

}  // namespace millrace::plan

#endif  // MILLRACE_RUNTIME_PLAN_VERIFIER_H_
