# SPDX-License-Identifier: Apache-2.0
"""Fuzz tests: libFuzzer with AddressSanitizer and UndefinedBehaviorSanitizer.

The target and all of our code below it are built with the sanitizers, whatever
the configuration of the build, so a plain `bazel test` runs them.
"""

load("@rules_cc//cc:defs.bzl", "cc_binary")

_COPTS = [
    "-fsanitize=fuzzer-no-link,address,undefined",
    "-fno-sanitize=vptr,function",
    "-fno-sanitize-recover=all",
    "-fno-omit-frame-pointer",
    "-g1",
    "-O1",
]

_LINKOPTS = [
    "-fsanitize=fuzzer,address,undefined",
    "-fsanitize-link-c++-runtime",
]

def _sanitized_impl(settings, attr):
    return {
        "//command_line_option:copt": settings["//command_line_option:copt"] + _COPTS,
        "//command_line_option:linkopt": settings["//command_line_option:linkopt"] + _LINKOPTS,
    }

_sanitized = transition(
    implementation = _sanitized_impl,
    inputs = [
        "//command_line_option:copt",
        "//command_line_option:linkopt",
    ],
    outputs = [
        "//command_line_option:copt",
        "//command_line_option:linkopt",
    ],
)

# New inputs go to a folder that is thrown away. Arguments of the test
# (--test_arg=-max_total_time=600) stand last, and win.
_LAUNCHER = """#!/usr/bin/env bash
set -e
work="${{TEST_TMPDIR:-$(mktemp -d)}}"
mkdir -p "$work/found" "$work/seeds"
cp -L {seeds} "$work/seeds/"
export ASAN_OPTIONS="detect_leaks=0:${{ASAN_OPTIONS:-}}"
exec {binary} "$work/found" "$work/seeds" -seed=1 -runs={runs} \\
  -max_len={max_len} -timeout=20 -rss_limit_mb=2048 \\
  -artifact_prefix="${{TEST_UNDECLARED_OUTPUTS_DIR:-$work}}/" "$@"
"""

def _fuzz_test_impl(ctx):
    target = ctx.attr.binary[0][DefaultInfo]
    executable = target.files_to_run.executable
    launcher = ctx.actions.declare_file(ctx.label.name + ".sh")
    ctx.actions.write(launcher, _LAUNCHER.format(
        binary = executable.short_path,
        max_len = ctx.attr.max_len,
        runs = ctx.attr.runs,
        seeds = " ".join([f.short_path for f in ctx.files.seeds]),
    ), is_executable = True)
    runfiles = ctx.runfiles(files = [executable] + ctx.files.seeds)
    return [DefaultInfo(
        executable = launcher,
        runfiles = runfiles.merge(target.default_runfiles),
    )]

_fuzz_test = rule(
    implementation = _fuzz_test_impl,
    test = True,
    attrs = {
        "binary": attr.label(cfg = _sanitized, mandatory = True),
        "max_len": attr.int(),
        "runs": attr.int(),
        "seeds": attr.label_list(allow_files = True),
        "_allowlist_function_transition": attr.label(
            default = "@bazel_tools//tools/allowlists/function_transition_allowlist",
        ),
    },
)

def fuzz_test(name, srcs, deps, seeds, runs, max_len = 4096):
    """A fuzz target as a test of `runs` inputs, the same ones every time.

    Args:
      name: of the test.
      srcs: with LLVMFuzzerTestOneInput.
      deps: what it fuzzes.
      seeds: files to begin with, no two of one name.
      runs: the number of inputs tried: some seconds' worth.
      max_len: of an input, in bytes.
    """
    cc_binary(
        name = name + "_target",
        testonly = True,
        srcs = srcs,
        # Links only with the sanitizers, which _fuzz_test adds.
        tags = ["manual"],
        deps = deps,
    )
    _fuzz_test(
        name = name,
        size = "medium",
        binary = name + "_target",
        max_len = max_len,
        runs = runs,
        seeds = seeds,
    )
