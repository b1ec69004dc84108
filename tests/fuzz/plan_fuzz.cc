// SPDX-License-Identifier: Apache-2.0
//
// The reader of plan files. The input is the FlatBuffer alone, and is put
// behind a right header and checksum: those would stop nearly every mutation.
#include <cstddef>
#include <cstdint>

#include "absl/types/span.h"
#include "runtime/plan/container.h"
#include "runtime/plan/info.h"
#include "runtime/plan/memory_map_svg.h"
#include "runtime/plan/reader.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const absl::Span<const uint8_t> payload(data, size);
  const auto plan =
      millrace::plan::Plan::FromBytes(millrace::plan::Wrap(payload));
  if (plan.ok()) {
    // What reads a plan that was accepted.
    millrace::plan::PlanInfo(**plan);
    millrace::plan::MemoryMapSvg(**plan);
  }
  return 0;
}
