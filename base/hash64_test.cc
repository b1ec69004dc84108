// SPDX-License-Identifier: Apache-2.0
#include "base/hash64.h"

#include <set>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace millrace {
namespace {

std::vector<uint8_t> Bytes(size_t size) {
  std::vector<uint8_t> bytes(size);
  for (size_t i = 0; i < size; ++i) {
    bytes[i] = static_cast<uint8_t>(i * 37 + 11);
  }
  return bytes;
}

TEST(Hash64Test, KeepsItsValues) {
  // Files hold these: a change is a change of format.
  EXPECT_EQ(Hash64(""), Hasher64().Finish());
  EXPECT_NE(Hash64("a"), Hash64("b"));
  EXPECT_EQ(Hash64("millrace"), 9382438564550353799u);
}

TEST(Hash64Test, DoesNotDependOnHowTheInputIsCut) {
  const std::vector<uint8_t> bytes = Bytes(200);
  const uint64_t whole = Hash64(bytes);
  for (size_t cut = 0; cut <= bytes.size(); ++cut) {
    Hasher64 hasher;
    hasher.Update(absl::MakeConstSpan(bytes).first(cut));
    hasher.Update(absl::MakeConstSpan(bytes).subspan(cut));
    EXPECT_EQ(hasher.Finish(), whole) << cut;
  }
}

TEST(Hash64Test, EveryFlippedBitChangesIt) {
  for (size_t size : {1, 7, 8, 31, 32, 33, 100}) {
    std::vector<uint8_t> bytes = Bytes(size);
    std::set<uint64_t> hashes = {Hash64(bytes)};
    for (size_t bit = 0; bit < 8 * size; ++bit) {
      bytes[bit / 8] ^= 1 << (bit % 8);
      EXPECT_TRUE(hashes.insert(Hash64(bytes)).second) << size << " " << bit;
      bytes[bit / 8] ^= 1 << (bit % 8);
    }
  }
}

TEST(Hash64Test, TrailingZeroesCount) {
  EXPECT_NE(Hash64(std::string(3, '\0')), Hash64(std::string(4, '\0')));
  EXPECT_NE(Hash64(std::string(32, '\0')), Hash64(std::string(31, '\0')));
}

}  // namespace
}  // namespace millrace
