// SPDX-License-Identifier: Apache-2.0
#include "tests/models/test_device.h"

#include "gtest/gtest.h"
#include "runtime/hal/driver.h"

namespace millrace::testing {

hal::Device& TestDevice() {
  static hal::Device& device = *[] {
    absl::StatusOr<hal::DeviceSelector> selector =
        hal::SelectorFromEnvironment();
    EXPECT_TRUE(selector.ok()) << selector.status();
    auto opened = hal::OpenDevice(*selector);
    EXPECT_TRUE(opened.ok()) << opened.status();
    return opened->release();
  }();
  return device;
}

}  // namespace millrace::testing
