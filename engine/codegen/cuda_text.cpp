#include "codegen/cuda_text.h"

#include "codegen/embedded_headers.h"

namespace accelerant::codegen {

device::cuda::CudaProgram cuda_program(const KernelText& text) {
  const std::string kernel = "accelerant::generated::" + text.name;
  device::cuda::CudaProgram program;
  program.name = text.name;
  program.headers = embedded_headers();
  // As many threads as a multiprocessor of any supported GPU holds, so that each has the registers that leaves.
  program.source = "#include \"device/cuda/threads.cuh\"\n" + text.text +
                   "extern \"C\" __global__ void __launch_bounds__(" + kernel + "::kThreads, 1024 / " + kernel +
                   "::kThreads) " + text.name + "(const __grid_constant__ " + kernel +
                   "::Arguments arguments) {\n  using Block = accelerant::device::cuda::Threads<" + kernel +
                   "::kThreads>;\n  __shared__ " + kernel + "::Shared<Block> shared;\n  Block block;\n  " + kernel +
                   "::run(block, shared, arguments);\n}\n";
  return program;
}

}  // namespace accelerant::codegen
