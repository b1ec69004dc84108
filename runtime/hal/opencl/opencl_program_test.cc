// SPDX-License-Identifier: Apache-2.0
//
// Building with a driver that fails, which a table of functions stands for.
#include "runtime/hal/opencl/opencl_program.h"

#include <gtest/gtest.h>

#include "absl/strings/match.h"
#include "runtime/hal/null/null_device.h"

namespace millrace::hal {
namespace {

int g_failures = 0;  // builds that fail from now on
int g_builds = 0;
int g_object = 0;  // what handles point to

OpenClLibrary FailingLibrary() {
  OpenClLibrary cl;
  cl.CreateProgramWithSource = [](cl_context, cl_uint, const char**,
                                  const size_t*, cl_int* code) {
    *code = CL_SUCCESS;
    return reinterpret_cast<cl_program>(&g_object);
  };
  cl.BuildProgram = [](cl_program, cl_uint, const cl_device_id*, const char*,
                       void (*)(cl_program, void*), void*) {
    ++g_builds;
    return g_failures-- > 0 ? CL_BUILD_PROGRAM_FAILURE : CL_SUCCESS;
  };
  cl.GetProgramBuildInfo = [](cl_program, cl_device_id, cl_program_build_info,
                              size_t, void*, size_t*) { return CL_SUCCESS; };
  cl.ReleaseProgram = [](cl_program) { return CL_SUCCESS; };
  return cl;
}

absl::Status BuildWith(int failures) {
  const OpenClLibrary cl = FailingLibrary();
  const NullDevice device;
  const ProgramCache cache("");
  g_failures = failures;
  g_builds = 0;
  return BuildOpenClProgram({&device, &cl, nullptr, nullptr, &cache}, "p",
                            "kernel", "-O")
      .status();
}

TEST(OpenClProgramTest, BuildsOnceMoreAfterAFailure) {
  EXPECT_TRUE(BuildWith(0).ok());
  EXPECT_EQ(g_builds, 1);
  EXPECT_TRUE(BuildWith(1).ok());
  EXPECT_EQ(g_builds, 2);
}

TEST(OpenClProgramTest, TwoFailuresAreAnErrorWithTheLog) {
  const absl::Status status = BuildWith(2);
  EXPECT_EQ(g_builds, 2);
  EXPECT_TRUE(
      absl::StrContains(status.message(), "program 'p' does not build on"))
      << status;
  EXPECT_TRUE(absl::StrContains(status.message(), "gave no build log"));
}

}  // namespace
}  // namespace millrace::hal
