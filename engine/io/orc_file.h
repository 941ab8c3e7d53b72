#pragma once

#include "io/local_file.h"
#include "io/orc_column_reader.h"
#include "io/orc_metadata.h"
#include "io/orc_schema.h"
#include "io/scan.h"

#include <memory>
#include <string>
#include <vector>

namespace accelerant::io {

/// A file as a scan sees it. Immutable once read.
struct OrcFile {
  std::string uri;
  FileIdentity identity;
  OrcMetadata metadata;
  std::vector<OrcField> columns;  ///< one a column of the scan
  OrcTimes times;
  memory::Reservation reservation;  ///< of what it takes, about
};

/// Reads what a scan has to know of a file.
/// @throws Error Unsupported naming the file, and the column where there is one; Resource when it can't be opened
std::shared_ptr<const OrcFile> read_orc_file(const std::string& uri, const ScanSpec& spec,
                                             const std::shared_ptr<memory::Budget>& budget);

/// Sums up what the footers of files say of a column.
ColumnSummary summarize_orc(const std::vector<std::shared_ptr<const OrcFile>>& files, size_t column);

}  // namespace accelerant::io
