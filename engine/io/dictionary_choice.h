#pragma once

#include "columns/column.h"

#include <cstdint>

namespace accelerant::io {

/// Says whether a dictionary and its codes take less than the values themselves, by the first rows of a file's column.
/// parquet-mr asks the same of the first page of each chunk. True where there are too few rows to tell.
/// @param num_rows from `offset` on; no more than a page's are looked at
bool is_worth_a_dictionary(const columns::Column& column, int64_t offset, int64_t num_rows);

}  // namespace accelerant::io
