#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# usage: excerpts_test.sh CHECKER PAGE...
set -euo pipefail

PATH="${PWD}/tools:${PATH}"
export OUT="${TEST_TMPDIR}/out"
python3 "$@"
