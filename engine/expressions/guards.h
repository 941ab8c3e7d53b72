#pragma once

#include "columns/column.h"
#include "expressions/buffer_pool.h"
#include "expressions/instruction.h"

#include <cstdint>

namespace accelerant::expressions {

/// Finds out which values of a program count only in some rows: those of branches, of right operands of AND and OR, and
/// what these alone are computed from. All rows are computed all the same, but for strings, which may be huge.
void find_guards(ProgramParts& parts);

/// Clears the bits of rows in which a guard does not hold.
/// @param column the value of the guard's slot
/// @param bitmap of `num_rows` bits
void clear_unguarded(const Guard& guard, const columns::Column& column, int64_t num_rows, BufferPool& pool,
                     uint8_t* bitmap);

}  // namespace accelerant::expressions
