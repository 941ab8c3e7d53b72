#pragma once

// One line a function: its header's name and its struct. The build and the registry read this list.
#define ACC_FUNCTIONS_CAST(F)           \
  F(cast_number, CastNumber)            \
  F(cast_decimal, CastDecimal)          \
  F(cast_to_decimal, CastToDecimal)     \
  F(cast_from_decimal, CastFromDecimal) \
  F(unscaled_value, UnscaledValue)      \
  F(make_decimal, MakeDecimal)
