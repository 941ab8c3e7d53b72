#pragma once

#include "types/data_type.h"

namespace accelerant::types {

/// Says whether types are the same but for which of their elements, values and members may be null, and for names of
/// members: what is of the one may stand where the other is due.
bool same_values(const DataType& a, const DataType& b);

/// Returns a type whose elements, values and members may be null where those of either of two types may, which have the
/// same values. Names of members are the first one's.
DataType null_as_either(const DataType& a, const DataType& b);

}  // namespace accelerant::types
