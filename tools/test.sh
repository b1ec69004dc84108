#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what is missing and runs every test. Arguments go to bazel test.
set -euo pipefail
cd "$(dirname "$0")/.."
tools/setup.sh
exec bazel test //... "$@"
