# SPDX-License-Identifier: Apache-2.0
"""Rule sets of Bazel itself, from Debian's packages instead of the network.

Bazel's own workspace suffix asks for rules_java, rules_proto, platforms and
bazel_skylib. Debian ships them beside its Bazel; where they are not installed
(another Bazel), nothing is declared and Bazel fetches its defaults.
"""

_DEBIAN_ROOT = "/usr/share/bazel"

def _debian_rules_impl(ctx):
    source = ctx.path(ctx.attr.path)
    if not source.exists:
        fail("{}: {} is missing; install Debian's package {}".format(
            ctx.name,
            ctx.attr.path,
            ctx.attr.package,
        ))
    for entry in source.readdir():
        ctx.symlink(entry, entry.basename)
    if not source.get_child("WORKSPACE").exists:
        ctx.file("WORKSPACE", "workspace(name = \"{}\")\n".format(ctx.name))

_debian_rules = repository_rule(
    implementation = _debian_rules_impl,
    attrs = {
        "package": attr.string(mandatory = True),
        "path": attr.string(mandatory = True),
    },
    local = True,
    doc = "A rule set that a Debian package installed.",
)

# The symbols that @bazel_tools loads from @rules_cc, all of which are native in
# the Bazels (before 5) that cannot load rules_cc's own file.
_NATIVE_CC = [
    "cc_binary",
    "cc_import",
    "cc_library",
    "cc_proto_library",
    "cc_test",
    "cc_toolchain",
    "cc_toolchain_suite",
    "fdo_prefetch_hints",
    "fdo_profile",
    "objc_import",
    "objc_library",
]

def _rules_cc_impl(ctx):
    source = ctx.path(_DEBIAN_ROOT + "/rules/cc")
    ctx.file("WORKSPACE", "workspace(name = \"rules_cc\")\n")
    ctx.file("BUILD", "")
    if source.exists:
        for entry in source.get_child("cc").readdir():
            if entry.basename not in ["defs.bzl", "BUILD"]:
                ctx.symlink(entry, "cc/" + entry.basename)
    ctx.file("cc/BUILD", "package(default_visibility = [\"//visibility:public\"])\n")
    macros = ["def {0}(**attrs):\n    native.{0}(**attrs)\n".format(name) for name in _NATIVE_CC]
    ctx.file("cc/defs.bzl", "\"\"\"C++ rules over Bazel's native ones.\"\"\"\n\n" + "\n".join(macros))

_rules_cc = repository_rule(
    implementation = _rules_cc_impl,
    local = True,
    doc = "rules_cc with macros over native rules, which Bazel 4 can load.",
)

def _coverage_tools_impl(ctx):
    ctx.file("WORKSPACE", "workspace(name = \"{}\")\n".format(ctx.name))
    ctx.file("BUILD", "filegroup(name = \"coverage_report_generator\", visibility = [\"//visibility:public\"])\n")

_coverage_tools = repository_rule(
    implementation = _coverage_tools_impl,
    local = True,
    doc = "Stands in for the coverage tools that every test rule names and Bazel would download.",
)

def local_bazel_rules():
    """Declares Bazel's own rule sets."""
    _coverage_tools(name = "remote_coverage_tools")
    _rules_cc(name = "rules_cc")
    _debian_rules(name = "rules_java", path = _DEBIAN_ROOT + "/rules/java", package = "bazel-rules-java")
    _debian_rules(name = "rules_proto", path = _DEBIAN_ROOT + "/rules/proto", package = "bazel-rules-proto")
    _debian_rules(name = "platforms", path = _DEBIAN_ROOT + "/tools/platforms", package = "bazel-platforms")
    _debian_rules(name = "bazel_skylib", path = _DEBIAN_ROOT + "/tools/skylib", package = "bazel-skylib")
