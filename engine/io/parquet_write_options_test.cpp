#include "io/parquet_write_options.h"

#include "base/error.h"

#include <gtest/gtest.h>

#include <string>

namespace accelerant::io {
namespace {

using Settings = std::map<std::string, std::string>;

/// Returns why a write with these settings is refused, or nothing.
std::string refusal(const Settings& settings) {
  try {
    ParquetWriteOptions::parse({{}, "4.3.0", settings});
    return "";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Unsupported);
    return error.message();
  }
}

TEST(ParquetWriteOptions, HaveSparksDefaults) {
  const auto options = ParquetWriteOptions::parse({{}, "4.3.0-SNAPSHOT", {}});
  EXPECT_EQ(options.codec, WriteCodec::Snappy);
  EXPECT_EQ(options.timestamps, TimestampStorage::Int96);
  EXPECT_EQ(options.row_group_bytes, 128 << 20);
  ASSERT_EQ(options.metadata.size(), 1u);
  EXPECT_EQ(options.metadata[0], std::make_pair(std::string("org.apache.spark.version"), std::string("4.3.0")));
}

TEST(ParquetWriteOptions, AreReadFromSettings) {
  const auto options = ParquetWriteOptions::parse({{},
                                                   "4.3.0",
                                                   {{"parquet.compression", "lz4_raw"},
                                                    {"parquet.block.size", "1000"},
                                                    {"parquet.enable.dictionary", "False"},
                                                    {"spark.sql.parquet.outputTimestampType", "TIMESTAMP_MILLIS"},
                                                    {"spark.sql.parquet.writeLegacyFormat", "true"},
                                                    {"org.apache.spark.sql.parquet.row.attributes", "{}"}}});
  EXPECT_EQ(options.codec, WriteCodec::Lz4);
  EXPECT_EQ(options.row_group_bytes, 1000);
  EXPECT_FALSE(options.dictionary);
  EXPECT_EQ(options.timestamps, TimestampStorage::Millis);
  EXPECT_TRUE(options.legacy_decimals);
  EXPECT_EQ(options.metadata.back().first, "org.apache.spark.sql.parquet.row.metadata");
}

TEST(ParquetWriteOptions, RefuseWhatIsNotHonoured) {
  EXPECT_EQ(refusal({}), "");
  EXPECT_EQ(refusal({{"compression", "x"}, {"spark.sql.parquet.mergeSchema", "true"}}), "");
  EXPECT_EQ(refusal({{"parquet.unheard.of", "1"}}), "write setting parquet.unheard.of=1");
  EXPECT_EQ(refusal({{"parquet.compression", "LZO"}}), "write setting parquet.compression=LZO");
  EXPECT_EQ(refusal({{"parquet.compression", "lz4"}}), "write setting parquet.compression=lz4");
  EXPECT_EQ(refusal({{"parquet.block.size", "128m"}}), "write setting parquet.block.size=128m");
  EXPECT_EQ(refusal({{"parquet.block.size", "0"}}), "write setting parquet.block.size=0");
  EXPECT_EQ(refusal({{"parquet.writer.version", "v2"}}), "write setting parquet.writer.version=v2");
  EXPECT_EQ(refusal({{"zlib.compress.level", "BEST_SPEED"}}), "write setting zlib.compress.level=BEST_SPEED");
  EXPECT_EQ(refusal({{"org.apache.spark.sql.parquet.row.attributes", R"({"metadata":{"parquet.field.id":1}})"}}),
            "write setting field ids of columns");
}

}  // namespace
}  // namespace accelerant::io
