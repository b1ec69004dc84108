#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The checker on the dependencies of compiler/device: profile.h is one of them.
set -uo pipefail
check="$1"
labels="$2"

fail() {
  echo "$1"
  exit 1
}

"$check" "$labels" --forbid=//runtime || fail "found what is not there"
"$check" "$labels" --forbid=//compiler --allow=//compiler ||
  fail "refused what is allowed"
"$check" "$labels" --forbid=//compiler/device &&
  fail "missed a dependency of the package itself"
"$check" "$labels" --forbid=//layout &&
  fail "missed the layout algebra"
"$check" /dev/null --forbid=//runtime && fail "took an empty query for good"
exit 0
