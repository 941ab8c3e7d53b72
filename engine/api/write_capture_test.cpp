#include "api/write_capture.h"

#include "api/captured_files.h"
#include "base/error.h"
#include "plan/capture.h"
#include "plan/message_writer.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace accelerant::api {
namespace {

namespace fs = std::filesystem;

class WrittenCapture : public testing::Test {
 protected:
  WrittenCapture() {
    std::string folder = (fs::temp_directory_path() / "accelerant-XXXXXX").string();
    folder_ = mkdtemp(folder.data());
  }
  ~WrittenCapture() override { fs::remove_all(folder_); }

  /// Returns a splits message of one scan that reads files in pieces of 5 bytes.
  static std::vector<uint8_t> splits_of(const std::vector<std::string>& paths) {
    plan::MessageWriter out;
    out.raw("ACCS");
    out.varint(kSplitsVersion);
    out.varint(1);  // scans
    out.varint(0);  // plan node
    out.varint(1);  // partitions
    out.varint(paths.size());
    for (const std::string& path : paths) {
      out.text(path);
      for (const uint64_t number : {0, 5, 10}) out.varint(number);
      out.svarint(1'700'000'000'000);
      out.varint(0);  // partition values
    }
    return out.take();
  }

  std::string folder() const { return folder_ + "/new/captures"; }
  static constexpr uint64_t kSplitsVersion = 1;

  std::string folder_;
  const std::vector<uint8_t> plan_ = {1, 2, 3};
};

TEST_F(WrittenCapture, IsWhatAReaderReads) {
  std::ofstream(folder_ + "/a\tb") << "0123456789";
  const std::string path = "file://" + folder_ + "/a%09b";
  const auto splits = splits_of({path, path, "hdfs://elsewhere/c"});
  write_capture(folder(), "17", {plan_, splits, "threads=2\n", "spark.version=4.3.0\nx=a\\\\b\n", "rows=3\nhash=ff\n"});
  ASSERT_EQ(std::distance(fs::directory_iterator(folder()), {}), 1);
  const fs::path file = fs::directory_iterator(folder())->path();
  EXPECT_TRUE(file.filename().string().starts_with("query-17-")) << file;
  EXPECT_EQ(fs::status(file).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  const plan::Capture capture = plan::decode_capture(read_file(file));
  EXPECT_EQ(capture.plan, plan_);
  EXPECT_EQ(capture.splits, splits);
  EXPECT_EQ(capture.options, "threads=2\n");
  EXPECT_EQ(capture.setting("x"), "a\\b");
  EXPECT_EQ(capture.answer.rows, 3);
  ASSERT_EQ(capture.files.size(), 2);
  EXPECT_EQ(capture.files[0].path, path);
  EXPECT_EQ(capture.files[0].size_bytes, 10);
  EXPECT_EQ(capture.files[0].modification_millis, 1'700'000'000'000);
  EXPECT_NO_THROW(check_files({capture.files[0]}, PathMap({})));
  EXPECT_EQ(capture.files[1].tail_hash, std::nullopt);
}

TEST_F(WrittenCapture, LeavesNothingWhereItCantGetItsName) {
  write_capture(folder(), "17", {plan_, splits_of({}), "", "", ""});
  const fs::path file = fs::directory_iterator(folder())->path();
  fs::remove(file);
  fs::create_directories(file / "in the way");
  EXPECT_THROW(write_capture(folder(), "17", {plan_, splits_of({}), "", "", ""}), Error);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder()), {}), 1);
}

TEST_F(WrittenCapture, NamesAFolderThatCantBeWrittenTo) {
  std::ofstream(folder_ + "/new") << "a file";
  try {
    write_capture(folder(), "none", {plan_, splits_of({}), "", "", ""});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Resource);
    EXPECT_NE(error.message().find(folder()), std::string::npos) << error.message();
  }
}

}  // namespace
}  // namespace accelerant::api
