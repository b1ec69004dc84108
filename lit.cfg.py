# SPDX-License-Identifier: Apache-2.0
"""lit's configuration: which files are tests and where the tools are."""

import os

import lit.formats

runfiles = os.environ["MILLRACE_RUNFILES"]

config.name = "millrace"
config.test_format = lit.formats.ShTest(execute_external=True)
config.suffixes = [".mlir", ".test"]
config.test_source_root = runfiles
config.test_exec_root = os.environ.get("TEST_TMPDIR", "/tmp")
config.environment["PATH"] = os.pathsep.join([
    os.path.join(runfiles, "tools"),
    os.path.join(runfiles, "..", "llvm", "bin"),
    os.environ["PATH"],
])
for name in ("HOME", "OCL_ICD_VENDORS", "POCL_CACHE_DIR"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
