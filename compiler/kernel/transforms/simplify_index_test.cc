// SPDX-License-Identifier: Apache-2.0
//
// kernel-simplify-index on random expressions: the values stay on all points of
// small domains, nothing negative is divided, no division is added, and a
// second run changes nothing.

#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "compiler/kernel/ir/kernel.h"
#include "compiler/kernel/transforms/passes.h"
#include "gtest/gtest.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

namespace millrace::kernel {
namespace {

namespace arith = mlir::arith;

// Values of the leaves: local ids of a group of 5 x 3, a loop from 2 below 12
// in steps of 3, and a group id, of which nothing is known.
constexpr int64_t kLocalX = 5, kLocalY = 3, kGroups = 7;
constexpr int64_t kLoopFrom = 2, kLoopTo = 12, kLoopStep = 3;

struct Point {
  int64_t local_x, local_y, loop, group;
};

std::vector<Point> AllPoints() {
  std::vector<Point> points;
  for (int64_t x = 0; x < kLocalX; ++x) {
    for (int64_t y = 0; y < kLocalY; ++y) {
      for (int64_t i = kLoopFrom; i < kLoopTo; i += kLoopStep) {
        for (int64_t group = 0; group < kGroups; ++group) {
          points.push_back({x, y, i, group});
        }
      }
    }
  }
  return points;
}

// The text of a kernel with `count` random operations on indices, each on
// values before it, and stores at some of the results.
std::string RandomKernel(int seed, int count) {
  std::mt19937 random(seed);
  const auto pick = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  std::string text =
      "kernel.func @f(%y: !kernel.object<buffer, 1 x f32, write>) group [5, 3, "
      "1] {\n  %f = arith.constant 1.0 : f32\n";
  for (int64_t i = -8; i <= 16; ++i) {
    text += "  %c" + std::to_string(i + 8) + " = arith.constant " +
            std::to_string(i) + " : index\n";
  }
  text +=
      "  %v0 = kernel.local_id 0\n  %v1 = kernel.local_id 1\n"
      "  %v2 = kernel.group_id 0\n  scf.for %v3 = %c10 to %c20 step %c11 {\n";
  const auto value = [](int64_t i) { return " %v" + std::to_string(i); };
  const auto constant = [](int64_t i) { return " %c" + std::to_string(i + 8); };
  for (int i = 4; i < count + 4; ++i) {
    const std::string recent = value(pick(std::max(0, i - 3), i - 1));
    const std::string any = value(pick(0, i - 1));
    text += "    %v" + std::to_string(i) + " = arith.";
    switch (pick(0, 5)) {
      case 0:
        text += "addi" + recent + "," + any;
        break;
      case 1:
        text += "subi" + recent + "," + any;
        break;
      case 2:
        text += "muli" + recent + "," + constant(pick(-3, 8));
        break;
      case 3:
        text += "addi" + recent + "," + constant(pick(-8, 16));
        break;
      case 4:
        text += "divui" + recent + "," + constant(pick(1, 16));
        break;
      default:
        text += "remui" + recent + "," + constant(pick(1, 16));
        break;
    }
    text += " : index\n";
    if (i == count + 3 || pick(0, 5) == 0) {
      text += "    kernel.store %f, %y[" + value(i) +
              "] : f32, !kernel.object<buffer, 1 x f32, write>\n";
    }
  }
  return text + "  }\n}\n";
}

// The indices that a kernel stores at, at one point; nothing if something
// negative is divided there.
class Evaluator {
 public:
  explicit Evaluator(const Point& point) : point_(point) {}

  std::optional<std::vector<int64_t>> Stores(mlir::Operation* func) {
    std::vector<int64_t> indices;
    func->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation* op) {
      if (auto store = llvm::dyn_cast<StoreOp>(op)) {
        indices.push_back(values_[store.getCoordinates()[0]]);
      } else if (auto loop = llvm::dyn_cast<mlir::scf::ForOp>(op)) {
        values_[loop.getInductionVar()] = point_.loop;
      } else if (op->getNumResults() == 1) {
        values_[op->getResult(0)] = Value(op);
      }
    });
    if (is_negative_) {
      return std::nullopt;
    }
    return indices;
  }

 private:
  int64_t Value(mlir::Operation* op) {
    const auto operand = [&](int i) { return values_[op->getOperand(i)]; };
    return llvm::TypeSwitch<mlir::Operation*, int64_t>(op)
        .Case([&](arith::ConstantIndexOp c) { return c.value(); })
        .Case([&](arith::AddIOp) { return operand(0) + operand(1); })
        .Case([&](arith::SubIOp) { return operand(0) - operand(1); })
        .Case([&](arith::MulIOp) { return operand(0) * operand(1); })
        .Case<arith::DivUIOp, arith::RemUIOp>([&](auto division) {
          is_negative_ |= operand(0) < 0;
          return llvm::isa<arith::DivUIOp>(op) ? operand(0) / operand(1)
                                               : operand(0) % operand(1);
        })
        .Case([&](LocalIdOp id) {
          return id.getDimension() == 0 ? point_.local_x : point_.local_y;
        })
        .Case([&](GroupIdOp) { return point_.group; })
        .Default([](mlir::Operation*) { return int64_t{0}; });
  }

  const Point point_;
  llvm::DenseMap<mlir::Value, int64_t> values_;
  bool is_negative_ = false;
};

int64_t Divisions(mlir::Operation* func) {
  int64_t count = 0;
  func->walk([&](mlir::Operation* op) {
    count += llvm::isa<arith::DivUIOp, arith::RemUIOp>(op);
  });
  return count;
}

std::string Text(mlir::Operation* op) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  op->print(stream);
  return text;
}

class SimplifyIndexTest : public testing::Test {
 protected:
  SimplifyIndexTest() {
    context_.loadDialect<KernelDialect, arith::ArithDialect,
                         mlir::scf::SCFDialect>();
    context_.disableMultithreading();
  }

  mlir::OwningOpRef<mlir::ModuleOp> Parse(const std::string& text) {
    return mlir::parseSourceString<mlir::ModuleOp>(text, &context_);
  }

  void Run(mlir::ModuleOp module) {
    mlir::PassManager manager(&context_);
    manager.nest<FuncOp>().addPass(createSimplifyIndexPass());
    ASSERT_TRUE(mlir::succeeded(manager.run(module)));
  }

  mlir::MLIRContext context_;
};

TEST_F(SimplifyIndexTest, KeepsValuesAndIsAFixpoint) {
  const std::vector<Point> points = AllPoints();
  int compared = 0, simplified = 0;
  for (int seed = 0; seed < 1500; ++seed) {
    const std::string text = RandomKernel(seed, 3 + seed % 12);
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
    const auto before = Parse(text), after = Parse(text);
    ASSERT_TRUE(before && after);
    Run(*after);
    const std::string once = Text(*after);
    SCOPED_TRACE("became\n" + once);
    for (const Point& point : points) {
      const auto wanted = Evaluator(point).Stores(*before);
      if (wanted.has_value()) {
        ASSERT_EQ(Evaluator(point).Stores(*after), wanted);
        ++compared;
      }
    }
    simplified += Divisions(*after) < Divisions(*before);
    Run(*after);
    ASSERT_EQ(Text(*after), once);
  }
  // Otherwise nothing was tested.
  EXPECT_GT(compared, 100000);
  EXPECT_GT(simplified, 500);
}

}  // namespace
}  // namespace millrace::kernel
