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

  /// Returns the content of the file that is found, "" where there is none.
  static std::string found(const KernelLibrary& library, const std::string& name, int32_t architecture) {
    const auto code = library.find(name, architecture).value_or(std::vector<uint8_t>());
    return {code.begin(), code.end()};
  }

  /// Writes a program with something at its end.
  fs::path program(const std::string& end) const {
    std::ofstream(folder_ / "program", std::ios::binary) << "a program" << end;
    return folder_ / "program";
  }
  /// Attaches two files, whose index begins at a byte.
  static std::string attached(uint64_t begin, const std::string& index) {
    std::string end = "ninetyeighty" + index;
    for (int byte = 0; byte < 8; ++byte) end += static_cast<char>(begin >> (8 * byte));
    return end + "ACCKERN1";
  }

  fs::path folder_;
};

TEST_F(KernelLibraryTest, FindsTheLatestCodeThatAGpuRuns) {
  const KernelLibrary library(folder_);
  EXPECT_EQ(found(library, "kernels", 75), "75");
  EXPECT_EQ(found(library, "kernels", 80), "80");
  EXPECT_EQ(found(library, "kernels", 89), "80");
  EXPECT_EQ(found(library, "kernels", 90), "90");
  EXPECT_EQ(library.place(), "folder " + folder_.string());
}

TEST_F(KernelLibraryTest, FindsNothing) {
  for (const int32_t architecture : {72, 100, 120}) {
    EXPECT_EQ(KernelLibrary(folder_).find("kernels", architecture), std::nullopt);
  }
  EXPECT_EQ(KernelLibrary(folder_ / "none").find("kernels", 90), std::nullopt);
}

TEST_F(KernelLibraryTest, FindsWhatIsAttachedToAProgram) {
  const auto library =
      KernelLibrary::attached_to(program(attached(21, "kernels.sm_90.cubin 9 6\nrows.sm_80.cubin 15 6\n")));
  ASSERT_TRUE(library);
  EXPECT_EQ(found(*library, "kernels", 90), "ninety");
  EXPECT_EQ(found(*library, "rows", 86), "eighty");
  EXPECT_EQ(found(*library, "rows", 90), "");
  EXPECT_EQ(library->place(), "this program");
}

TEST_F(KernelLibraryTest, FindsNothingAttachedToOtherPrograms) {
  EXPECT_FALSE(KernelLibrary::attached_to(folder_ / "none"));
  for (const std::string& end : {std::string(), std::string("ACCKERN1"), attached(21, ""), attached(1'000, "a 9 6\n"),
                                 attached(~uint64_t{0}, "a 9 6\n"), attached(21, "a 9 600\n"), attached(21, "a -9 6\n"),
                                 attached(21, "a 9223372036854775807 6\n")}) {
    EXPECT_FALSE(KernelLibrary::attached_to(program(end))) << end;
  }
}

}  // namespace
}  // namespace accelerant::device::cuda
