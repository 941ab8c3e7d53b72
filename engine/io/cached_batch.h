#pragma once

#include "columns/batch.h"
#include "memory/buffer.h"
#include "types/data_type.h"

#include <memory>

namespace accelerant::io {

/// Turns columns as Spark caches relations (DefaultCachedBatch) into a batch. Strings and binaries stay where they are:
/// their columns keep `bytes`. Dictionaries of strings are kept.
/// @param bytes the number of rows and the size of each column in bytes, native int32s, then the columns; less than 2
/// GB
/// @param type a struct of the columns, as read_unsafe_values takes them
/// @throws Error Internal for columns that end too early or that Spark does not write
columns::Batch read_cached_batch(const memory::BufferPtr& bytes, const types::DataType& type,
                                 const std::shared_ptr<memory::Budget>& budget);

}  // namespace accelerant::io
