#include "io/local_file.h"

#include "base/error.h"
#include "io/test_files.h"

#include <gtest/gtest.h>

#include <array>

namespace accelerant::io {

namespace {

TEST(LocalFile, NamesAFileThatEndsTooEarlyAsSparkDoes) {
  const test::TemporaryFile file("four");
  const LocalFile opened(file.uri());
  std::array<uint8_t, 8> bytes;
  opened.read(1, 3, bytes.data());
  EXPECT_EQ(bytes[0], 'o');
  try {
    opened.read(2, 8, bytes.data());
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Unsupported);
    EXPECT_EQ(error.error_class(), "FAILED_READ_FILE.NO_HINT");
    EXPECT_EQ(error.parameters().front().second, file.uri());
    EXPECT_NE(error.message().find("it ends before byte 10"), std::string::npos) << error.message();
  }
}

}  // namespace

}  // namespace accelerant::io
