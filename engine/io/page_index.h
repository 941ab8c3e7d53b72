#pragma once

#include "expressions/pruning.h"
#include "io/local_file.h"
#include "io/parquet_file.h"
#include "io/row_ranges.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace accelerant::io {

/// A data page of a column chunk, as the file's offset index has it.
struct PageSpan {
  int64_t offset;     ///< of its header in the file
  int64_t num_bytes;  ///< with its header
  RowRange rows;      ///< of the row group
};

/// Where a chunk's index lies.
struct IndexedChunk {
  const ParquetFile& file;
  const LocalFile& bytes;
  int row_group;
  const FileColumn& column;  ///< of the file
};

/// Returns the data pages of a chunk in order, all rows of the row group in them. Empty where the file has no offset
/// index, or one that can't be right.
/// @param budget charged for what is read, while it is
std::vector<PageSpan> read_page_spans(const IndexedChunk& chunk, const std::shared_ptr<memory::Budget>& budget);

/// Returns what the file's column index says of each page; empty where there is none, or one that does not fit `pages`.
std::vector<expressions::ColumnStatistics> read_page_statistics(const IndexedChunk& chunk,
                                                                const std::vector<PageSpan>& pages,
                                                                const std::shared_ptr<memory::Budget>& budget);

}  // namespace accelerant::io
