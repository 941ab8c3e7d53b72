#pragma once

#include "columns/column.h"
#include "expressions/buffer_pool.h"
#include "expressions/instruction.h"
#include "expressions/value.h"

#include <cstdint>
#include <memory>
#include <string>

namespace accelerant::expressions {

/// The right side of IN: constants of one type that values are looked up in, by Spark's equality.
class ConstantSet {
 public:
  virtual ~ConstantSet() = default;

  /// Makes a set of the rows of `list`, a flat column; throws Error{Unsupported} for types that have no equality here.
  static std::shared_ptr<const ConstantSet> make(columns::ColumnPtr list);

  /// Writes 1 or 0 for rows [begin, begin + n) of `column`, flat or dictionary. Rows that are null get any of both.
  virtual void contains(const columns::Column& column, int64_t begin, int64_t n, uint8_t* out) const = 0;

  /// Says whether the list has a null: then what is not found is null instead of false.
  bool has_null() const { return has_null_; }
  const columns::ColumnPtr& list() const { return list_; }

 protected:
  explicit ConstantSet(columns::ColumnPtr list) : has_null_(list->count_nulls() > 0), list_(std::move(list)) {}

 private:
  bool has_null_;
  columns::ColumnPtr list_;
};

/// Computes `value IN (set)` with Spark's three-valued result.
SlotValue run_in_list(const Instruction& instruction, const SlotValue& value, int64_t num_rows, BufferPool& pool);

}  // namespace accelerant::expressions
