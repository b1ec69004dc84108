// SPDX-License-Identifier: Apache-2.0
//
// Writes the payload of the sample plan on the standard output: the seed of
// plan_fuzz, made anew whenever the schema changes.
#include <cstdio>
#include <string>

#include "absl/types/span.h"
#include "runtime/plan/container.h"
#include "runtime/plan/sample_plan_for_test.h"

int main() {
  const std::string file = millrace::plan::SamplePlan().File();
  const auto payload = millrace::plan::Unwrap(absl::MakeConstSpan(
      reinterpret_cast<const uint8_t*>(file.data()), file.size()));
  if (!payload.ok()) {
    return 1;
  }
  return std::fwrite(payload->data(), 1, payload->size(), stdout) ==
                 payload->size()
             ? 0
             : 1;
}
