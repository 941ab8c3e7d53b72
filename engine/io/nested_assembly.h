#pragma once

#include "columns/column.h"
#include "io/leaf_reader.h"
#include "io/nested_column.h"

#include <cstdint>
#include <memory>
#include <span>

namespace accelerant::io {

/// Puts the rows of a nested column together from what its leaves hold, as the Dremel paper (Melnik et al., 2010)
/// takes records apart.
/// @param leaves one for each leaf of the column, `num_rows` rows of each
/// @throws Error Resource where leaves tell of different lists or structs, and without memory
columns::ColumnPtr assemble(const NestedColumn& column, std::span<const LeafRows> leaves, int64_t num_rows,
                            const std::shared_ptr<memory::Budget>& budget);

}  // namespace accelerant::io
