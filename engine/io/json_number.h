#pragma once

#include "io/json_text.h"
#include "types/data_type.h"
#include "types/integers.h"

namespace accelerant::io {

/// Turns a number into a floating-point one as Jackson does; false where that is not certain.
bool to_floating(const JsonNumber& number, double& value);
bool to_floating(const JsonNumber& number, float& value);

/// Turns a number into the unscaled value of a decimal type, rounding halves up; false where it does not fit or that is
/// not certain.
bool to_decimal(const JsonNumber& number, const types::DataType& type, int128& value);

}  // namespace accelerant::io
