// SPDX-License-Identifier: Apache-2.0
#include "runtime/hal/opencl/opencl_library.h"

#include <gtest/gtest.h>

#include "absl/status/status.h"
#include "runtime/hal/opencl/opencl_error.h"

namespace millrace::hal {
namespace {

TEST(OpenClLibraryTest, SaysWhatWasTried) {
  const auto library =
      OpenClLibrary::Load({"libNoSuchOpenCL.so.1", "libNoSuchOpenCL.so"});
  EXPECT_TRUE(absl::IsNotFound(library.status()));
  EXPECT_EQ(library.status().message(),
            "no OpenCL library found (libNoSuchOpenCL.so.1: cannot open shared "
            "object file: No such file or directory; libNoSuchOpenCL.so: "
            "cannot open shared object file: No such file or directory); "
            "install an ICD loader (Debian: ocl-icd-libopencl1), or name one "
            "in MILLRACE_OPENCL_LIBRARY");
}

// A library that is there but is not OpenCL.
TEST(OpenClLibraryTest, SaysWhichFunctionIsMissing) {
  const auto library = OpenClLibrary::Load({"libc.so.6"});
  EXPECT_TRUE(absl::IsNotFound(library.status()));
  EXPECT_EQ(library.status().message(),
            "no OpenCL library found (libc.so.6 (lacks clBuildProgram)); "
            "install an ICD loader (Debian: ocl-icd-libopencl1), or name one "
            "in MILLRACE_OPENCL_LIBRARY");
}

TEST(OpenClErrorTest, NamesNumbers) {
  EXPECT_EQ(OpenClErrorName(-54), "CL_INVALID_WORK_GROUP_SIZE (-54)");
  EXPECT_EQ(OpenClErrorName(-9999), "OpenCL error (-9999)");
  EXPECT_TRUE(OpenClStatus(CL_SUCCESS, "x").ok());
  EXPECT_EQ(OpenClStatus(-5, "reading buffer 'k'"),
            absl::ResourceExhaustedError(
                "reading buffer 'k': CL_OUT_OF_RESOURCES (-5)"));
}

}  // namespace
}  // namespace millrace::hal
