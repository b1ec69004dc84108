# SPDX-License-Identifier: Apache-2.0
"""The external libraries of Millrace, one call each, and why each is here."""

load("//third_party:flatc.bzl", "flatc_repository")
load("//third_party:llvm.bzl", "llvm_repository")
load("//third_party:system_library.bzl", "system_library")

_ABSEIL_BASE = [
    "absl_status",
    "absl_statusor",
    "absl_cord",
    "absl_cord_internal",
    "absl_cordz_functions",
    "absl_cordz_handle",
    "absl_cordz_info",
    "absl_exponential_biased",
    "absl_str_format_internal",
    "absl_strings",
    "absl_strings_internal",
    "absl_raw_hash_set",
    "absl_hashtablez_sampler",
    "absl_hash",
    "absl_city",
    "absl_low_level_hash",
    "absl_synchronization",
    "absl_graphcycles_internal",
    "absl_malloc_internal",
    "absl_symbolize",
    "absl_demangle_internal",
    "absl_stacktrace",
    "absl_debugging_internal",
    "absl_strerror",
    "absl_time",
    "absl_time_zone",
    "absl_civil_time",
    "absl_int128",
    "absl_bad_optional_access",
    "absl_bad_variant_access",
    "absl_base",
    "absl_spinlock_wait",
    "absl_throw_delegate",
    "absl_raw_logging_internal",
    "absl_log_severity",
]

_ABSEIL_FLAGS = [
    "absl_flags_parse",
    "absl_flags_usage",
    "absl_flags_usage_internal",
    "absl_flags_internal",
    "absl_flags_marshalling",
    "absl_flags_reflection",
    "absl_flags_config",
    "absl_flags_program_name",
    "absl_flags_private_handle_accessor",
    "absl_flags_commandlineflag",
    "absl_flags_commandlineflag_internal",
]

def millrace_repositories():
    """Declares every external library."""

    # LLVM and MLIR 22: the compiler only.
    llvm_repository(name = "llvm")

    # Status, strings and flags on both sides of the plan.
    system_library(
        name = "abseil",
        debian_package = "libabsl-dev",
        headers = ["absl/**"],
        homebrew_package = "abseil",
        probe = "absl/status/statusor.h",
        targets = {
            "base": _ABSEIL_BASE,
            "flags": _ABSEIL_FLAGS + _ABSEIL_BASE,
        },
        aliases = {
            "absl/algorithm:container": "base",
            "absl/base:core_headers": "base",
            "absl/container:flat_hash_map": "base",
            "absl/container:flat_hash_set": "base",
            "absl/container:inlined_vector": "base",
            "absl/functional:function_ref": "base",
            "absl/hash": "base",
            "absl/flags:flag": "flags",
            "absl/flags:parse": "flags",
            "absl/flags:usage": "flags",
            "absl/memory": "base",
            "absl/numeric:bits": "base",
            "absl/status": "base",
            "absl/status:statusor": "base",
            "absl/strings": "base",
            "absl/strings:str_format": "base",
            "absl/synchronization": "base",
            "absl/time": "base",
            "absl/types:optional": "base",
            "absl/types:span": "base",
        },
    )

    # The plan file: a schema, a writer and a verifier that are not ours to get wrong.
    system_library(
        name = "flatbuffers",
        debian_package = "libflatbuffers-dev",
        headers = ["flatbuffers/**"],
        homebrew_package = "flatbuffers",
        probe = "flatbuffers/flatbuffers.h",
        targets = {"flatbuffers": ["flatbuffers"]},
    )
    flatc_repository(name = "flatc")

    # Matrix products of the reference interpreter.
    system_library(
        name = "eigen",
        debian_package = "libeigen3-dev",
        headers = ["eigen3/**"],
        homebrew_package = "eigen",
        include_directories = ["eigen3"],
        probe = "eigen3/Eigen/Core",
        targets = {"eigen": []},
    )

    # config.json, tokenizer.json, the header of safetensors, traces.
    system_library(
        name = "nlohmann_json",
        debian_package = "nlohmann-json3-dev",
        headers = ["nlohmann/**"],
        homebrew_package = "nlohmann-json",
        probe = "nlohmann/json.hpp",
        targets = {"json": []},
    )

    # Unicode classes in the pre-tokeniser's regular expressions.
    system_library(
        name = "pcre2",
        debian_package = "libpcre2-dev",
        headers = ["pcre2.h"],
        homebrew_package = "pcre2",
        probe = "pcre2.h",
        targets = {"pcre2": ["pcre2-8"]},
    )

    # Unicode normal forms (Qwen's tokenizer wants NFC) and classes of characters.
    # Of the libraries that have them the smallest: ICU brings 30 MB of data.
    system_library(
        name = "utf8proc",
        debian_package = "libutf8proc-dev",
        headers = ["utf8proc.h"],
        homebrew_package = "utf8proc",
        probe = "utf8proc.h",
        targets = {"utf8proc": ["utf8proc"]},
    )

    # Types and constants only: the library itself is opened at run time.
    system_library(
        name = "opencl_headers",
        debian_package = "opencl-headers",
        headers = ["CL/**"],
        homebrew_package = "opencl-headers",
        probe = "CL/cl.h",
        targets = {"opencl_headers": []},
    )
    system_library(
        name = "googletest",
        debian_package = "libgtest-dev libgmock-dev",
        headers = [
            "gtest/**",
            "gmock/**",
        ],
        homebrew_package = "googletest",
        probe = "gmock/gmock.h",
        targets = {
            "gtest": [
                "gmock",
                "gtest",
            ],
            "gtest_main": [
                "gmock_main",
                "gmock",
                "gtest",
            ],
        },
    )
    system_library(
        name = "benchmark",
        debian_package = "libbenchmark-dev",
        headers = ["benchmark/**"],
        homebrew_package = "google-benchmark",
        probe = "benchmark/benchmark.h",
        targets = {
            "benchmark": ["benchmark"],
            "benchmark_main": [
                "benchmark_main",
                "benchmark",
            ],
        },
    )
