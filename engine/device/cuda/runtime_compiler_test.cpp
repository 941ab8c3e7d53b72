#include "device/cuda/runtime_compiler.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace accelerant::device::cuda
