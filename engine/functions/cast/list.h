#pragma once

// One line a function: its header's name and its struct. The build and the registry read this list.
#define ACC_FUNCTIONS_CAST(F)                               \
  F(cast, Cast)                                             \
  F(cast_number, CastNumber)                                \
  F(cast_decimal, CastDecimal)                              \
  F(cast_to_decimal, CastToDecimal)                         \
  F(cast_from_decimal, CastFromDecimal)                     \
  F(cast_long_decimal_to_integer, CastLongDecimalToInteger) \
  F(unscaled_value, UnscaledValue)                          \
  F(make_decimal, MakeDecimal)                              \
  F(cast_date_to_timestamp, CastDateToTimestamp)            \
  F(cast_timestamp_to_date, CastTimestampToDate)            \
  F(cast_timestamp_to_ntz, CastTimestampToNtz)              \
  F(cast_ntz_to_timestamp, CastNtzToTimestamp)              \
  F(cast_timestamp_to_number, CastTimestampToNumber)        \
  F(cast_number_to_timestamp, CastNumberToTimestamp)        \
  F(cast_decimal_to_timestamp, CastDecimalToTimestamp)      \
  F(cast_string_to_date, CastStringToDate)                  \
  F(cast_string_to_timestamp, CastStringToTimestamp)        \
  F(cast_string_to_ntz, CastStringToNtz)                    \
  F(cast_date_to_string, CastDateToString)                  \
  F(cast_timestamp_to_string, CastTimestampToString)        \
  F(cast_string_to_boolean, CastStringToBoolean)            \
  F(cast_string_to_integer, CastStringToInteger)            \
  F(cast_string_to_floating, CastStringToFloating)          \
  F(cast_string_to_decimal, CastStringToDecimal)            \
  F(cast_number_to_string, CastNumberToString)              \
  F(cast_floating_to_string, CastFloatingToString)          \
  F(cast_floating_to_decimal, CastFloatingToDecimal)        \
  F(cast_decimal_to_plain_string, CastDecimalToPlainString) \
  F(cast_decimal_to_string, CastDecimalToString)
