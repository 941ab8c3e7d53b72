#include "api/captured_files.h"

#include "base/error.h"

#include <gtest/gtest.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstdio>
#include <filesystem>

namespace accelerant::api {
namespace {

/// A file in a fresh folder that is removed with it.
class File {
 public:
  explicit File(const std::string& bytes) {
    std::string folder = (std::filesystem::temp_directory_path() / "accelerant-XXXXXX").string();
    folder_ = mkdtemp(folder.data());
    write(bytes);
  }
  ~File() { std::filesystem::remove_all(folder_); }

  void write(const std::string& bytes) {
    std::FILE* file = std::fopen(path().c_str(), "w");
    std::fwrite(bytes.data(), 1, bytes.size(), file);
    std::fclose(file);
  }
  std::string path() const { return folder_ + "/a file"; }
  const std::string& folder() const { return folder_; }

 private:
  std::string folder_;
};

uint64_t hash(const std::string& text) { return XXH64(text.data(), text.size(), 0); }

std::string check_error(const plan::CapturedFile& file, const PathMap& paths) {
  try {
    check_files({file}, paths);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::User);
    return error.message();
  }
  return "";
}

TEST(CapturedFiles, HashesTheFooterOfAParquetFile) {
  const std::string footer = std::string("footer") + std::string("\x06\0\0\0", 4) + "PAR1";
  const File file("PAR1 much data " + footer);
  EXPECT_EQ(tail_hash(file.path(), 15 + 14), hash(footer));
}

TEST(CapturedFiles, HashesTheEndOfOtherFiles) {
  const std::string small = "short";
  const std::string large(10000, 'x');
  const std::string lying = std::string(10, 'y') + std::string("\xff\xff\0\0", 4) + "PAR1";
  for (const std::string& bytes : {std::string(), small, large, lying}) {
    const File file(bytes);
    const std::string tail = bytes.size() > 8192 ? bytes.substr(bytes.size() - 8192) : bytes;
    EXPECT_EQ(tail_hash(file.path(), static_cast<int64_t>(bytes.size())), hash(tail)) << bytes.size();
  }
}

TEST(CapturedFiles, FindsChanges) {
  File file("0123456789");
  const PathMap paths({{"/captured", file.folder()}});
  plan::CapturedFile captured{"file:///captured/a%20file", 10, 0, hash("0123456789")};
  EXPECT_EQ(check_error(captured, paths), "");
  file.write("012345678X");
  EXPECT_NE(check_error(captured, paths).find("its footer is not"), std::string::npos);
  captured.tail_hash.reset();
  EXPECT_EQ(check_error(captured, paths), "");
  file.write("012345678");
  EXPECT_NE(check_error(captured, paths).find("it had 10 bytes, now it has 9"), std::string::npos);
  EXPECT_NE(check_error(captured, PathMap({})).find("--map OLD=NEW"), std::string::npos);
}

TEST(PathMap, MapsPrefixes) {
  const PathMap paths({{"file:///data/a", "/x"}, {"/data", "file:///y"}, {"s3a://bucket", "/z"}});
  EXPECT_EQ(paths.local("file:///data/a/b%20c.parquet"), "/x/b c.parquet");
  EXPECT_EQ(paths.local("file:/data/other"), "/y/other");
  EXPECT_EQ(paths.local("s3a://bucket/t/f.parquet"), "/z/t/f.parquet");
  EXPECT_EQ(paths.local("file:///elsewhere"), "/elsewhere");
  EXPECT_THROW(paths.local("hdfs://host/data"), Error);
}

TEST(ReadFile, NamesWhatItCannotRead) { EXPECT_THROW(read_file("/no/such/file"), Error); }

}  // namespace
}  // namespace accelerant::api
