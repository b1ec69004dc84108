// SPDX-License-Identifier: Apache-2.0

#include "compiler/layout/ir/layout.h"

#include <string>

#include "gtest/gtest.h"
#include "layout/form.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/MLIRContext.h"

namespace millrace::layout {
namespace {

class LayoutIrTest : public testing::Test {
 protected:
  LayoutIrTest() { context_.loadDialect<LayoutDialect>(); }

  mlir::RankedTensorType Parse(llvm::StringRef text) {
    return llvm::dyn_cast_if_present<mlir::RankedTensorType>(
        mlir::parseType(text, &context_));
  }

  mlir::MLIRContext context_;
};

TEST_F(LayoutIrTest, GetLayoutIsTheAlgebras) {
  const auto type =
      Parse("tensor<1x3x2x5xf16, #layout.of<texture_2d, \"HSWBDC4\">>");
  ASSERT_TRUE(type);
  const mlir::FailureOr<Layout> layout = GetLayout(type);
  ASSERT_TRUE(mlir::succeeded(layout));
  EXPECT_EQ(*layout,
            *MakeLayout(StorageKind::kTexture2d, kHswbdc4, {1, 3, 2, 5}));
  EXPECT_EQ(ElementBits(type), 16);
}

TEST_F(LayoutIrTest, NoEncodingIsNoLayout) {
  EXPECT_TRUE(mlir::failed(GetLayout(Parse("tensor<1x3x2x5xf16>"))));
  EXPECT_TRUE(mlir::failed(GetLayout(Parse("tensor<3xf16, \"other\">"))));
}

TEST_F(LayoutIrTest, WithLayoutPrintsWhatIsParsed) {
  const auto plain = Parse("tensor<32x16xf32>");
  const auto type = WithLayout(plain, StorageKind::kBuffer, kWeightsO4I4, 4);
  std::string text;
  llvm::raw_string_ostream(text) << type;
  EXPECT_EQ(text,
            "tensor<32x16xf32, #layout.of<buffer, \"WEIGHTS_O4I4\", og = 4>>");
  EXPECT_EQ(Parse(text), type);
  EXPECT_EQ(WithoutLayout(type), plain);
}

}  // namespace
}  // namespace millrace::layout
