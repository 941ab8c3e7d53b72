#include "device/code_cache.h"

#include "base/error.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

namespace accelerant::device {
namespace {

namespace fs = std::filesystem;

using Code = std::vector<uint8_t>;

class CodeCacheTest : public testing::Test {
 protected:
  CodeCacheTest() : folder_(fs::path(testing::TempDir()) / ("code_cache_test." + std::to_string(getpid()))) {
    fs::remove_all(folder_);
  }
  ~CodeCacheTest() override { fs::remove_all(folder_); }

  size_t num_files() const {
    return static_cast<size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }
  std::string refusal() const {
    try {
      const CodeCache cache(folder_);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::Resource);
      return error.message().substr(error.message().find(folder_.string()) + folder_.string().size());
    }
    return "none";
  }

  const fs::path folder_;
  const CodeKey key_{"source", "options", "compiler"};
};

TEST_F(CodeCacheTest, FindsWhatWasKeptAndNothingElse) {
  const CodeCache cache(folder_);
  EXPECT_EQ(cache.find(key_), std::nullopt);
  cache.keep(key_, Code{1, 2, 3});
  EXPECT_EQ(CodeCache(folder_).find(key_), (Code{1, 2, 3}));
  EXPECT_EQ(cache.find({"source2", "options", "compiler"}), std::nullopt);
  EXPECT_EQ(cache.find({"source", "options2", "compiler"}), std::nullopt);
  EXPECT_EQ(cache.find({"source", "options", "compiler2"}), std::nullopt);
  EXPECT_EQ(cache.find({"sourceo", "ptions", "compiler"}), std::nullopt);
  cache.keep(key_, Code{});
  EXPECT_EQ(cache.find(key_), Code{});
  EXPECT_EQ(num_files(), 1);
}

TEST_F(CodeCacheTest, FindsNothingInDamagedFiles) {
  const CodeCache cache(folder_);
  for (const size_t length : {0, 10, 16, 18}) {
    cache.keep(key_, Code{1, 2, 3});
    fs::resize_file(*fs::directory_iterator(folder_), length);
    EXPECT_EQ(cache.find(key_), std::nullopt) << length;
  }
  cache.keep(key_, Code{1, 2, 3});
  std::fstream file(fs::directory_iterator(folder_)->path(), std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(17);
  file.put('x');
  file.close();
  EXPECT_EQ(cache.find(key_), std::nullopt);
}

TEST_F(CodeCacheTest, ForgetsWhatWasNotAskedForLongest) {
  const CodeCache cache(folder_);
  const auto key = [](size_t i) { return CodeKey{std::to_string(i), "", ""}; };
  for (size_t i = 0; i < 3; ++i) {
    cache.keep(key(i), Code{1});
    for (const auto& entry : fs::directory_iterator(folder_)) {
      fs::last_write_time(entry, fs::last_write_time(entry) - std::chrono::hours(1));
    }
  }
  EXPECT_TRUE(cache.find(key(0)));
  for (size_t i = 3; i < CodeCache::kMostFiles + 1; ++i) {
    std::ofstream(folder_ / std::to_string(i)) << "another";
  }
  cache.keep(key(9), Code{1});
  EXPECT_EQ(num_files(), CodeCache::kMostFiles);
  EXPECT_TRUE(cache.find(key(0)));
  EXPECT_FALSE(cache.find(key(1)));
  EXPECT_TRUE(cache.find(key(9)));
}

TEST_F(CodeCacheTest, RefusesFoldersThatOthersMayWriteTo) {
  fs::create_directory(folder_);
  chmod(folder_.c_str(), 0770);
  EXPECT_EQ(refusal(), " can't keep machine code: others may write to it");
  chmod(folder_.c_str(), 0702);
  EXPECT_EQ(refusal(), " can't keep machine code: others may write to it");
  chmod(folder_.c_str(), 0755);
  EXPECT_EQ(refusal(), "none");
  fs::remove(folder_);
  std::ofstream(folder_) << "a file";
  EXPECT_EQ(refusal(), " can't keep machine code: it is no folder");
  fs::remove(folder_);
  fs::create_symlink(testing::TempDir(), folder_);
  EXPECT_EQ(refusal(), " can't keep machine code: it is no folder");
}

TEST_F(CodeCacheTest, MakesItsFolderForItsOwnerOnly) {
  const CodeCache cache(folder_);
  struct stat found;
  ASSERT_EQ(stat(folder_.c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777, 0700);
}

}  // namespace
}  // namespace accelerant::device
