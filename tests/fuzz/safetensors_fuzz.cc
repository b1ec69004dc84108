// SPDX-License-Identifier: Apache-2.0
//
// The reader of safetensors files, through a file in memory. The input is the
// header; its right length stands before it, some bytes of data behind it.
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "models/checkpoints/safetensors.h"

namespace {

constexpr size_t kDataBytes = 64;

// The eight bytes of the length, least significant first.
std::string LengthBytes(uint64_t size) {
  std::string bytes;
  for (int i = 0; i < 8; ++i) {
    bytes.push_back(static_cast<char>(size >> (8 * i)));
  }
  return bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string header(reinterpret_cast<const char*>(data), size);
  const std::string file =
      LengthBytes(size) + header + std::string(kDataBytes, 'x');
  const int fd = memfd_create("safetensors", 0);
  if (fd < 0 || write(fd, file.data(), file.size()) !=
                    static_cast<ssize_t>(file.size())) {
    std::abort();
  }
  const auto opened = millrace::checkpoints::SafetensorsFile::Open(
      "/proc/self/fd/" + std::to_string(fd));
  if (opened.ok()) {
    // Every byte of every tensor is there to be read.
    for (const auto& tensor : opened->tensors()) {
      for (const uint8_t byte : tensor.data) {
        if (byte != 'x') {
          std::abort();
        }
      }
    }
  }
  close(fd);
  return 0;
}
