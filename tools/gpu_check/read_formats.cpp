#include "io/parquet_read_options.h"
#include "io/read_options.h"

namespace accelerant::io {

/// Takes all as options of Parquet, as captured plans read nothing else; the engine's own list brings Arrow along.
void take_read_options(ReadOptions& options, ScanSpec& spec) { take_parquet_options(options, spec); }

}  // namespace accelerant::io
