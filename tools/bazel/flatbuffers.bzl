# SPDX-License-Identifier: Apache-2.0
"""C++ from a FlatBuffers schema."""

load("@rules_cc//cc:defs.bzl", "cc_library")

def flatbuffer_cc_library(name, src, visibility = None):
    """A header-only library with readers, builders, a verifier and plain structs.

    Args:
      name: of the library; the header is `<src without .fbs>_generated.h`.
      src: the .fbs file, in this package.
      visibility: of the library.
    """
    header = src[:-len(".fbs")] + "_generated.h"
    native.genrule(
        name = name + "_header",
        srcs = [src],
        outs = [header],
        cmd = "$(execpath @flatc//:flatc) --cpp --cpp-std c++17 --gen-object-api -o $(RULEDIR) $<",
        tools = ["@flatc//:flatc"],
        visibility = ["//visibility:private"],
    )
    cc_library(
        name = name,
        hdrs = [header],
        visibility = visibility,
        deps = ["@flatbuffers"],
    )
