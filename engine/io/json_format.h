#pragma once

#include "io/read_options.h"
#include "io/scan.h"

#include <memory>
#include <vector>

namespace accelerant::io {

/// Opens files of JSON, an object a line, as open_files does.
std::shared_ptr<const Dataset> open_json(std::shared_ptr<const ScanSpec> spec,
                                         std::vector<std::vector<FileSplit>> partitions, int threads,
                                         const std::shared_ptr<memory::Budget>& budget);

/// Takes the options of reading JSON, as take_read_options does.
void take_json_options(ReadOptions& options, ScanSpec& spec);

}  // namespace accelerant::io
