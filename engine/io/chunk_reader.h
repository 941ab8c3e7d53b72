#pragma once

#include "columns/column.h"
#include "io/column_reader.h"
#include "io/definition_levels.h"
#include "io/page_reader.h"
#include "io/page_values.h"
#include "io/parquet_column.h"
#include "io/row_ranges.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace accelerant::io {

/// Numeric columns keep dictionaries up to this many values as codes; larger ones are cheaper to decode at once.
/// Strings always keep theirs.
inline constexpr int kMaxNumericDictionary = 256;

/// Where a column chunk's bytes lie and what they are.
struct ChunkSource {
  const FileColumn* column;
  memory::BufferPtr bytes;  ///< holds the chunk; a buffer of ours, for its padding
  int64_t offset;           ///< of the chunk in `bytes`
  int64_t num_bytes;
  int64_t num_rows;
  parquet::Compression::type codec;
  bool always_compressed;      ///< a flaw of old writers, see PageReader
  std::vector<RowRange> gaps;  ///< rows whose pages are left out of `bytes`, ascending; they must be skipped
  int64_t num_entries = 0;     ///< of the chunk's levels: rows, or more where there are lists
};

/// Reads the rows of one column chunk in order. Rows come as a dictionary column while every page of the batch is
/// dictionary-encoded (and the dictionary is worth keeping), else flat.
class ChunkReader final : public ColumnReader {
 public:
  ChunkReader(ChunkSource source, std::shared_ptr<memory::Budget> budget);

  /// Errors name the page.
  columns::ColumnPtr read(int64_t n) override;
  /// Pages without wanted rows are not decompressed.
  columns::ColumnPtr read_at(std::span<const int32_t> rows, int64_t n) override;
  /// Returns the dictionary that the chunk begins with, as a flat column; nullptr where it begins with another page.
  /// Throws as `read` does. Only before anything else is read.
  columns::ColumnPtr dictionary();
  /// Pages that nothing is read of are not decompressed.
  void skip(int64_t n) override { pending_skip_ += n; }
  const ChunkSource* chunk() const override { return &source_; }

 private:
  struct Output;

  void next_page();
  bool pass_gap();
  void start_data_page(const PageHeader& header);
  void start_levels(const PageHeader& header, PageBody& body);
  void read_dictionary(const PageHeader& header);
  columns::ColumnPtr read_rows(int64_t n);
  columns::ColumnPtr read_rows_at(std::span<const int32_t> rows, int64_t n);
  void start_output(Output& out);
  void apply_skip();
  void read_segment(int64_t n, Output& out);
  int64_t read_levels(int64_t n, Output& out);
  void read_segment_at(int64_t n, Output& out);
  int64_t find_values(int64_t n, Output& out);
  template <class Read>
  columns::ColumnPtr name_page(Read read_some);
  void leave_codes(Output& out);
  columns::ColumnPtr finish(Output& out) const;

  ChunkSource source_;
  std::shared_ptr<memory::Budget> budget_;
  PageReader pages_;
  PageValues values_;
  DefinitionLevels levels_;
  bool keeps_codes_ = false;  ///< the dictionary is emitted
  int64_t page_left_ = 0;     ///< rows of the page not yet read
  int64_t next_row_ = 0;      ///< the first row behind the page
  size_t next_gap_ = 0;
  int64_t pending_skip_ = 0;
  std::vector<int32_t> positions_;  ///< of the wanted rows, then values, of a segment
};

}  // namespace accelerant::io
