#pragma once

#include "plan/sort.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace accelerant::plan {

/// How rows are divided among files. Columns are positions in the output of the rows' root.
struct FileLayout {
  /// Name the folders of files, outer ones first, and are not written. The first `num_static_partitions` are the same
  /// in all rows.
  std::vector<int> partition_columns;
  size_t num_static_partitions = 0;
  /// Holds the number of the row's bucket, and is not written.
  std::optional<int> bucket_column;
  /// What the rows of a bucket are sorted by.
  std::vector<int> sort_columns;
  /// In which order the program wants the rows of a folder or bucket beyond that.
  std::vector<SortKey> rest_of_order;

  /// Says whether a stream's rows may be of several folders or buckets.
  bool is_clustered() const { return bucket_column || partition_columns.size() > num_static_partitions; }
  /// Returns what puts rows of one folder and bucket together, and in their order.
  std::vector<SortKey> order() const;
  /// Returns the columns that are not written: folders, then the bucket.
  std::vector<int> unwritten() const;

  friend bool operator==(const FileLayout&, const FileLayout&) = default;
};

}  // namespace accelerant::plan
