#pragma once

#include "io/format_setting.h"

namespace accelerant::io {

/// The settings of sessions that change what Spark reads of Parquet files.
inline constexpr FormatSetting kParquetReadSettings[] = {
    {"legacy.parquet.nanosAsLong", "false"},       {"legacy.parquet.returnNullStructIfAllFieldsMissing", "false"},
    {"parquet.binaryAsString", "false"},           {"parquet.fieldId.read.enabled", "false", SettingConcern::FieldIds},
    {"parquet.ignoreVariantAnnotation", "false"},  {"parquet.int96AsTimestamp", "true"},
    {"parquet.int96TimestampConversion", "false"}, {"parquet.reader.respectUnknownTypeAnnotation.enabled", "false"},
};

}  // namespace accelerant::io
