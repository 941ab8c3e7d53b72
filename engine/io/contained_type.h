#pragma once

#include "types/data_type.h"

#include <algorithm>

namespace accelerant::io {

/// Says whether a type is one, or has parts of one.
inline bool contains(const types::DataType& type, types::TypeId part) {
  return type.is(part) ||
         std::ranges::any_of(type.fields(), [part](const types::Field& field) { return contains(field.type, part); });
}

}  // namespace accelerant::io
