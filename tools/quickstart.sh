#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# From a clone to text: installs what is missing, compiles the pocket model and
# runs it on the OpenCL device it finds. Arguments go to the bench program.
set -euo pipefail
cd "$(dirname "$0")/.."
tools/setup.sh
exec bazel run //bench:quickstart -- "$@"
