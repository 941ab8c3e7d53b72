#include "spill/disk_faults.h"

#include "spill/file_system.h"

#include <gtest/gtest.h>

#include <array>
#include <cerrno>
#include <memory>
#include <variant>

namespace accelerant::spill {
namespace {

using Bytes = std::array<uint8_t, 4>;
constexpr Bytes kWritten = {1, 2, 3, 4};

class DiskFaultsTest : public testing::Test {
 protected:
  int64_t write() { return file_->write(0, kWritten.data(), kWritten.size()); }
  Bytes read() {
    Bytes bytes{};
    EXPECT_EQ(file_->read(0, bytes.data(), bytes.size()), 4);
    return bytes;
  }

  const std::unique_ptr<File> file_ =
      std::get<std::unique_ptr<File>>(local_file_system().open_nameless(testing::TempDir()));
};

TEST_F(DiskFaultsTest, IsFullFromAWriteOn) {
  const DiskFaults faults({.full_from_write = 1});
  EXPECT_EQ(write(), 4);
  for (int i = 0; i < 2; ++i) EXPECT_EQ(write(), -ENOSPC);
  EXPECT_EQ(faults.num_writes(), 3);
  EXPECT_EQ(faults.num_struck(), 2);
}

TEST_F(DiskFaultsTest, FlipsABitOfOneRead) {
  {
    const DiskFaults faults({.flipped_read = 1});
    EXPECT_EQ(write(), 4);
    EXPECT_EQ(read(), kWritten);
    EXPECT_NE(read(), kWritten);
    EXPECT_EQ(read(), kWritten);
    EXPECT_EQ(faults.num_reads(), 3);
    EXPECT_EQ(faults.num_struck(), 1);
  }
  EXPECT_EQ(write(), 4);
}

}  // namespace
}  // namespace accelerant::spill
