# SPDX-License-Identifier: Apache-2.0
"""Runs mlir-tblgen as part of the build."""

load("@rules_cc//cc:defs.bzl", "cc_library")

def td_library(name, srcs, deps = []):
    """Groups .td files so that others can include them.

    Args:
      name: the target.
      srcs: .td files of this package.
      deps: td_library targets that `srcs` include.
    """
    native.filegroup(name = name, srcs = srcs + deps)

def gentbl_cc_library(name, td_file, outputs, td_deps = [], deps = []):
    """Generates C++ fragments from one .td file, as headers of a cc_library.

    Include them by their path from the workspace root.

    Args:
      name: the cc_library with the generated .inc files.
      td_file: the .td file that mlir-tblgen reads.
      outputs: {file to write: flags of mlir-tblgen}.
      td_deps: td_library targets that `td_file` includes.
      deps: cc_library targets that the fragments need.
    """
    for out, flags in outputs.items():
        native.genrule(
            name = "{}_{}".format(name, out.replace("/", "_").replace(".", "_")),
            srcs = [td_file, "@llvm//:mlir_td"] + td_deps,
            outs = [out],
            cmd = "$(location @llvm//:bin/mlir-tblgen) {} -I . -I external/llvm/include $(location {}) -o $@".format(" ".join(flags), td_file),
            exec_tools = ["@llvm//:bin/mlir-tblgen"],
        )
    cc_library(
        name = name,
        textual_hdrs = outputs.keys(),
        deps = deps,
    )
