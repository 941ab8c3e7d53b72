#pragma once

#include "types/integers.h"
#include "types/string_view.h"

#include <cstdint>
#include <optional>

namespace accelerant::io {

/// Reads an integer of up to 19 digits, with or without a sign, as Java's parseLong does; nothing for any other text.
std::optional<int64_t> read_plain_integer(types::StringRef text);

/// Reads a number of ASCII digits with a sign, a point and an exponent, as Java's parseDouble does; nothing for any
/// other text.
std::optional<double> read_plain_double(types::StringRef text);
/// Likewise as parseFloat does.
std::optional<float> read_plain_float(types::StringRef text);

/// Reads a number of ASCII digits with a sign and a point, rounded to a scale as Spark rounds decimals; nothing for any
/// other text, nor where the precision does not suffice.
std::optional<int128> read_plain_decimal(types::StringRef text, int precision, int scale);

}  // namespace accelerant::io
