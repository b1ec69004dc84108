#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# usage: size_test.sh PROGRAM BYTES
#
# Without its symbols, the program has at most so many bytes.
set -euo pipefail

readonly program="$1" most="$2"
readonly stripped="${TEST_TMPDIR}/stripped"
strip -o "${stripped}" "${program}"
readonly found="$(stat -c %s "${stripped}")"
echo "${program}: ${found} bytes without symbols, at most ${most} wanted"
(( found > 100000 && found <= most ))
