#pragma once

#include "io/format_setting.h"

namespace accelerant::io {

/// The settings of sessions that change what Spark reads of CSV files.
inline constexpr FormatSetting kCsvReadSettings[] = {{"csv.parser.columnPruning.enabled", "true"}};

}  // namespace accelerant::io
