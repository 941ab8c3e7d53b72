#pragma once

#include "columns/batch.h"
#include "memory/buffer.h"
#include "types/data_type.h"

#include <cstdint>
#include <memory>

namespace accelerant::io {

/// Turns rows in the format of Spark's UnsafeRow into columns. Long strings stay where they are: the columns keep
/// `rows`.
/// @param rows one row after the other, each after its size in bytes, an int64; nullptr if there are none
/// @param type a struct of the rows' columns, as read_unsafe_values takes them
/// @throws Error Internal for rows that end too early
columns::Batch read_unsafe_rows(const memory::BufferPtr& rows, int64_t num_rows, const types::DataType& type,
                                const std::shared_ptr<memory::Budget>& budget);

}  // namespace accelerant::io
