#pragma once

#include "columns/column.h"

#include <cstdint>
#include <memory>
#include <span>

namespace accelerant::columns {

/// Returns what `gather_or_null` does, a flat nested column's rows as a dictionary of it: elements and members are not
/// copied, and those that nobody reads never cost. For what is read once and soon.
ColumnPtr refer(const Column& column, std::span<const int32_t> rows, const std::shared_ptr<memory::Budget>& budget);

}  // namespace accelerant::columns
