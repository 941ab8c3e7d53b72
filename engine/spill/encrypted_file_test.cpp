#include "spill/encrypted_file.h"

#include "spill/test_file_system.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <set>
#include <utility>

namespace accelerant::spill {
namespace {

using Bytes = std::vector<uint8_t>;

/// Keeps what lies in a file where a test can see it; of each write only some bytes are taken.
class SeenFile final : public File {
 public:
  SeenFile(Bytes& bytes, int64_t most_bytes) : bytes_(bytes), most_bytes_(most_bytes) {}

  int64_t write(int64_t offset, const uint8_t* from, int64_t num_bytes) override {
    const int64_t written = std::min(num_bytes, most_bytes_);
    bytes_.resize(std::max(bytes_.size(), static_cast<size_t>(offset + written)));
    std::copy_n(from, written, bytes_.begin() + offset);
    return written;
  }
  int64_t read(int64_t offset, uint8_t* to, int64_t num_bytes) override {
    const int64_t read = std::min({num_bytes, most_bytes_, static_cast<int64_t>(bytes_.size()) - offset});
    std::copy_n(bytes_.begin() + offset, read, to);
    return read;
  }

 private:
  Bytes& bytes_;
  const int64_t most_bytes_;
};

void write_all(File& file, int64_t offset, const Bytes& bytes) {
  for (int64_t done = 0; done < static_cast<int64_t>(bytes.size());) {
    const int64_t written = file.write(offset + done, bytes.data() + done, static_cast<int64_t>(bytes.size()) - done);
    ASSERT_GT(written, 0);
    done += written;
  }
}

Bytes read_all(File& file, int64_t offset, int64_t num_bytes) {
  Bytes bytes(static_cast<size_t>(num_bytes));
  for (int64_t done = 0; done < num_bytes;) {
    const int64_t read = file.read(offset + done, bytes.data() + done, num_bytes - done);
    if (read <= 0) break;
    done += read;
  }
  return bytes;
}

Bytes some_bytes(size_t count) {
  Bytes bytes(count);
  std::iota(bytes.begin(), bytes.end(), uint8_t{3});
  return bytes;
}

TEST(EncryptedFile, GivesBackWhatWasWrittenFromAnyPlace) {
  // More than a step, and pieces that end within a block of the cipher.
  const Bytes bytes = some_bytes(200'001);
  for (const int64_t most : {int64_t{7}, int64_t{4096}, int64_t{1} << 20}) {
    Bytes seen;
    const auto file = encrypted(std::make_unique<SeenFile>(seen, most));
    write_all(*file, 0, bytes);
    write_all(*file, 200'001, bytes);
    for (const auto& [begin, count] :
         {std::pair<int64_t, int64_t>{0, 400'002}, {1, 5}, {15, 2}, {16, 16}, {65'535, 70'000}, {200'000, 2}}) {
      Bytes expected;
      for (int64_t i = begin; i < begin + count; ++i) expected.push_back(bytes[static_cast<size_t>(i % 200'001)]);
      EXPECT_EQ(read_all(*file, begin, count), expected) << begin << " most " << most;
    }
  }
}

TEST(EncryptedFile, KeepsNothingInTheClear) {
  const Bytes zeros(100'000);
  Bytes first;
  Bytes second;
  write_all(*encrypted(std::make_unique<SeenFile>(first, 1 << 20)), 0, zeros);
  write_all(*encrypted(std::make_unique<SeenFile>(second, 1 << 20)), 0, zeros);
  ASSERT_EQ(first.size(), zeros.size());
  // Files have keys of their own, and of zeros no block of the cipher comes twice.
  EXPECT_NE(first, second);
  std::set<Bytes> blocks;
  for (auto at = first.begin(); at != first.end(); at += 16) blocks.emplace(at, at + 16);
  EXPECT_EQ(blocks.size(), zeros.size() / 16);
  // As many bits as by chance.
  int64_t ones = 0;
  for (const uint8_t byte : first) ones += std::popcount(byte);
  EXPECT_NEAR(static_cast<double>(ones), 400'000.0, 4'000.0);
}

TEST(EncryptedFile, PassesErrorsOn) {
  test::FakeFileSystem system;
  system.folders["/full"].room_bytes = 100;
  auto opened = system.open_nameless("/full");
  const auto file = encrypted(std::move(std::get<std::unique_ptr<File>>(opened)));
  const Bytes bytes = some_bytes(200);
  EXPECT_EQ(file->write(0, bytes.data(), 200), 100);
  EXPECT_EQ(file->write(100, bytes.data() + 100, 100), -ENOSPC);
  EXPECT_EQ(read_all(*file, 0, 100), Bytes(bytes.begin(), bytes.begin() + 100));
}

}  // namespace
}  // namespace accelerant::spill
