# SPDX-License-Identifier: Apache-2.0
"""Finds a library that the system's package manager installed."""

# Where Debian, and Homebrew on Apple silicon and Intel, put headers.
_PREFIXES = ["/usr", "/opt/homebrew", "/usr/local"]

def _find_prefix(ctx):
    """The first prefix that holds the probe header; the variable's comes first."""
    override = ctx.os.environ.get(ctx.attr.variable)
    candidates = [override] if override else _PREFIXES
    for prefix in candidates:
        if ctx.path("{}/include/{}".format(prefix, ctx.attr.probe)).exists:
            return prefix
    fail("{}: no include/{} under {}; install {} (Debian) or {} (Homebrew), or set {} to its prefix".format(
        ctx.name,
        ctx.attr.probe,
        ", ".join(candidates),
        ctx.attr.debian_package,
        ctx.attr.homebrew_package,
        ctx.attr.variable,
    ))

def _library_rule(ctx, prefix, target, libraries):
    """A cc_library `target` that links `libraries`, static ones where they exist."""
    is_mac = ctx.os.name.lower().startswith("mac")
    names = []
    for library in libraries:
        names.append("-l" + library if is_mac else "-l:lib{}.a".format(library))
    links = names
    if names and not is_mac:
        links = ["-Wl,--start-group"] + names + ["-Wl,--end-group"]
    if prefix != "/usr" and names:
        links = ["-L{}/lib".format(prefix)] + links
    if libraries and not is_mac:
        links = links + ["-lpthread"]
    attributes = ["name = \"{}\"".format(target), "linkopts = {}".format(repr(links))]
    if prefix != "/usr":
        attributes.append("hdrs = glob({})".format(repr([
            "include/" + pattern
            for pattern in ctx.attr.headers
        ])))
        attributes.append("includes = {}".format(repr(["include/" + d for d in ctx.attr.include_directories] or ["include"])))
    elif ctx.attr.include_directories:
        # /usr/include itself is searched anyway; only deeper roots are named.
        attributes.append("hdrs = glob({})".format(repr(["include/" + d + "/**" for d in ctx.attr.include_directories])))
        attributes.append("includes = {}".format(repr(["include/" + d for d in ctx.attr.include_directories])))
    return "cc_library(\n    {},\n)\n".format(",\n    ".join(attributes))

def _system_library_impl(ctx):
    prefix = _find_prefix(ctx)
    ctx.file("WORKSPACE", "workspace(name = \"{}\")\n".format(ctx.name))
    if prefix != "/usr":
        ctx.symlink(prefix + "/include", "include")
    else:
        for directory in ctx.attr.include_directories:
            ctx.symlink("/usr/include/" + directory, "include/" + directory)
    header = "load(\"@rules_cc//cc:defs.bzl\", \"cc_library\")\n\npackage(default_visibility = [\"//visibility:public\"])\n\n"
    rules = [_library_rule(ctx, prefix, t, libs) for t, libs in ctx.attr.targets.items()]
    ctx.file("BUILD.bazel", header + "\n".join(rules))
    packages = {}
    for label, actual in ctx.attr.aliases.items():
        package, _, target = label.partition(":")
        packages.setdefault(package, []).append(
            "alias(name = \"{}\", actual = \"//:{}\")\n".format(target or package.split("/")[-1], actual),
        )
    for package, lines in packages.items():
        ctx.file(package + "/BUILD.bazel", "package(default_visibility = [\"//visibility:public\"])\n\n" + "\n".join(lines))

_ATTRIBUTES = {
    "aliases": attr.string_dict(doc = "package[:name] -> target, for the labels that upstream uses"),
    "debian_package": attr.string(mandatory = True),
    "headers": attr.string_list(default = ["**"], doc = "globs under include/, outside /usr"),
    "homebrew_package": attr.string(mandatory = True),
    "include_directories": attr.string_list(doc = "include roots below include/"),
    "probe": attr.string(mandatory = True, doc = "a header that shows the library is there"),
    "targets": attr.string_list_dict(mandatory = True, doc = "target -> names of libraries to link"),
    "variable": attr.string(mandatory = True, doc = "environment variable with the prefix"),
}

_rule = repository_rule(
    implementation = _system_library_impl,
    attrs = _ATTRIBUTES,
    local = True,
    doc = "A library found under a prefix, as cc_library targets.",
)

def system_library(name, **kwargs):
    """Declares repository `name`; see the attributes of the rule."""
    _rule(name = name, variable = "MILLRACE_{}_PREFIX".format(name.upper()), **kwargs)
