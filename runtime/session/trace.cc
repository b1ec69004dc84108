// SPDX-License-Identifier: Apache-2.0
#include "runtime/session/trace.h"

#include <algorithm>
#include <cstdint>

#include "nlohmann/json.hpp"

namespace millrace::session {
namespace {

using Json = nlohmann::json;

// Microseconds from `origin` to `time`.
double Micros(uint64_t origin, uint64_t time) {
  return time > origin ? static_cast<double>(time - origin) * 1e-3 : 0.0;
}

Json ThreadName(absl::string_view device) {
  return {{"name", "thread_name"},
          {"ph", "M"},
          {"pid", 1},
          {"tid", 1},
          {"args", {{"name", std::string(device)}}}};
}

Json TraceEvent(const ProfileEvent& event, uint64_t origin) {
  const double seconds =
      std::max(Micros(event.start_ns, event.end_ns), 1e-3) * 1e-6;
  return {{"name", event.label.empty() ? event.kernel : event.label},
          {"cat", event.entry_point},
          {"ph", "X"},
          {"pid", 1},
          {"tid", 1},
          {"ts", Micros(origin, event.start_ns)},
          {"dur", Micros(event.start_ns, event.end_ns)},
          {"args",
           {{"kernel", event.kernel},
            {"waited_us", Micros(event.queued_ns, event.start_ns)},
            {"GB/s", event.bytes / seconds * 1e-9},
            {"GFLOP/s", event.flops / seconds * 1e-9}}}};
}

}  // namespace

std::string ChromeTrace(absl::Span<const ProfileEvent> events,
                        absl::string_view device) {
  const uint64_t origin = events.empty() ? 0 : events.front().start_ns;
  Json list = Json::array({ThreadName(device)});
  for (const ProfileEvent& event : events) {
    list.push_back(TraceEvent(event, origin));
  }
  // Names from a plan are any bytes: replace what is no UTF-8, do not throw.
  return Json{{"traceEvents", std::move(list)}, {"displayTimeUnit", "ms"}}.dump(
      -1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace millrace::session
