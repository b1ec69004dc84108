// SPDX-License-Identifier: Apache-2.0
//
// Early return on a failed absl::Status: the only macros of the tree.
#ifndef MILLRACE_BASE_STATUS_MACROS_H_
#define MILLRACE_BASE_STATUS_MACROS_H_

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

// Returns from the enclosing function when `expr` is not OK.
#define MR_RETURN_IF_ERROR(expr)                            \
  do {                                                      \
    if (absl::Status mr_status = (expr); !mr_status.ok()) { \
      return mr_status;                                     \
    }                                                       \
  } while (false)

#define MR_CONCAT_INNER_(a, b) a##b
#define MR_CONCAT_(a, b) MR_CONCAT_INNER_(a, b)

// Evaluates the StatusOr `expr`; returns its status when it failed, otherwise
// moves the value into `lhs`, which may declare a variable.
#define MR_ASSIGN_OR_RETURN(lhs, expr) \
  MR_ASSIGN_OR_RETURN_IMPL_(MR_CONCAT_(mr_status_or_, __LINE__), lhs, expr)

#define MR_ASSIGN_OR_RETURN_IMPL_(status_or, lhs, expr) \
  auto status_or = (expr);                              \
  if (!status_or.ok()) {                                \
    return std::move(status_or).status();               \
  }                                                     \
  lhs = *std::move(status_or)

#endif  // MILLRACE_BASE_STATUS_MACROS_H_
