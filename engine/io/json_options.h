#pragma once

#include "io/json_parser.h"
#include "io/scan.h"

#include <optional>
#include <string>

namespace accelerant::io {

/// How lines of JSON are read.
struct JsonOptions final : FormatOptions {
  std::optional<char> separator;  ///< of lines, as LineFormat has it
  JsonReading reading;            ///< without the zone
  std::string corrupt_column;     ///< the name of the column that holds lines that can't be read
};

}  // namespace accelerant::io
