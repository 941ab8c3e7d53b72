#pragma once

#include "expressions/buffer_pool.h"
#include "expressions/instruction.h"
#include "expressions/value.h"

#include <span>

namespace accelerant::expressions {

/// Computes AND or OR of two booleans in Spark's three-valued logic. The right operand's errors reach only rows where
/// the left one did not decide.
SlotValue run_logic(const Instruction& instruction, const SlotValue& left, const SlotValue& right, int64_t num_rows,
                    BufferPool& pool);

/// Computes CASE WHEN: the instruction's arguments are condition, value, ..., and perhaps the value otherwise.
SlotValue run_case_when(const Instruction& instruction, std::span<SlotValue* const> arguments, int64_t num_rows,
                        BufferPool& pool);

/// Computes COALESCE.
SlotValue run_coalesce(const Instruction& instruction, std::span<SlotValue* const> arguments, int64_t num_rows,
                       BufferPool& pool);

/// A boolean column as bytes, flat and in place where it can be.
class BooleanRows {
 public:
  BooleanRows(const columns::Column& column, int64_t num_rows, BufferPool& pool);
  const uint8_t* values() const { return values_; }
  /// One byte a row (1: not null), or nullptr when no row is null.
  const uint8_t* valid() const { return valid_ ? valid_->data() : nullptr; }
  bool is_true(int64_t row) const { return values_[row] && (!valid_ || valid_->data()[row]); }
  bool is_false(int64_t row) const { return !values_[row] && (!valid_ || valid_->data()[row]); }

 private:
  const uint8_t* values_ = nullptr;
  memory::BufferPtr owned_;
  memory::BufferPtr valid_;
};

}  // namespace accelerant::expressions
