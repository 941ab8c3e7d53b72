#include "device/cuda/kernel_library.h"

#include <fstream>
#include <iterator>
#include <string>

namespace accelerant::device::cuda {

namespace fs = std::filesystem;

std::variant<std::vector<uint8_t>, Unavailable> read_kernel_library(const fs::path& folder, int32_t architecture) {
  for (int32_t built = architecture; built >= architecture - architecture % 10; --built) {
    std::ifstream file(folder / ("kernels.sm_" + std::to_string(built) + ".cubin"), std::ios::binary);
    std::vector<uint8_t> code{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    if (!code.empty()) return code;
  }
  return Unavailable{"no GPU is used: folder " + folder.string() + " has no kernels for sm_" +
                     std::to_string(architecture) + "; `make gpu` compiles them"};
}

}  // namespace accelerant::device::cuda
