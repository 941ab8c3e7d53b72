#include "io/parquet_write_options.h"

#include "base/error.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <optional>

namespace accelerant::io {

namespace {

std::string upper(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), [](unsigned char c) { return std::toupper(c); });
  return result;
}

bool take_count(std::string_view text, int64_t& count) {
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), count);
  return status == std::errc() && end == text.data() + text.size() && count > 0;
}

bool take_flag(std::string_view text, bool& flag) {
  flag = upper(text) == "TRUE";
  return flag || upper(text) == "FALSE";
}

template <class T, size_t kSize>
bool take_named(std::string_view text, const std::array<std::pair<std::string_view, T>, kSize>& names, T& value) {
  const auto named = std::find_if(names.begin(), names.end(),
                                  [name = upper(text)](const auto& candidate) { return candidate.first == name; });
  if (named != names.end()) value = named->second;
  return named != names.end();
}

/// parquet-mr's names. Its LZ4 is not among them: Hadoop's readers take chunks of 256 KiB at most, which Arrow's codec
/// does not know.
constexpr std::array<std::pair<std::string_view, WriteCodec>, 6> kCodecs = {{
    {"UNCOMPRESSED", WriteCodec::Uncompressed},
    {"NONE", WriteCodec::Uncompressed},
    {"SNAPPY", WriteCodec::Snappy},
    {"GZIP", WriteCodec::Gzip},
    {"LZ4_RAW", WriteCodec::Lz4},
    {"ZSTD", WriteCodec::Zstd},
}};

constexpr std::array<std::pair<std::string_view, TimestampStorage>, 3> kTimestamps = {{
    {"INT96", TimestampStorage::Int96},
    {"TIMESTAMP_MICROS", TimestampStorage::Micros},
    {"TIMESTAMP_MILLIS", TimestampStorage::Millis},
}};

constexpr std::string_view kWriteSupport = "org.apache.spark.sql.execution.datasources.parquet.ParquetWriteSupport";
constexpr std::string_view kSchema = "org.apache.spark.sql.parquet.row.attributes";
constexpr std::string_view kSparkVersionKey = "org.apache.spark.version";
constexpr std::string_view kSchemaMetadata = "org.apache.spark.sql.parquet.row.metadata";
/// Asks for a field id, in the metadata of a column in the schema.
constexpr std::string_view kFieldId = "\"parquet.field.id\"";

/// A setting that may change files, and what it says of them; false for a value that is not honoured.
struct Setting {
  std::string_view name;
  bool (*take)(std::string_view value, ParquetWriteOptions& options);
};

constexpr Setting kSettings[] = {
    {"parquet.compression", [](auto value, auto& options) { return take_named(value, kCodecs, options.codec); }},
    {"parquet.block.size", [](auto value, auto& options) { return take_count(value, options.row_group_bytes); }},
    {"parquet.block.row.count.limit",
     [](auto value, auto& options) { return take_count(value, options.row_group_rows); }},
    {"parquet.page.size", [](auto value, auto& options) { return take_count(value, options.page_bytes); }},
    {"parquet.page.row.count.limit", [](auto value, auto& options) { return take_count(value, options.page_rows); }},
    {"parquet.page.write-checksum.enabled",
     [](auto value, auto& options) { return take_flag(value, options.page_checksums); }},
    {"parquet.dictionary.page.size",
     [](auto value, auto& options) { return take_count(value, options.dictionary_page_bytes); }},
    {"parquet.enable.dictionary", [](auto value, auto& options) { return take_flag(value, options.dictionary); }},
    {"spark.sql.parquet.outputTimestampType",
     [](auto value, auto& options) { return take_named(value, kTimestamps, options.timestamps); }},
    {"spark.sql.parquet.writeLegacyFormat",
     [](auto value, auto& options) { return take_flag(value, options.legacy_decimals); }},
    {kSchema,
     [](auto value, auto& options) {
       options.metadata.emplace_back(kSchemaMetadata, value);
       return value.find(kFieldId) == value.npos;
     }},

    // One value.
    {"parquet.bloom.filter.enabled", [](auto value, auto&) { return upper(value) == "FALSE"; }},
    {"parquet.validation", [](auto value, auto&) { return upper(value) == "FALSE"; }},
    {"parquet.write.support.class", [](auto value, auto&) { return value == kWriteSupport; }},
    {"parquet.writer.version", [](auto value, auto&) { return upper(value) == "PARQUET_1_0" || value == "v1"; }},
    {"zlib.compress.level", [](auto value, auto&) { return value == "DEFAULT_COMPRESSION"; }},

    // Of committers, which are Spark's.
    {"parquet.enable.summary-metadata", [](auto, auto&) { return true; }},
    {"parquet.summary.metadata.level", [](auto, auto&) { return true; }},
};

std::string describe(std::string_view name, std::string_view value) {
  if (name == kSchema) return "field ids of columns";
  return std::string(name) + "=" + std::string(value);
}

/// Reads one setting, or says why that can't be done.
std::string take_setting(std::string_view name, std::string_view value, ParquetWriteOptions& options) {
  const auto* setting = std::find_if(std::begin(kSettings), std::end(kSettings),
                                     [name](const Setting& candidate) { return candidate.name == name; });
  const bool honoured = setting == std::end(kSettings) ? !name.starts_with("parquet.") : setting->take(value, options);
  return honoured ? "" : "write setting " + describe(name, value);
}

}  // namespace

std::string reason_against_write_setting(std::string_view name, std::string_view value) {
  ParquetWriteOptions options;
  return take_setting(name, value, options);
}

ParquetWriteOptions ParquetWriteOptions::parse(const WriteSpec& spec) {
  ParquetWriteOptions options;
  // Without what may follow the three numbers, as Spark writes it.
  options.metadata.emplace_back(kSparkVersionKey, spec.spark_version.substr(0, spec.spark_version.find('-')));
  for (const auto& [name, value] : spec.settings) {
    const std::string reason = take_setting(name, value, options);
    if (!reason.empty()) throw_unsupported(reason);
  }
  return options;
}

}  // namespace accelerant::io
