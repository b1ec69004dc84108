// SPDX-License-Identifier: Apache-2.0
//
// A profile in the Trace Event Format, which chrome://tracing and Perfetto
// show.
#ifndef MILLRACE_RUNTIME_SESSION_TRACE_H_
#define MILLRACE_RUNTIME_SESSION_TRACE_H_

#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "runtime/session/profile.h"

namespace millrace::session {

// The JSON document. One row for the device, an event for each dispatch, times
// from the first dispatch's start. `device` names the row.
std::string ChromeTrace(absl::Span<const ProfileEvent> events,
                        absl::string_view device);

}  // namespace millrace::session

#endif  // MILLRACE_RUNTIME_SESSION_TRACE_H_
