#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs one lit file inside Bazel's runfiles; lit.cfg.py finds the tools there.
set -eu
export MILLRACE_RUNFILES="$PWD"
exec python3 "$PWD/../llvm/bin/lit" -v "$PWD/$1"
