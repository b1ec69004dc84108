// SPDX-License-Identifier: Apache-2.0
//
// mlir-opt with Millrace's dialects and passes.
#include "compiler/pipeline/register.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char** argv) {
  mlir::DialectRegistry registry;
  millrace::pipeline::RegisterDialects(registry);
  millrace::pipeline::RegisterPasses();
  return mlir::failed(
      mlir::MlirOptMain(argc, argv, "Millrace optimiser\n", registry));
}
