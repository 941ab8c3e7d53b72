#pragma once

#include "io/read_options.h"
#include "io/scan.h"

namespace accelerant::io {

/// Takes the options of reading Parquet files, as take_read_options does.
void take_parquet_options(ReadOptions& options, ScanSpec& spec);

}  // namespace accelerant::io
