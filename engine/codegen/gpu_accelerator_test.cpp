#include "codegen/gpu_accelerator.h"

#include "base/error.h"
#include "device/cuda/test_driver.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <thread>

namespace accelerant::codegen {
namespace {

namespace cuda = device::cuda;
namespace fs = std::filesystem;
using cuda::test::address_of;

/// What the tests' NVRTC is told, and did.
struct CompilerState {
  int status = 0;  ///< of compiling
  int num_compiled = 0;
};

CompilerState& compiler_state() {
  static CompilerState state;
  return state;
}

const char* const kSaid = "line 7 is wrong";

/// Returns an NVRTC that makes four bytes of every program.
cuda::RuntimeCompiler test_compiler() {
  static const std::map<std::string, void*> kFunctions = {
      {"nvrtcCreateProgram", address_of(+[](void** program, const char*, const char*, int, const char**, const char**) {
         *program = &compiler_state();
         return 0;
       })},
      {"nvrtcDestroyProgram", address_of(+[](void**) { return 0; })},
      {"nvrtcCompileProgram", address_of(+[](void*, int, const char**) {
         ++compiler_state().num_compiled;
         return compiler_state().status;
       })},
      {"nvrtcGetCUBINSize", address_of(+[](void*, size_t* size) {
         *size = 4;
         return 0;
       })},
      {"nvrtcGetCUBIN", address_of(+[](void*, char* code) {
         std::memcpy(code, "code", 4);
         return 0;
       })},
      {"nvrtcGetProgramLogSize", address_of(+[](void*, size_t* size) {
         *size = std::strlen(kSaid) + 1;
         return 0;
       })},
      {"nvrtcGetProgramLog", address_of(+[](void*, char* log) {
         std::strcpy(log, kSaid);
         return 0;
       })},
  };
  const auto find = [](const char* name) {
    const auto found = kFunctions.find(name);
    return found == kFunctions.end() ? nullptr : found->second;
  };
  return {find, 13'050};
}

class GpuAcceleratorTest : public testing::Test {
 protected:
  GpuAcceleratorTest() {
    cuda::test::state() = {};
    compiler_state() = {};
    std::string name = (fs::temp_directory_path() / "gpu-accelerator-XXXXXX").string();
    folder_ = mkdtemp(name.data());
    std::ofstream(folder_ / "kernels.sm_90.cubin") << "kernels";
  }
  ~GpuAcceleratorTest() override {
    fs::remove_all(folder_);
    EXPECT_TRUE(cuda::test::state().memory.empty()) << "memory of the GPU was not freed";
  }

  using Opened = std::variant<std::shared_ptr<Accelerator>, Unavailable>;

  Opened start(std::map<std::string, void*> functions = cuda::test::functions()) const {
    return start_gpu({cuda::test::driver_of(std::move(functions)), test_compiler(), cuda::KernelLibrary(folder_),
                      folder_ / "cache"});
  }

  static std::shared_ptr<Accelerator> gpu_of(const Opened& opened) {
    const auto* unavailable = std::get_if<Unavailable>(&opened);
    EXPECT_EQ(unavailable, nullptr) << unavailable->reason;
    return std::get<std::shared_ptr<Accelerator>>(opened);
  }

  static std::shared_ptr<const CompiledKernel> wait_for(Accelerator& gpu, const KernelText& text) {
    for (;;) {
      if (auto kernel = gpu.compiler().find(text)) return kernel;
      std::this_thread::yield();
    }
  }

  static long num_loaded() { return std::ranges::count(cuda::test::state().calls, "load module"); }

  fs::path folder_;
};

const KernelText kText{"known_kernel", "struct known_kernel {};\n"};

TEST_F(GpuAcceleratorTest, CompilesLoadsAndLaunches) {
  const auto gpu = gpu_of(start());
  EXPECT_EQ(gpu->name(), "Test GPU");
  EXPECT_EQ(gpu->description(), "Test GPU (sm_90), driver for CUDA 13.5, NVRTC 13.5");
  const auto kernel = wait_for(*gpu, kText);
  EXPECT_EQ(num_loaded(), 2);
  const auto stream = gpu->device().create_stream(memory::process_budget());
  const int64_t argument = 5;
  stream->launch(kernel->entry(), 3, &argument);
  EXPECT_EQ(cuda::test::state().calls.back(), "launch kernel of 3 on stream");
  EXPECT_EQ(cuda::test::state().launched_threads, 256);
}

TEST_F(GpuAcceleratorTest, LoadsAtOnceWhatAnotherCompiled) {
  { wait_for(*gpu_of(start()), kText); }
  const auto gpu = gpu_of(start());
  EXPECT_NE(gpu->compiler().find(kText), nullptr);
  EXPECT_EQ(compiler_state().num_compiled, 1);
}

TEST_F(GpuAcceleratorTest, DoesWithoutAFolderThatOthersMayWriteTo) {
  fs::create_directory(folder_ / "cache");
  fs::permissions(folder_ / "cache", fs::perms::all);
  for (int i = 1; i <= 2; ++i) {
    wait_for(*gpu_of(start()), kText);
    EXPECT_EQ(compiler_state().num_compiled, i);
  }
  EXPECT_TRUE(fs::is_empty(folder_ / "cache"));
}

TEST_F(GpuAcceleratorTest, ThrowsWhatTheCompilerSays) {
  compiler_state().status = 6;
  const auto gpu = gpu_of(start());
  try {
    wait_for(*gpu, kText);
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Internal);
    EXPECT_EQ(error.message(), "known_kernel: nvrtcCompileProgram failed with status 6\nline 7 is wrong");
  }
}

TEST_F(GpuAcceleratorTest, RunsWhatWasCompiledBeforeWithoutNvrtc) {
  std::ofstream(folder_ / "known_kernel.sm_90.cubin") << "code";
  const auto gpu = gpu_of(
      start_gpu({cuda::test::driver_of(cuda::test::functions()), std::nullopt, cuda::KernelLibrary(folder_), ""}));
  EXPECT_EQ(gpu->description(), "Test GPU (sm_90), driver for CUDA 13.5, no NVRTC");
  EXPECT_NE(gpu->compiler().find(kText), nullptr);
  EXPECT_EQ(num_loaded(), 2);
  try {
    wait_for(*gpu, {"other_kernel", "struct other_kernel {};\n"});
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "folder " + folder_.string() +
                                   " has no machine code of kernel other_kernel for sm_90, and there is no NVRTC");
  }
}

TEST_F(GpuAcceleratorTest, NamesMissingKernels) {
  cuda::test::state().architecture = 120;
  EXPECT_EQ(std::get<Unavailable>(start()).reason,
            "no GPU is used: folder " + folder_.string() + " has no kernels for sm_120; `make gpu` compiles them");
}

/// The calls by which a GPU is opened; others come later or tell nothing.
const std::set<std::string> kCallsOfOpening = {
    "cuDeviceGet",        "cuDeviceGetName",           "cuDeviceGetAttribute",  "cuDevicePrimaryCtxRetain",
    "cuCtxSetCurrent",    "cuDeviceGetDefaultMemPool", "cuMemPoolSetAttribute", "cuModuleLoadData",
    "cuStreamCreate",     "cuMemAllocAsync",           "cuMemcpyHtoDAsync_v2",  "cuMemcpyDtoHAsync_v2",
    "cuStreamSynchronize"};

TEST_F(GpuAcceleratorTest, SaysInOneLineWhichCallFails) {
  for (const std::string& name : kCallsOfOpening) {
    auto functions = cuda::test::functions();
    ASSERT_TRUE(functions.contains(name));
    // Takes nothing of what it is called with, which the calling convention allows.
    functions[name] = address_of(+[]() -> cuda::Status { return 46; });
    EXPECT_EQ(std::get<Unavailable>(start(functions)).reason,
              "no GPU is used: GPU: " + name + " failed: it was told to fail");
  }
}

TEST_F(GpuAcceleratorTest, SaysInOneLineWhichFunctionIsMissing) {
  for (const auto& [name, function] : cuda::test::functions()) {
    if (name == "cuGetErrorString") continue;
    auto functions = cuda::test::functions();
    functions.erase(name);
    EXPECT_EQ(std::get<Unavailable>(start(functions)).reason, "no GPU is used: the NVIDIA driver has no " + name);
  }
}

TEST_F(GpuAcceleratorTest, OpensOnceAProcess) {
  const auto first = open_gpu();
  const auto second = open_gpu();
  ASSERT_EQ(first.index(), second.index());
  if (const auto* unavailable = std::get_if<Unavailable>(&first)) {
    EXPECT_EQ(unavailable->reason, std::get<Unavailable>(second).reason);
    EXPECT_EQ(unavailable->reason.find('\n'), std::string::npos);
  } else {
    EXPECT_EQ(gpu_of(first), gpu_of(second));
  }
}

}  // namespace
}  // namespace accelerant::codegen
