#pragma once

#include "base/error.h"
#include "plan/value.h"
#include "types/data_type.h"

namespace accelerant::plan {

/// @throws Error Unsupported, always: a literal's value is not of its type
[[noreturn]] inline void refuse_literal(const FieldValue& value, const types::DataType& type) {
  throw_unsupported("literal of type " + type.to_string() + " that is " + kind_of(value));
}

}  // namespace accelerant::plan
