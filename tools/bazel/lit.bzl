# SPDX-License-Identifier: Apache-2.0
"""One test target for each lit file."""

def lit_test_suite(name, srcs, tools = [], data = [], size = "small", tags = []):
    """Runs each file of `srcs` under lit.

    The RUN lines may call the programs in `tools`, FileCheck and not by name.

    Args:
      name: a test_suite over all files.
      srcs: .mlir (or .test) files with RUN lines.
      tools: programs that the RUN lines call, besides //tools:millrace-opt.
      data: other files that the RUN lines read.
      size: Bazel's test size.
      tags: Bazel's tags.
    """
    programs = ["//tools:millrace-opt"] + tools
    runtime = ["@llvm//:bin/" + tool for tool in ["lit", "FileCheck", "not"]]
    tests = []
    for src in srcs:
        test = "{}.test".format(src)
        native.sh_test(
            name = test,
            size = size,
            srcs = ["//tools/bazel:run_lit.sh"],
            args = ["$(location {})".format(src)],
            data = [src, "//:lit.cfg.py"] + programs + runtime + data,
            tags = tags,
        )
        tests.append(test)
    native.test_suite(name = name, tests = tests)
