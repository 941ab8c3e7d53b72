#pragma once

#include "io/growing_buffer.h"
#include "io/page_reader.h"
#include "io/run_decoder.h"

#include <cstdint>
#include <limits>
#include <memory>

namespace accelerant::io {

/// Entries that are held at a time at most: offsets of lists have 32 bits.
inline constexpr int64_t kMostEntries = std::numeric_limits<int32_t>::max();

/// What the repetition levels of a page tell.
struct PageRows {
  int64_t num_rows;  ///< rows that begin in it
  bool begins_row;   ///< its first entry begins one
};

/// Reads the repetition and definition levels of a leaf of a nested column, page by page, and cuts them into rows. The
/// levels are a byte each; those that were taken stay until they are forgotten. All methods throw Error: Resource on
/// corrupt data and without memory, Unsupported for bit-packed levels.
class LevelReader {
 public:
  /// @param repetition, definition the highest levels, at most 127
  LevelReader(int repetition, int definition, const std::shared_ptr<memory::Budget>& budget);

  /// Starts a page when the one before has no entries left, and leaves the page's values in `page`.
  /// @param begins_row an entry that goes on with a row is an error here
  void start_page(const PageHeader& header, PageBody& page, bool begins_row);
  /// Says whether all entries of the page were taken.
  bool page_is_done() const { return taken_ == decoded_ && page_left_ == 0; }
  /// Takes entries of the page up to the one that begins row number `rows` from here, at most a block of them, and
  /// lowers `rows` by the rows that began. Returns how many entries it took; none where the page has none left, or the
  /// next one begins a row and `rows` is 0.
  int64_t take(int64_t& rows);
  /// Counts the rows of a page of version 2, up to about `most`, before it is started. What its header says of them is
  /// not to be trusted: older writers of Arrow put the number of entries there, and let rows go on in the next page.
  PageRows rows_of(const PageHeader& header, const StoredBody& page, int64_t most) const;
  /// Forgets the entries that were taken.
  void forget();

  int64_t num_taken() const { return taken_; }
  const uint8_t* repetitions() const { return repetitions_.data(); }
  const uint8_t* definitions() const { return definitions_.data(); }

 private:
  void start_levels(const PageHeader& header, PageBody& page);
  void decode_block();

  const int max_repetition_;
  const int max_definition_;
  RunDecoder repetition_runs_;
  RunDecoder definition_runs_;
  GrowingBuffer repetitions_;
  GrowingBuffer definitions_;
  int64_t taken_ = 0;      ///< entries at the start of the buffers that were taken
  int64_t decoded_ = 0;    ///< entries in the buffers
  int64_t page_left_ = 0;  ///< entries of the page that are not in the buffers yet
  bool begins_row_ = true;
};

/// Counts the bytes that are equal to `level`.
int64_t count_equal(const uint8_t* levels, int64_t n, int level);
/// Counts the bytes that are `level` at least.
int64_t count_at_least(const uint8_t* levels, int64_t n, int level);

}  // namespace accelerant::io
