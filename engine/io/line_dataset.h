#pragma once

#include "io/line_parser.h"
#include "io/scan.h"

#include <memory>
#include <optional>
#include <vector>

namespace accelerant::io {

/// How files fall into lines.
struct LineFormat {
  /// What ends a line; nothing: each of \n, \r\n and \r does.
  std::optional<char> separator;
  MakeLineParser make_parser;
};

/// Opens files whose rows are lines, as open_files does. Any part of a split can be read on its own, so that morsels
/// are parts of splits; only a file that is compressed is one morsel.
std::shared_ptr<const Dataset> open_lines(std::shared_ptr<const ScanSpec> spec,
                                          std::vector<std::vector<FileSplit>> partitions, LineFormat format,
                                          const std::shared_ptr<memory::Budget>& budget);

}  // namespace accelerant::io
