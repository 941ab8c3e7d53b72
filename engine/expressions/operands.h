#pragma once

#include "columns/column.h"
#include "expressions/buffer_pool.h"

#include <cstdint>

namespace accelerant::expressions {

/// A value of 16 bytes that is only copied: a decimal, a view of a string.
struct Bytes16 {
  uint64_t low, high;
};

/// Copies rows [begin, begin + n) of a flat or dictionary column to `out`, decoded, decimals as `physical`.
void decode(const columns::Column& column, int64_t begin, int64_t n, types::PhysicalType physical, void* out);

/// Returns the nullness of all rows as a bitmap from bit 0 (set: valid), or nullptr when no row is null. Not for
/// constants.
memory::BufferPtr row_validity(const columns::Column& column, BufferPool& pool);

/// Writes the nullness of rows [begin, begin + n) as bytes (1: valid). Not for constants.
void unpack_validity(const columns::Column& column, int64_t begin, int64_t n, uint8_t* out);

/// Returns the AND of two bitmaps over `n` rows, where nullptr is all ones. The inputs are left as they are.
memory::BufferPtr intersect(const memory::BufferPtr& a, const memory::BufferPtr& b, int64_t n, BufferPool& pool);

/// Returns the address of the value of a flat column's or a constant's first row.
const void* first_value(const columns::Column& column);

/// Says whether all rows are null by a constant.
inline bool is_null_constant(const columns::Column& column) { return column.is_constant() && column.is_null(0); }

/// Returns the flat column that holds a column's values: itself, or its child.
const columns::Column& stored_values(const columns::Column& column);

}  // namespace accelerant::expressions
