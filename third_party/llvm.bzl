# SPDX-License-Identifier: Apache-2.0
"""Finds LLVM and MLIR 22: headers, shared libraries and their tools."""

_VARIABLE = "MILLRACE_LLVM_PREFIX"
_PREFIXES = [
    "/usr/lib/llvm-22",
    "/opt/homebrew/opt/llvm@22",
    "/opt/homebrew/opt/llvm",
    "/usr/local/opt/llvm",
]

_BUILD = """load("@rules_cc//cc:defs.bzl", "cc_library")

package(default_visibility = ["//visibility:public"])

# LLVM and MLIR come as two shared libraries; there is one target for both.
cc_library(
    name = "mlir",
    hdrs = glob(
        ["include/llvm/**", "include/llvm-c/**", "include/mlir/**"],
        exclude = ["**/*.td"],
    ),
    includes = ["include"],
    linkopts = ["-L{prefix}/lib", "-lMLIR", "-l{llvm}", "-Wl,-rpath,{prefix}/lib"],
)

filegroup(
    name = "mlir_td",
    srcs = glob(["include/mlir/**/*.td"]),
)

exports_files(glob(["bin/*"]))
"""

_TOOLS = [
    "mlir-tblgen",
    "FileCheck",
    "not",
    "clang",
]

def _llvm_impl(ctx):
    override = ctx.os.environ.get(_VARIABLE)
    candidates = [override] if override else _PREFIXES
    prefix = None
    for candidate in candidates:
        if ctx.path(candidate + "/include/mlir/IR/MLIRContext.h").exists:
            prefix = candidate
            break
    if not prefix:
        fail("llvm: no MLIR 22 headers under {}; install libmlir-22-dev mlir-22-tools llvm-22-dev llvm-22-tools (Debian) or llvm (Homebrew), or set {}".format(
            ", ".join(candidates),
            _VARIABLE,
        ))
    for tool in _TOOLS:
        if not ctx.path(prefix + "/bin/" + tool).exists:
            fail("llvm: {}/bin/{} is missing; install mlir-22-tools llvm-22-tools clang-22 (Debian) or llvm (Homebrew)".format(prefix, tool))
        ctx.symlink(prefix + "/bin/" + tool, "bin/" + tool)
    lit = ctx.path(prefix + "/bin/lit")
    if not lit.exists:
        lit = ctx.path(prefix + "/build/utils/lit/lit.py")
    if lit.exists:
        ctx.symlink(lit, "bin/lit")
    elif ctx.which("lit"):
        ctx.symlink(ctx.which("lit"), "bin/lit")
    else:
        fail("llvm: lit is missing; install llvm-22-tools (Debian) or lit (Homebrew)")
    ctx.symlink(prefix + "/include", "include")
    ctx.file("WORKSPACE", "workspace(name = \"llvm\")\n")
    ctx.file("BUILD.bazel", _BUILD.format(prefix = prefix, llvm = "LLVM"))

llvm_repository = repository_rule(
    implementation = _llvm_impl,
    local = True,
    environ = [_VARIABLE],
    doc = "LLVM and MLIR 22 under a prefix.",
)
