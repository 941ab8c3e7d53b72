#pragma once

#include "io/parquet_write_options.h"
#include "io/parquet_write_schema.h"

#include <arrow/memory_pool.h>
#include <parquet/properties.h>

#include <memory>
#include <vector>

namespace accelerant::io {

/// Returns how Arrow's writer has to write a file as Spark would.
/// @param dictionaries which columns may have one
/// @param pool what it allocates from; outlives the writer
std::shared_ptr<parquet::WriterProperties> writer_properties(const ParquetWriteOptions& options,
                                                             const std::vector<WriteLeaf>& leaves,
                                                             const std::vector<bool>& dictionaries,
                                                             arrow::MemoryPool* pool);

}  // namespace accelerant::io
