#include "io/write_format.h"

#include "base/error.h"
#include "columns/test_columns.h"
#include "io/test_files.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <string>

namespace accelerant::io {
namespace {

using types::DataType;
using types::TypeId;

const WriteFormat& parquet() {
  return *find_write_format("org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat");
}

/// Returns why files can't be written to a folder with these settings, or nothing.
std::string refusal(const std::map<std::string, std::string>& settings, const std::string& folder = "file:/tmp/t") {
  try {
    check_write(parquet(), {{}, "4.3.0", settings}, folder);
    return "";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Unsupported);
    return error.message();
  }
}

TEST(WriteFormat, IsFoundBySparksClass) {
  EXPECT_EQ(find_write_format("org.apache.spark.sql.execution.datasources.orc.OrcFileFormat"), nullptr);
  EXPECT_TRUE(parquet().can_write(DataType::array(DataType(TypeId::Date), true)));
  EXPECT_FALSE(parquet().can_write(DataType::array(DataType(TypeId::CalendarInterval), true)));
}

TEST(WriteFormat, OpensFilesOfItsOwn) {
  const test::TemporaryFile file("");
  parquet().open({{{"a", DataType(TypeId::Int)}}, "4.3.0", {}}, file.uri(), columns::test::unlimited())->close();
  std::ifstream written(file.path(), std::ios::binary);
  std::string magic(4, ' ');
  written.read(magic.data(), 4);
  EXPECT_EQ(magic, "PAR1");
}

TEST(CheckWrite, RefusesWhatTheFormatDoesNotHonour) {
  EXPECT_EQ(refusal({{"compression", "x"}}), "");
  EXPECT_EQ(refusal({{"parquet.unheard.of", "1"}}), "write setting parquet.unheard.of=1");
}

TEST(CheckWrite, RefusesOtherFileSystems) {
  EXPECT_NE(refusal({}, "hdfs://host/t").find("filesystem of hdfs://host/t"), std::string::npos);
  EXPECT_NE(refusal({}, "file://elsewhere/t").find("a host"), std::string::npos);
}

}  // namespace
}  // namespace accelerant::io
