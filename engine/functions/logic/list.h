#pragma once

// One line a function: its header's name and its struct. The build and the registry read this list.
#define ACC_FUNCTIONS_LOGIC(F) \
  F(not, Not)                  \
  F(is_null, IsNull)           \
  F(is_not_null, IsNotNull)    \
  F(is_nan, IsNaN)             \
  F(normalize_nan_and_zero, NormalizeNaNAndZero)
