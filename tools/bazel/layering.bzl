# SPDX-License-Identifier: Apache-2.0
"""Tests of what may depend on what."""

def assert_no_dependency(name, targets, forbidden, allowed = []):
    """A test that fails when one of `targets` needs something forbidden.

    Everything that is built into a target counts, at any distance; tools that the
    build runs do not.

    Args:
      name: of the test.
      targets: labels whose dependencies are looked at.
      forbidden: prefixes of labels that none of the dependencies may have.
      allowed: prefixes of labels that are fine all the same.
    """
    native.genquery(
        name = name + "_labels",
        testonly = True,
        expression = "deps(set({}))".format(" ".join(targets)),
        opts = [
            "--noimplicit_deps",
            "--notool_deps",
        ],
        scope = targets,
    )
    native.sh_test(
        name = name,
        size = "small",
        srcs = ["//tools/bazel:check_labels.sh"],
        args = ["$(location :{}_labels)".format(name)] +
               ["--forbid=" + prefix for prefix in forbidden] +
               ["--allow=" + prefix for prefix in allowed],
        data = [":{}_labels".format(name)],
    )
