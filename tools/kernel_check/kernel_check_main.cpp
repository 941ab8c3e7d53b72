// accelerant-kernel-check: compiles texts of generated kernels for GPUs as the engine does, and says what they take.
#include "base/error.h"
#include "base/notices.h"
#include "codegen/cuda_text.h"
#include "device/cuda/runtime_compiler.h"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

using namespace accelerant;

codegen::KernelText read_text(const std::filesystem::path& path) {
  std::ifstream file(path);
  codegen::KernelText text;
  text.name = path.stem();
  text.text = {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  return text;
}

/// Where machine code is left; empty: nowhere.
using Output = std::filesystem::path;

/// Prints a line for people and programs, with the CPU time that it took, and what the assembler says.
void compile(const device::cuda::RuntimeCompiler& compiler, const codegen::KernelText& text, int architecture,
             const Output& output) {
  const std::clock_t start = std::clock();
  const auto code = device::cuda::compile(compiler, codegen::cuda_program(text), architecture, {"--ptxas-options=-v"});
  const double milliseconds = 1e3 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  std::printf("kernel %s sm_%d %.0f ms %zu bytes\n%s\n", text.name.c_str(), architecture, milliseconds,
              code.bytes.size(), code.log.c_str());
  if (output.empty()) return;
  const Output path = output / (text.name + ".sm_" + std::to_string(architecture) + ".cubin");
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(code.bytes.data()), static_cast<std::streamsize>(code.bytes.size()));
  file.close();
  if (!file) throw Error(ErrorKind::User, path.string() + " can't be written");
}

void run(const std::string& nvrtc, const std::filesystem::path& texts, const Output& output,
         const std::vector<int>& architectures) {
  auto opened = device::cuda::open_runtime_compiler(nvrtc);
  if (const auto* missing = std::get_if<device::cuda::Unavailable>(&opened)) {
    throw Error(ErrorKind::Resource, missing->reason);
  }
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(texts)) paths.push_back(entry.path());
  std::ranges::sort(paths);
  for (const int architecture : architectures) {
    for (const std::filesystem::path& path : paths) {
      compile(std::get<device::cuda::RuntimeCompiler>(opened), read_text(path), architecture, output);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  constexpr int kFirstArchitecture = 4;
  if (argc <= kFirstArchitecture) {
    std::fputs(
        "usage: accelerant-kernel-check NVRTC TEXTS OUTPUT ARCHITECTURE...\n"
        "  TEXTS         a folder of kernels that ACCELERANT_KERNELS had tests leave\n"
        "  OUTPUT        a folder for machine code; \"\": none is kept\n"
        "  ARCHITECTURE  e.g. 90 for sm_90\n",
        stderr);
    return 2;
  }
  int status = 1;
  try {
    std::vector<int> architectures;
    for (int i = kFirstArchitecture; i < argc; ++i) architectures.push_back(std::stoi(argv[i]));
    run(argv[1], argv[2], argv[3], architectures);
    status = 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "accelerant-kernel-check: %s\n", error.what());
  }
  for (const std::string& notice : take_notices()) {
    std::fprintf(stderr, "accelerant-kernel-check: %s\n", notice.c_str());
  }
  return status;
}
