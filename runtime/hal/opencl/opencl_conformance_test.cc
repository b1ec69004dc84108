// SPDX-License-Identifier: Apache-2.0
//
// The conformance suite on whatever OpenCL there is; MILLRACE_PLATFORM and
// MILLRACE_DEVICE choose among several.
#include <memory>
#include <string>

#include "base/status_macros.h"
#include "runtime/hal/cts/conformance.h"
#include "runtime/hal/opencl/conformance_kernels.h"
#include "runtime/hal/opencl/opencl_device.h"

namespace millrace::hal::cts {
namespace {

class OpenClBackend : public Backend {
 public:
  absl::StatusOr<std::unique_ptr<Device>> Open() const override {
    MR_ASSIGN_OR_RETURN(const DeviceSelector selector,
                        SelectorFromEnvironment());
    DeviceOptions options;
    options.use_program_cache = false;
    return OpenOpenClDevice(selector, options);
  }
  std::string PlusOne(ObjectKind kind, ScalarType scalar) const override {
    return OpenClPlusOne(kind, scalar);
  }
  std::string ReverseGroup() const override { return OpenClReverseGroup(); }
  std::string Broken() const override { return OpenClBroken(); }
};

const OpenClBackend backend;

MILLRACE_INSTANTIATE_CONFORMANCE(OpenCl, &backend);

}  // namespace
}  // namespace millrace::hal::cts
