// SPDX-License-Identifier: Apache-2.0
#include "bench/measure_kernels.h"

#include "gtest/gtest.h"

namespace millrace::bench {
namespace {

KernelTiming Timing() {
  KernelTiming timing;
  timing.op = "linear_vector";
  timing.shape = "4096x4096";
  timing.storage = "f32";
  timing.ms = 2.0;
  timing.bytes = 40e6;
  timing.flops = 20e6;
  return timing;
}

DevicePeak Peak() {
  DevicePeak peak;
  peak.read_gb_per_s = 40.0;
  peak.mad_gflop_per_s = 100.0;
  return peak;
}

double Real(const Record& record, const std::string& name) {
  for (const Field& field : record) {
    if (field.name == name) {
      return std::get<double>(field.value);
    }
  }
  ADD_FAILURE() << "no field " << name;
  return 0.0;
}

TEST(KernelRecordTest, RatesAndShares) {
  const Record record = RecordOf(Timing(), Peak());
  EXPECT_DOUBLE_EQ(Real(record, "gb_per_s"), 20.0);
  EXPECT_DOUBLE_EQ(Real(record, "share_of_bandwidth"), 0.5);
  EXPECT_DOUBLE_EQ(Real(record, "gflop_per_s"), 10.0);
  EXPECT_DOUBLE_EQ(Real(record, "share_of_compute"), 0.1);
}

TEST(KernelRecordTest, AnUnmeasuredDeviceHasNoShares) {
  const Record record = RecordOf(Timing(), {});
  EXPECT_EQ(Real(record, "share_of_bandwidth"), 0.0);
  EXPECT_EQ(Real(record, "share_of_compute"), 0.0);
}

TEST(FormatKernelsTest, MarkdownNamesTheDevice) {
  hal::DeviceInfo info;
  info.backend = "opencl";
  info.device = "a device";
  const std::string text =
      FormatKernels(info, Peak(), {Timing()}, OutputForm::kMarkdown);
  EXPECT_NE(text.find("a device"), std::string::npos);
  EXPECT_NE(text.find("| linear_vector | 4096x4096 | f32 |"),
            std::string::npos);
}

}  // namespace
}  // namespace millrace::bench
