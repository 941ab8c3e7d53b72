#pragma once

#include <cstdint>

namespace accelerant::io {

/// Keeps a worker from reading what a file has for pruning - page indexes, dictionaries - where it leaves nearly every
/// row to be read, as page indexes of rows in no order do.
class PruningTrial {
 public:
  /// Says whether it is worth reading for the next row group; to be asked once of each.
  bool is_worthwhile();
  /// Notes of how many rows of a row group it was asked, and how many of them it dropped.
  void note(int64_t num_rows, int64_t num_dropped);

 private:
  int64_t rows_asked_ = 0;
  int64_t rows_dropped_ = 0;
  int64_t row_groups_passed_ = 0;
};

}  // namespace accelerant::io
