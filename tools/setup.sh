#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what building, testing and running Millrace needs on Debian 12.
# With sudo when not root; does nothing when everything is there.
set -euo pipefail

packages=(
  # Bazel and the rule sets that it would otherwise download.
  bazel-bootstrap bazel-rules-java bazel-rules-proto bazel-rules-cc bazel-platforms bazel-skylib
  # The compiler: LLVM and MLIR; Clang for the code and for checking emitted sources, with the
  # run-time libraries of its sanitizers and of libFuzzer.
  clang-22 libclang-rt-22-dev lld-22 llvm-22-dev llvm-22-tools libmlir-22-dev mlir-22-tools
  # The libraries of third_party/repositories.bzl.
  libabsl-dev libeigen3-dev libflatbuffers-dev flatbuffers-compiler nlohmann-json3-dev libpcre2-dev
  libutf8proc-dev
  libgtest-dev libgmock-dev libbenchmark-dev
  # OpenCL: headers, the loader, a CPU device, and a checker.
  opencl-headers ocl-icd-libopencl1 pocl-opencl-icd oclgrind
  python3 git
)

is_installed() {
  [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

if ! command -v dpkg-query >/dev/null; then
  echo "tools/setup.sh: this is not a Debian system; install by hand what third_party/README.md lists" >&2
  exit 0
fi

missing=()
for package in "${packages[@]}"; do
  is_installed "$package" || missing+=("$package")
done
if [ ${#missing[@]} -eq 0 ]; then
  exit 0
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || {
    echo "tools/setup.sh: neither root nor sudo; install by hand: ${missing[*]}" >&2
    exit 1
  }
  as_root=(sudo)
fi
echo "tools/setup.sh: installing ${missing[*]}" >&2
export DEBIAN_FRONTEND=noninteractive
"${as_root[@]}" apt-get update -q
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}"
