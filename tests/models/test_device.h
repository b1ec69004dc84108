// SPDX-License-Identifier: Apache-2.0
//
// The device that the tests of whole models share.
#ifndef MILLRACE_TESTS_MODELS_TEST_DEVICE_H_
#define MILLRACE_TESTS_MODELS_TEST_DEVICE_H_

#include "runtime/hal/device.h"

namespace millrace::testing {

// The device that the environment names (hal::SelectorFromEnvironment), opened
// once in a process. Where there is none the process ends, after the reason.
hal::Device& TestDevice();

}  // namespace millrace::testing

#endif  // MILLRACE_TESTS_MODELS_TEST_DEVICE_H_
