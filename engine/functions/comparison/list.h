#pragma once

// One line a function: its header's name and its struct. The build and the registry read this list.
#define ACC_FUNCTIONS_COMPARISON(F)      \
  F(equal_to, EqualTo)                   \
  F(equal_null_safe, EqualNullSafe)      \
  F(less_than, LessThan)                 \
  F(less_than_or_equal, LessThanOrEqual) \
  F(greater_than, GreaterThan)           \
  F(greater_than_or_equal, GreaterThanOrEqual)
