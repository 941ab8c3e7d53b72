#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

// One line a format of files that the engine reads: its name, Spark's class, and the functions of engine/io that open
// files of it (as open_files in io/scan.h) and take the options of reading them (as take_read_options).
#define ACC_FILE_FORMATS(F)                                                                               \
  F(Parquet, "org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat", open_parquet,        \
    take_parquet_options)                                                                                 \
  F(Orc, "org.apache.spark.sql.execution.datasources.orc.OrcFileFormat", open_orc, take_orc_options)      \
  F(Text, "org.apache.spark.sql.execution.datasources.text.TextFileFormat", open_text, take_text_options) \
  F(Csv, "org.apache.spark.sql.execution.datasources.csv.CSVFileFormat", open_csv, take_csv_options)      \
  F(Json, "org.apache.spark.sql.execution.datasources.json.JsonFileFormat", open_json, take_json_options)

namespace accelerant::io {

#define ACC_NAME_FORMAT(name, spark_class, open, take_options) name,
enum class FileFormat : uint8_t { ACC_FILE_FORMATS(ACC_NAME_FORMAT) };
#undef ACC_NAME_FORMAT

/// Returns the format that Spark reads by a class; nothing for one that the engine lacks.
constexpr std::optional<FileFormat> file_format_of(std::string_view spark_class) {
#define ACC_FIND_FORMAT(name, known_class, open, take_options) \
  if (spark_class == known_class) return FileFormat::name;
  ACC_FILE_FORMATS(ACC_FIND_FORMAT)
#undef ACC_FIND_FORMAT
  return std::nullopt;
}

/// Says whether scans of a format read members of structs on their own (`ScanColumn::members`).
constexpr bool reads_members(FileFormat format) { return format == FileFormat::Parquet; }

}  // namespace accelerant::io
