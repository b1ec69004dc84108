// SPDX-License-Identifier: Apache-2.0
#include "models/families/decoder/rope.h"

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

namespace millrace::families {
namespace {

using Entries = std::vector<std::pair<size_t, float>>;

// A few entries of the table, to some roundings of f32.
void ExpectEntries(const std::vector<float>& table, const Entries& expected) {
  for (const auto& [index, value] : expected) {
    ASSERT_LT(index, table.size());
    EXPECT_NEAR(table[index] / value, 1.0, 1e-6) << index;
  }
}

TEST(RopeInverseFrequencies, Plain) {
  const std::vector<float> table = RopeInverseFrequencies({10000.0, {}}, 8);
  ASSERT_EQ(table.size(), 4u);
  ExpectEntries(table, {{0, 1.0f}, {1, 0.1f}, {2, 0.01f}, {3, 0.001f}});
}

// Llama 3.1 8B. Worked by hand in f64: kept up to index 28, whose wavelength is
// below 8192 / 4; blended from 29 to 34; divided by 8 from 35 on.
TEST(RopeInverseFrequencies, Llama3) {
  const std::vector<float> table =
      RopeInverseFrequencies({500000.0, Llama3Rope{8.0, 1.0, 4.0, 8192}}, 128);
  ASSERT_EQ(table.size(), 64u);
  ExpectEntries(table, {{0, 1.0f},
                        {1, 0.814617234f},
                        {16, 0.0376060309f},
                        {28, 0.00321144599f},
                        {29, 0.00216657076f},
                        {30, 0.00137189357f},
                        {32, 0.000524846161f},
                        {34, 0.000178507813f},
                        {35, 9.55621235e-05f},
                        {40, 3.4281022e-05f},
                        {63, 3.06892599e-07f}});
}

// The three below: as Hugging Face transformers 5 computes them on the CPU.

TEST(RopeInverseFrequencies, Linear) {
  ExpectEntries(RopeInverseFrequencies({10000.0, LinearRope{8.0}}, 64),
                {{0, 0.125f},
                 {1, 0.0937367752f},
                 {8, 0.0125000002f},
                 {16, 0.00124999997f},
                 {31, 1.66690188e-05f}});
}

TEST(RopeInverseFrequencies, Yarn) {
  const RopeConfig rope = {
      10000.0, YarnRope{4.0, 32.0, 1.0, true, 0.1 * std::log(4.0) + 1.0, 1024}};
  ExpectEntries(RopeInverseFrequencies(rope, 64), {{0, 1.0f},
                                                   {1, 0.749894202f},
                                                   {5, 0.237137362f},
                                                   {8, 0.0826923102f},
                                                   {9, 0.0576841682f},
                                                   {14, 0.00854942016f},
                                                   {16, 0.00365384622f},
                                                   {20, 0.000790569466f},
                                                   {24, 0.000250000012f},
                                                   {31, 3.33380376e-05f}});
  EXPECT_NEAR(RopeScoreFactor(rope), 1.138629436111989 * 1.138629436111989,
              1e-12);
}

TEST(RopeInverseFrequencies, YarnWithoutTruncation) {
  const RopeConfig rope = {1e6, YarnRope{8.0, 24.0, 2.0, false, 1.0, 512}};
  ExpectEntries(RopeInverseFrequencies(rope, 64), {{1, 0.649381638f},
                                                   {5, 0.0774063841f},
                                                   {8, 0.00677476125f},
                                                   {9, 0.00256690639f},
                                                   {10, 0.00166690187f},
                                                   {31, 1.92490816e-07f}});
}

}  // namespace
}  // namespace millrace::families
