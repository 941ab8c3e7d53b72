#pragma once

#include "io/chunk_reader.h"
#include "io/level_reader.h"
#include "io/nested_column.h"
#include "io/page_values.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace accelerant::io {

/// What a leaf holds for some rows.
struct LeafRows {
  const uint8_t* repetitions;  ///< in place until the reader reads on
  const uint8_t* definitions;  ///< likewise
  int64_t num_entries;
  columns::ColumnPtr values;  ///< one a place of the leaf, flat or a dictionary; nullptr where it is not read
};

/// Reads the rows of one leaf of a nested column in a row group, in order. Errors name the page and the leaf.
class LeafReader {
 public:
  /// @param leaf outlives the reader; the chunk is its
  LeafReader(const NestedLeaf& leaf, ChunkSource source, const std::shared_ptr<memory::Budget>& budget);

  /// Reads the next `n` rows.
  LeafRows read(int64_t n);
  /// Reads those of the next `n` rows that are at `rows`, ascending; values of others are passed over.
  LeafRows read_at(std::span<const int32_t> rows, int64_t n);
  /// Passes over the next `n` rows; the work is left to the next read.
  void skip(int64_t n) { pending_skip_ += n; }

 private:
  struct Output;

  /// Rows that are picked out of those that are passed over, and their levels.
  struct Picked {
    std::span<const int32_t> rows;  ///< wanted, and not met yet
    int64_t next_row = 0;           ///< the number of the row that begins next
    bool is_wanted = false;         ///< says whether the row that began last is
    GrowingBuffer repetitions;
    GrowingBuffer definitions;
    int64_t num_entries = 0;
    std::vector<int32_t> positions = {};  ///< of their values among those of the page

    /// Goes to the row that begins next and says whether it is wanted.
    bool begin_row();
  };

  LeafRows read_rows(int64_t n, bool is_picking);
  void pass_skipped();
  void advance(int64_t rows, Output* out);
  int64_t take_from_page(int64_t& rows, const Output* out);
  void pick(int64_t n, int64_t num_values_before);
  void move_values(int64_t num_values, Output* out);
  bool keeps_codes() const;
  void choose_form(Output& out) const;
  bool next_page(int64_t& rows, const Output* out);
  bool pass_gap(int64_t& rows, const Output* out);
  int64_t rows_not_wanted(int64_t rows, const Output* out) const;
  void pass_rows(int64_t n, int64_t& rows, const Output* out);
  bool has_pages() const;
  int64_t unwanted_rows(const PageHeader& header, int64_t most, const Output* out) const;
  void start_data_page(const PageHeader& header);
  LeafRows finish(Output& out);
  columns::ColumnPtr place(Output& out, const LeafRows& rows);

  const NestedLeaf& leaf_;
  ChunkSource source_;
  const std::shared_ptr<memory::Budget> budget_;
  PageReader pages_;
  PageValues values_;
  LevelReader levels_;
  Picked picked_;
  const bool pages_begin_rows_;  ///< no row lies in several pages
  int64_t entries_left_;         ///< of the pages not yet met, as the footer says
  int64_t rows_begun_ = 0;       ///< of the row group, in pages that were met or left out
  size_t next_gap_ = 0;
  int64_t pending_skip_ = 0;
};

}  // namespace accelerant::io
