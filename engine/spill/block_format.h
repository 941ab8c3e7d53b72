#pragma once

#include "columns/column.h"
#include "memory/buffer.h"
#include "spill/number_packing.h"
#include "types/data_type.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace accelerant::spill {

/// Columns as one block of bytes.
struct EncodedColumns {
  std::shared_ptr<memory::Buffer> block;
  std::vector<NumberRun> numbers;  ///< whole ones, in the block
};

/// Returns columns as a block: their buffers as they are in memory, encodings and dictionaries kept, with what says
/// where they lie. Of slices, and of strings, what they have no use for is left out.
/// @param budget of the block
EncodedColumns encode_columns(std::span<const columns::ColumnPtr> columns,
                              const std::shared_ptr<memory::Budget>& budget);

/// Returns the columns of a block, which lie in it and keep it alive.
/// @param types of the columns, as they were
std::vector<columns::ColumnPtr> decode_columns(const std::shared_ptr<memory::Buffer>& block,
                                               std::span<const types::DataType> types);

}  // namespace accelerant::spill
