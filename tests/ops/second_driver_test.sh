#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# usage: second_driver_test.sh OPS_TEST
#
# The op cases, with the profile that assumes nothing, on the OpenCL library that
# MILLRACE_TEST_OPENCL_LIBRARY names. What one driver accepts or computes by luck,
# a second one may not.
set -euo pipefail

readonly library="${MILLRACE_TEST_OPENCL_LIBRARY:-}"
if [[ -z "${library}" ]]; then
  echo "skipped: MILLRACE_TEST_OPENCL_LIBRARY names no OpenCL library to test on"
  exit 0
fi
if [[ ! -e "${library}" ]]; then
  echo "MILLRACE_TEST_OPENCL_LIBRARY: there is no ${library}"
  exit 1
fi
# A driver brings libraries of its own, beside it.
export LD_LIBRARY_PATH="$(dirname "${library}")${LD_LIBRARY_PATH:+:${LD_LIBRARY_PATH}}"
export MILLRACE_OPENCL_LIBRARY="${library}" MILLRACE_NO_CACHE=1
exec "$1" --profile=generic
