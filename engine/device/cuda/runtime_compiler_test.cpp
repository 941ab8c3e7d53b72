#include "device/cuda/runtime_compiler.h"

#include "base/error.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace accelerant::device::cuda {
namespace {

template <int kMajor, int kStatus>
int get_version(int* major, int* minor) {
  *major = kMajor;
  *minor = 5;
  return kStatus;
}

template <int kMajor, int kStatus>
std::variant<RuntimeCompiler, Unavailable> start() {
  return start_runtime_compiler([](const char*) { return reinterpret_cast<void*>(&get_version<kMajor, kStatus>); });
}

TEST(RuntimeCompiler, TellsItsVersion) { EXPECT_EQ(std::get<RuntimeCompiler>(start<13, 0>()).version, 13'050); }

TEST(RuntimeCompiler, SaysInOneLineWhyItCannotBeUsed) {
  EXPECT_EQ(std::get<Unavailable>(start<12, 0>()).reason,
            "nothing is compiled for a GPU: NVRTC is of version 12.5, needed is 13");
  EXPECT_EQ(std::get<Unavailable>(start<13, 1>()).reason,
            "nothing is compiled for a GPU: NVRTC does not tell its version");
  EXPECT_EQ(std::get<Unavailable>(open_runtime_compiler("libno_such_compiler.so")).reason,
            "nothing is compiled for a GPU: there is no NVRTC (libno_such_compiler.so: cannot open shared object file: "
            "No such file or directory)");
}

/// Opens the NVRTC that the test runner names.
class RuntimeCompilerOfWheel : public testing::Test {
 protected:
  void SetUp() override {
    const char* library = std::getenv("ACCELERANT_NVRTC");
    if (library == nullptr) GTEST_SKIP() << "ACCELERANT_NVRTC names no NVRTC";
    compiler_ = std::get<RuntimeCompiler>(open_runtime_compiler(library));
  }

  std::string failure(const CudaProgram& program, int32_t architecture = 90) const {
    try {
      compile(compiler_, program, architecture);
    } catch (const Error& error) {
      return error.message();
    }
    return "none";
  }

  RuntimeCompiler compiler_;
};

const CudaProgram kProgram{
    "a pipeline",
    R"(
#include "functions/twice.h"
extern "C" __global__ void fill(__int128* to, long long value) { to[threadIdx.x] = twice(value); })",
    {{"functions/twice.h", "__device__ inline __int128 twice(__int128 value) { return 2 * value; }"}}};

TEST_F(RuntimeCompilerOfWheel, MakesMachineCodeForEveryArchitecture) {
  for (const int32_t architecture : {75, 80, 90, 100}) {
    const std::vector<uint8_t> code = compile(compiler_, kProgram, architecture).bytes;
    ASSERT_GT(code.size(), 4);
    EXPECT_EQ(std::string(code.begin(), code.begin() + 4),
              "\x7f"
              "ELF")
        << architecture;
  }
}

TEST_F(RuntimeCompilerOfWheel, SaysWhatIsWrong) {
  CudaProgram program = kProgram;
  program.headers.clear();
  EXPECT_NE(failure(program).find("functions/twice.h"), std::string::npos) << failure(program);
  EXPECT_EQ(failure(program).find("a pipeline: nvrtcCompileProgram failed with status 6"), 0) << failure(program);
  EXPECT_NE(failure(kProgram, 60), "none");
}

TEST(RuntimeCompiler, NamesTheFunctionThatIsMissing) {
  const RuntimeCompiler compiler{[](const char*) { return nullptr; }, 13'050};
  EXPECT_THROW(compile(compiler, kProgram, 90), Error);
}

}  // namespace
}  // namespace accelerant::device::cuda
