#pragma once

#include "io/read_options.h"
#include "io/scan.h"

#include <memory>
#include <vector>

namespace accelerant::io {

/// Opens files of text, as open_files does: a row is a line.
std::shared_ptr<const Dataset> open_text(std::shared_ptr<const ScanSpec> spec,
                                         std::vector<std::vector<FileSplit>> partitions, int threads,
                                         const std::shared_ptr<memory::Budget>& budget);

/// Takes the options of reading text, as take_read_options does.
void take_text_options(ReadOptions& options, ScanSpec& spec);

}  // namespace accelerant::io
