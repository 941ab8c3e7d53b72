#pragma once

#include "io/csv_options.h"
#include "io/scan.h"

#include <memory>
#include <vector>

namespace accelerant::io {

/// Opens files of CSV, as open_files does.
std::shared_ptr<const Dataset> open_csv(std::shared_ptr<const ScanSpec> spec,
                                        std::vector<std::vector<FileSplit>> partitions, int threads,
                                        const std::shared_ptr<memory::Budget>& budget);

}  // namespace accelerant::io
