// SPDX-License-Identifier: Apache-2.0
#include "runtime/hal/opencl/opencl_library.h"

#include <dlfcn.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"

namespace millrace::hal {
namespace {

// Points `function` at the symbol `name`; false when the library lacks it.
template <typename Function>
bool Resolve(void* library, const char* name, Function* function) {
  *function = reinterpret_cast<Function>(dlsym(library, name));
  return *function != nullptr;
}

// Name of the first function the library lacks, or null.
const char* ResolveAll(void* library, OpenClLibrary* table) {
#define MILLRACE_OPENCL_RESOLVE(name)                \
  if (!Resolve(library, "cl" #name, &table->name)) { \
    return "cl" #name;                               \
  }
  MILLRACE_OPENCL_FUNCTIONS(MILLRACE_OPENCL_RESOLVE)
#undef MILLRACE_OPENCL_RESOLVE
  return nullptr;
}

std::vector<std::string> UsualNames() {
  const char* chosen = std::getenv("MILLRACE_OPENCL_LIBRARY");
  if (chosen != nullptr && chosen[0] != '\0') {
    return {chosen};
  }
  return {"libOpenCL.so.1", "libOpenCL.so",
          "/System/Library/Frameworks/OpenCL.framework/OpenCL"};
}

}  // namespace

absl::StatusOr<OpenClLibrary> OpenClLibrary::Load(
    absl::Span<const std::string> names) {
  std::vector<std::string> tried;
  for (const std::string& name : names) {
    void* library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
      // The loader's own words: "cannot open shared object file", or which
      // library that one needs is missing.
      const char* reason = dlerror();
      tried.push_back(reason == nullptr ? name : reason);
      continue;
    }
    OpenClLibrary table;
    const char* missing = ResolveAll(library, &table);
    if (missing == nullptr) {
      return table;
    }
    dlclose(library);
    tried.push_back(absl::StrFormat("%s (lacks %s)", name, missing));
  }
  return absl::NotFoundError(absl::StrFormat(
      "no OpenCL library found (%s); install an ICD loader (Debian: "
      "ocl-icd-libopencl1), or name one in MILLRACE_OPENCL_LIBRARY",
      absl::StrJoin(tried, "; ")));
}

absl::StatusOr<const OpenClLibrary*> OpenClLibrary::Get() {
  // Leaked on purpose: objects may be released while the process exits.
  static const auto* library =
      new absl::StatusOr<OpenClLibrary>(Load(UsualNames()));
  if (!library->ok()) {
    return library->status();
  }
  return &**library;
}

}  // namespace millrace::hal
