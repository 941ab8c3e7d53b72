#pragma once

// One line a function: its header's name and its struct. The build and the registry read this list.
#define ACC_FUNCTIONS_CONDITIONAL(F) \
  F(greatest, Greatest)              \
  F(least, Least)                    \
  F(na_nvl, NaNvl)                   \
  F(at_least_n_non_nulls, AtLeastNNonNulls)
