// SPDX-License-Identifier: Apache-2.0

#include "compiler/kernel/names/name_table.h"

#include "gtest/gtest.h"

namespace millrace::kernel {
namespace {

TEST(NameTableTest, KeepsLegalNames) {
  NameTable names;
  EXPECT_EQ(names.Add("gamma"), "gamma");
  EXPECT_EQ(names.Add("attn_out2"), "attn_out2");
}

TEST(NameTableTest, NumbersRepeatedNames) {
  NameTable names;
  EXPECT_EQ(names.Add("acc"), "acc");
  EXPECT_EQ(names.Add("acc"), "acc_1");
  EXPECT_EQ(names.Add("acc_1"), "acc_1_1");
  EXPECT_EQ(names.Add("acc"), "acc_2");
}

TEST(NameTableTest, ReplacesWhatIsNotAnIdentifier) {
  NameTable names;
  EXPECT_EQ(names.Add("layers.0.attn"), "layers_0_attn");
  EXPECT_EQ(names.Add("0"), "v0");
  EXPECT_EQ(names.Add("__x__"), "x");
  EXPECT_EQ(names.Add(""), "v");
}

TEST(NameTableTest, AvoidsWordsOfTheLanguages) {
  NameTable names;
  EXPECT_EQ(names.Add("half"), "half_");
  EXPECT_EQ(names.Add("half"), "half_1");
  EXPECT_EQ(names.Add("float4"), "float4_");
  EXPECT_EQ(names.Add("read_imagef"), "read_imagef_");
}

TEST(ReservedNamesTest, KnowsBothLanguages) {
  for (const char* name : {"kernel", "threadgroup", "vload_half4", "rsqrt",
                           "texture2d", "get_global_id", "namespace",
                           "uint16", "float4x4", "millrace_erf"}) {
    EXPECT_TRUE(IsReservedName(name)) << name;
  }
  for (const char* name : {"x", "gamma", "sum", "float_sum", "kernels"}) {
    EXPECT_FALSE(IsReservedName(name)) << name;
  }
}

TEST(ReservedNamesTest, LegalNamesStayAsTheyAre) {
  EXPECT_TRUE(IsLegalName("rms_norm"));
  EXPECT_FALSE(IsLegalName("layers.0"));
  EXPECT_FALSE(IsLegalName("a__b"));
  EXPECT_FALSE(IsLegalName("for"));
}

}  // namespace
}  // namespace millrace::kernel
