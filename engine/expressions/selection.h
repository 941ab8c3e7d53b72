#pragma once

#include "columns/batch.h"
#include "expressions/buffer_pool.h"

#include <cstdint>
#include <vector>

namespace accelerant::expressions {

/// The rows that a filter has left so far: all of `num_rows`, or those listed, ascending.
class RowSet {
 public:
  RowSet(int64_t num_rows, const columns::Selection& selection);

  int64_t num_rows() const { return num_rows_; }
  int64_t count() const { return all_ ? num_rows_ : static_cast<int64_t>(rows_.size()); }
  bool all() const { return all_; }
  /// The rows in the set; only when not `all`.
  const std::vector<int32_t>& rows() const { return rows_; }
  bool contains(int32_t row) const;

  /// Keeps the rows at which a boolean column of `num_rows` rows is true.
  void keep_true(const columns::Column& condition, BufferPool& pool);
  /// Keeps the rows whose bit is set: row i's is that of `offset` + i.
  void keep_set(const uint8_t* bits, int64_t offset);
  /// Removes rows, ascending.
  void remove(const std::vector<int32_t>& rows);

 private:
  void keep(const uint8_t* passes);
  void clear();

  int64_t num_rows_;
  bool all_;
  std::vector<int32_t> rows_;
};

}  // namespace accelerant::expressions
