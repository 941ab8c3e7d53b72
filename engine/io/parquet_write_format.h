#pragma once

#include "io/write_format.h"

namespace accelerant::io {

/// Returns Parquet, as Spark's ParquetFileFormat writes it.
const WriteFormat& parquet_write_format();

}  // namespace accelerant::io
