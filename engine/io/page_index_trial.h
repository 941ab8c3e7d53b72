#pragma once

#include <cstdint>

namespace accelerant::io {

/// Keeps a worker from reading page indexes that leave nearly every page to be read, as those of rows in no order do.
class PageIndexTrial {
 public:
  /// Says whether the index of the next row group is worth reading; to be asked once of each.
  bool is_worthwhile();
  /// Notes how many rows of a row group its index was asked about, and how many of them it dropped.
  void note(int64_t num_rows, int64_t num_dropped);

 private:
  int64_t rows_asked_ = 0;
  int64_t rows_dropped_ = 0;
  int64_t row_groups_passed_ = 0;
};

}  // namespace accelerant::io
