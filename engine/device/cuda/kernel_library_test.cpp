#include "device/cuda/kernel_library.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <string>

namespace accelerant::device::cuda {
namespace {

namespace fs = std::filesystem;

class KernelLibraryTest : public testing::Test {
 protected:
  KernelLibraryTest() {
    std::string name = (fs::temp_directory_path() / "kernel-library-XXXXXX").string();
    folder_ = mkdtemp(name.data());
    for (const std::string architecture : {"75", "80", "90"}) {
      std::ofstream(folder_ / ("kernels.sm_" + architecture + ".cubin")) << architecture;
    }
  }
  ~KernelLibraryTest() override { fs::remove_all(folder_); }

  /// Returns the content of the file that is read, or the reason why there is none.
  std::string read(int32_t architecture) const {
    const auto found = read_kernel_library(folder_, architecture);
    if (const auto* missing = std::get_if<Unavailable>(&found)) return missing->reason;
    const auto& code = std::get<std::vector<uint8_t>>(found);
    return {code.begin(), code.end()};
  }

  fs::path folder_;
};

TEST_F(KernelLibraryTest, FindsTheLatestCodeThatAGpuRuns) {
  EXPECT_EQ(read(75), "75");
  EXPECT_EQ(read(80), "80");
  EXPECT_EQ(read(89), "80");
  EXPECT_EQ(read(90), "90");
}

TEST_F(KernelLibraryTest, SaysThatThereIsNone) {
  for (const int32_t architecture : {72, 100, 120}) {
    EXPECT_EQ(read(architecture), "no GPU is used: folder " + folder_.string() + " has no kernels for sm_" +
                                      std::to_string(architecture) + "; `make gpu` compiles them");
  }
}

}  // namespace
}  // namespace accelerant::device::cuda
