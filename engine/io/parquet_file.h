#pragma once

#include "io/local_file.h"
#include "io/parquet_column.h"
#include "io/scan.h"
#include "memory/budget.h"

#include <parquet/metadata.h>

#include <memory>
#include <string>
#include <vector>

namespace accelerant::io {

/// A column chunk's bytes in the file.
struct ChunkRange {
  int64_t offset;
  int64_t num_bytes;
};

/// A file's footer, checked, and how its columns serve a scan. Immutable.
struct ParquetFile {
  std::string uri;
  FileIdentity identity;
  memory::Reservation footer_memory;
  std::shared_ptr<const parquet::FileMetaData> metadata;
  std::vector<FileColumn> columns;  ///< one a column of the scan

  /// A row group: rows, and the byte in the file that decides to which split it belongs.
  struct RowGroup {
    int64_t num_rows;
    int64_t midpoint;
  };
  std::vector<RowGroup> row_groups;
};

/// Reads and checks a file's footer.
/// @throws Error Unsupported (file and column named) when Spark should read it, or say why it can't; Resource without
/// memory for it
std::shared_ptr<const ParquetFile> read_parquet_file(const std::string& uri, const ScanSpec& spec,
                                                     const std::shared_ptr<memory::Budget>& budget);

/// Returns where a column's chunk lies, having checked what the footer says about it.
/// @throws Error as read_parquet_file
ChunkRange locate_chunk(const ParquetFile& file, int row_group, const FileColumn& column);

}  // namespace accelerant::io
