#include "io/parquet_calendar.h"

#include "base/error.h"
#include "io/contained_type.h"

#include <arrow/util/key_value_metadata.h>
#include <parquet/statistics.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace accelerant::io {

using types::DataType;
using types::TypeId;

namespace {

constexpr std::string_view kVersionKey = "org.apache.spark.version";

/// From here on both calendars count alike: from 1582-10-15 days, and in all time zones of Spark's from 1900 on
/// microseconds.
constexpr int64_t kFirstDay = -141'427;
constexpr int64_t kFirstMicros = -2'208'988'800'000'000;

template <class T>
bool is_no_less(const std::string& bytes, int64_t least) {
  T value;
  if (bytes.size() != sizeof value) return false;
  std::memcpy(&value, bytes.data(), sizeof value);
  return value >= least;
}

/// Says whether a stored value, and what is greater, is the same in both calendars; false is not certain.
bool counts_alike(const std::string& bytes, ValueKind kind) {
  if (kind == ValueKind::Int32ToInt32) return is_no_less<int32_t>(bytes, kFirstDay);
  if (kind == ValueKind::Int64MillisToMicros) return is_no_less<int64_t>(bytes, kFirstMicros / 1000);
  return kind == ValueKind::Int64ToInt64 && is_no_less<int64_t>(bytes, kFirstMicros);
}

/// Says whether statistics show that all dates of a leaf are the same in both calendars.
bool counts_alike(const parquet::FileMetaData& metadata, int leaf, ValueKind kind) {
  for (int i = 0; i < metadata.num_row_groups(); ++i) {
    const auto chunk = metadata.RowGroup(i)->ColumnChunk(leaf);
    if (!chunk->is_stats_set()) return false;
    const auto stored = chunk->encoded_statistics();
    if (stored->has_null_count && stored->null_count == chunk->num_values()) continue;
    if (!stored->has_min || !counts_alike(stored->min(), kind)) return false;
  }
  return true;
}

const std::string* metadata_value(const parquet::FileMetaData& metadata, std::string_view key) {
  const auto& entries = metadata.key_value_metadata();
  for (int64_t i = 0; entries && i < entries->size(); ++i) {
    if (entries->key(i) == key) return &entries->value(i);
  }
  return nullptr;
}

}  // namespace

void check_calendar(const parquet::FileMetaData& metadata, int leaf, ValueKind kind, const DataType& type) {
  const bool is_int96 = kind == ValueKind::Int96ToMicros;
  if (!type.is(TypeId::Date) && !type.is(TypeId::Timestamp)) return;
  const std::string* version = metadata_value(metadata, kVersionKey);
  const char* legacy_key = is_int96 ? "org.apache.spark.legacyINT96" : "org.apache.spark.legacyDateTime";
  const bool is_old = (version && *version < (is_int96 ? "3.1.0" : "3.0.0")) || metadata_value(metadata, legacy_key);
  if (is_old && !counts_alike(metadata, leaf, kind)) {
    throw_unsupported("dates of the old hybrid calendar (written by Spark " + (version ? *version : "?") + ")");
  }
}

void check_version(const ScanSpec& spec, const ScanColumn& wanted, const FileColumn& column,
                   const parquet::FileMetaData& metadata) {
  const bool is_doubtful = (spec.may_have_old_dates && contains(wanted.type, TypeId::Date)) ||
                           (spec.may_have_old_timestamps && contains(wanted.type, TypeId::Timestamp));
  if (!is_doubtful || column.is_missing() || metadata_value(metadata, kVersionKey)) return;
  if (column.leaf >= 0 && counts_alike(metadata, column.leaf, column.kind)) return;
  throw_unsupported("dates of a file that names no version of Spark, by another mode than CORRECTED");
}

}  // namespace accelerant::io
