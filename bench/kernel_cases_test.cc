// SPDX-License-Identifier: Apache-2.0
#include "bench/kernel_cases.h"

#include <set>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "gtest/gtest.h"

namespace millrace::bench {
namespace {

// How often `part` is in `text`.
int Count(const std::string& text, const std::string& part) {
  int count = 0;
  for (size_t at = text.find(part); at != std::string::npos;
       at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

TEST(KernelCasesTest, EachHasATimedOpAndItsOwnName) {
  std::set<std::string> names;
  for (const KernelCase& kernel_case : KernelCases(2, 1)) {
    const std::string name = kernel_case.op + " " + kernel_case.shape;
    EXPECT_TRUE(names.insert(name).second) << name;
    EXPECT_TRUE(absl::StrContains(kernel_case.program, "loc(\"bench.0\")"))
        << name;
    // Only the element type is left to be filled in.
    EXPECT_EQ(Count(kernel_case.program, "$"), Count(kernel_case.program, "$T"))
        << kernel_case.program;
    EXPECT_LE(kernel_case.tokens, kernel_case.context) << name;
  }
}

TEST(KernelCasesTest, WeightsOutgrowCaches) {
  constexpr int64_t kBytes = int64_t{256} << 20;
  for (int64_t element : {2, 4}) {
    const std::vector<KernelCase> cases = KernelCases(element, kBytes);
    const KernelCase& first = cases.front();
    ASSERT_EQ(first.shape, "4096x4096");
    EXPECT_EQ(Count(first.program, "graph.weight"),
              kBytes / (4096 * 4096 * element));
  }
}

}  // namespace
}  // namespace millrace::bench
