# SPDX-License-Identifier: Apache-2.0
"""Finds the FlatBuffers schema compiler."""

_VARIABLE = "MILLRACE_FLATC"

def _flatc_impl(ctx):
    override = ctx.os.environ.get(_VARIABLE)
    if override:
        flatc = ctx.path(override)
        if not flatc.exists:
            fail("flatc: {} is {}, which does not exist".format(_VARIABLE, override))
    else:
        flatc = ctx.which("flatc")
        if not flatc:
            fail("flatc: not found on PATH; install flatbuffers-compiler (Debian) or flatbuffers (Homebrew), or set {}".format(_VARIABLE))
    ctx.symlink(flatc, "flatc")
    ctx.file("WORKSPACE", "workspace(name = \"flatc\")\n")
    ctx.file("BUILD.bazel", "exports_files([\"flatc\"])\n")

flatc_repository = repository_rule(
    implementation = _flatc_impl,
    local = True,
    environ = [_VARIABLE, "PATH"],
    doc = "The program flatc.",
)
