#pragma once

#include "io/file_format.h"
#include "io/format_setting.h"

#include <span>
#include <string_view>

namespace accelerant::io {

/// Returns the settings of sessions that change what is read of files of a format.
std::span<const FormatSetting> read_settings(FileFormat format);

/// Says whether a setting, named as it is below spark.sql., is one of some format's.
bool is_read_setting(std::string_view name);

}  // namespace accelerant::io
