#pragma once

#include "io/chunk_reader.h"
#include "io/level_reader.h"
#include "io/nested_column.h"
#include "io/page_values.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace accelerant::io {

/// What a leaf holds for some rows.
struct LeafRows {
  const uint8_t* repetitions;  ///< in place until the reader reads on
  const uint8_t* definitions;  ///< likewise
  int64_t num_entries;
  columns::ColumnPtr values;  ///< one a place of the leaf, flat; nullptr where it is not read
};

/// Reads the rows of one leaf of a nested column in a row group, in order. Errors name the page and the leaf.
class LeafReader {
 public:
  /// @param leaf outlives the reader; the chunk is its
  LeafReader(const NestedLeaf& leaf, ChunkSource source, const std::shared_ptr<memory::Budget>& budget);

  /// Reads the next `n` rows.
  LeafRows read(int64_t n);
  /// Passes over the next `n` rows; the work is left to the next read.
  void skip(int64_t n) { pending_skip_ += n; }

 private:
  struct Output;

  void pass_skipped();
  void advance(int64_t rows, Output* out);
  int64_t take_from_page(int64_t& rows, bool is_kept);
  void move_values(int64_t num_values, Output* out);
  bool next_page(int64_t& rows, bool is_skipping);
  bool pass_gap(int64_t& rows, bool is_skipping);
  bool has_pages() const;
  int64_t rows_of(const PageHeader& header) const;
  void start_data_page(const PageHeader& header);
  columns::ColumnPtr finish(Output& out);

  const NestedLeaf& leaf_;
  ChunkSource source_;
  const std::shared_ptr<memory::Budget> budget_;
  PageReader pages_;
  PageValues values_;
  LevelReader levels_;
  const bool pages_begin_rows_;  ///< no row lies in several pages
  int64_t entries_left_;         ///< of the pages not yet met, as the footer says
  int64_t rows_begun_ = 0;       ///< of the row group, in pages that were met or left out
  size_t next_gap_ = 0;
  int64_t pending_skip_ = 0;
};

}  // namespace accelerant::io
