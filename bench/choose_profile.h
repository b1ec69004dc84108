// SPDX-License-Identifier: Apache-2.0
//
// The device profile to compile for when a device is there already.
#ifndef MILLRACE_BENCH_CHOOSE_PROFILE_H_
#define MILLRACE_BENCH_CHOOSE_PROFILE_H_

#include <string>

#include "runtime/hal/device_info.h"

namespace millrace::bench {

// The name of the closest profile; `generic`, which runs everywhere, for a
// device that no profile is about.
std::string ChooseProfile(const hal::DeviceInfo& info);

}  // namespace millrace::bench

#endif  // MILLRACE_BENCH_CHOOSE_PROFILE_H_
