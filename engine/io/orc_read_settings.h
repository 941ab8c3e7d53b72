#pragma once

#include "io/format_setting.h"

#include <span>

namespace accelerant::io {

/// The settings of sessions that change what Spark reads of ORC files: none, as what they choose shows in the plan.
inline constexpr std::span<const FormatSetting> kOrcReadSettings;

}  // namespace accelerant::io
