#pragma once

#include "io/file_writer.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace accelerant::io {

/// How Spark stores timestamps (spark.sql.parquet.outputTimestampType).
enum class TimestampStorage : uint8_t { Int96, Micros, Millis };

/// How the pages of a file are compressed.
enum class WriteCodec : uint8_t { Uncompressed, Snappy, Gzip, Lz4, Zstd };

/// Says why a setting keeps the engine from writing a file; empty when it does not.
std::string reason_against_write_setting(std::string_view name, std::string_view value);

/// What Spark's settings say of a Parquet file; the values here are the defaults of Spark and parquet-mr.
struct ParquetWriteOptions {
  WriteCodec codec = WriteCodec::Snappy;
  TimestampStorage timestamps = TimestampStorage::Int96;
  bool legacy_decimals = false;  ///< all in bytes, none as integers
  bool dictionary = true;
  bool page_checksums = true;
  int64_t row_group_bytes = 128 << 20;  ///< compressed
  int64_t row_group_rows = INT32_MAX;
  int64_t page_bytes = 1 << 20;
  int64_t page_rows = 20'000;
  int64_t dictionary_page_bytes = 1 << 20;
  /// Key-value metadata of the file.
  std::vector<std::pair<std::string, std::string>> metadata;

  /// Reads a write's settings.
  /// @throws Error Unsupported naming a setting that is not honoured
  static ParquetWriteOptions parse(const WriteSpec& spec);
};

}  // namespace accelerant::io
