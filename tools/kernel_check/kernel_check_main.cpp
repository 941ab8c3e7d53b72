// accelerant-kernel-check: compiles texts of generated kernels for GPUs as the engine does, and says what they take.
#include "base/error.h"
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

/// Prints a line for people and programs, with the CPU time that it took, and what the assembler says.
void compile(const device::cuda::RuntimeCompiler& compiler, const codegen::KernelText& text, int architecture) {
  const std::clock_t start = std::clock();
  const auto code = device::cuda::compile(compiler, codegen::cuda_program(text), architecture, {"--ptxas-options=-v"});
  const double milliseconds = 1e3 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  std::printf("kernel %s sm_%d %.0f ms %zu bytes\n%s\n", text.name.c_str(), architecture, milliseconds,
              code.bytes.size(), code.log.c_str());
}

int run(const std::vector<std::string>& words) {
  auto opened = device::cuda::open_runtime_compiler(words.at(0));
  if (const auto* missing = std::get_if<device::cuda::Unavailable>(&opened)) {
    throw Error(ErrorKind::Resource, missing->reason);
  }
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(words.at(1))) paths.push_back(entry.path());
  std::ranges::sort(paths);
  for (size_t i = 2; i < words.size(); ++i) {
    for (const std::filesystem::path& path : paths) {
      compile(std::get<device::cuda::RuntimeCompiler>(opened), read_text(path), std::stoi(words[i]));
    }
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fputs("usage: accelerant-kernel-check NVRTC FOLDER ARCHITECTURE...\n", stderr);
    return 2;
  }
  try {
    return run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "accelerant-kernel-check: %s\n", error.what());
    return 1;
  }
}
