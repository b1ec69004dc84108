#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every op, in buffers and 2D textures with f32 and f16 storage, on oclgrind's
# simulated device: right results, and nothing in its log of accesses out of
# bounds, data races and misuse of the API. (Uninitialised reads are not asked
# for: oclgrind 21.10 reports them for inputs that were written in full.) Kernels
# build without optimisation, on one thread: docs/device_workarounds.md says why.
set -eu
library=""
for candidate in /usr/lib/oclgrind/liboclgrind-rt.so /usr/local/lib/liboclgrind-rt.so; do
  if [ -e "$candidate" ]; then library="$candidate"; break; fi
done
if [ -z "$library" ]; then
  echo "oclgrind is not installed; install Debian's package oclgrind" >&2
  exit 1
fi
cases="$TEST_TMPDIR/cases"
"$1" "$cases" generic buffer,texture_2d both
export MILLRACE_OPENCL_LIBRARY="$library" MILLRACE_NO_CACHE=1 MILLRACE_BUILD_THREADS=1
export OCLGRIND_BUILD_OPTIONS=-cl-opt-disable
export OCLGRIND_DATA_RACES=1 OCLGRIND_CHECK_API=1 OCLGRIND_LOG="$TEST_TMPDIR/oclgrind.log"
"$2" "$cases"
if [ -s "$OCLGRIND_LOG" ]; then
  echo "oclgrind found:" >&2
  head -60 "$OCLGRIND_LOG" >&2
  exit 1
fi
