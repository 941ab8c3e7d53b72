#pragma once

#include <cstdint>
#include <string_view>

namespace accelerant::io {

/// What of a node that reads or writes files a setting concerns.
enum class SettingConcern : uint8_t { AnyFile, FieldIds, NestedColumns };

/// A setting of a session that bears on files of a format.
struct FormatSetting {
  std::string_view name;   ///< below spark.sql.
  std::string_view value;  ///< the one under which the engine does with such files what Spark does
  SettingConcern concern = SettingConcern::AnyFile;
};

}  // namespace accelerant::io
