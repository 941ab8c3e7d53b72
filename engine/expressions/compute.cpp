#include "expressions/compute.h"

#include "base/error.h"
#include "columns/gather.h"
#include "columns/value_reader.h"
#include "expressions/call.h"
#include "expressions/column_call.h"
#include "expressions/constant_set.h"
#include "expressions/lambda_run.h"
#include "expressions/logic.h"
#include "functions/error_codes.h"

#include <algorithm>
#include <concepts>
#include <cstring>

namespace accelerant::expressions {

using columns::Column;
using columns::ColumnPtr;

namespace {

bool all_constant(std::span<SlotValue* const> arguments) {
  return std::ranges::all_of(arguments, [](const SlotValue* value) { return value->column->is_constant(); });
}

bool any_in_error(std::span<SlotValue* const> arguments) {
  return std::ranges::any_of(arguments, [](const SlotValue* value) { return value->errors != nullptr; });
}

/// So many bytes or elements a value of a dictionary, needed or not, are no burden.
constexpr int64_t kShortLength = 256;

/// Says whether an integer is the same short length in every row.
bool is_short_length(const Column& column) {
  if (!column.is_constant() || column.is_null(0)) return false;
  const Column& constant = *column.child_values();
  return columns::visit_physical(constant.physical(), [&](auto type) {
    if constexpr (std::integral<decltype(type)>) {
      return columns::ValueReader<decltype(type)>(constant)(0) <= kShortLength;
    } else {
      return false;
    }
  });
}

/// Says whether a call makes strings whose lengths are numbers among its arguments, as repeat's are, or nested values
/// whose lengths may be.
bool takes_lengths(const Instruction& instruction, std::span<SlotValue* const> arguments) {
  const bool is_over_columns = instruction.operation == Operation::ColumnCall;
  if (!is_over_columns && !builds_strings(instruction)) return false;
  return std::ranges::any_of(arguments, [&](const SlotValue* value) {
    const Column& column = *value->column;
    if (!column.type().is_integral()) return false;
    return is_over_columns ? !column.is_constant() : !is_short_length(column);
  });
}

/// Says whether a call that looks at nullness alone sees the same in every row.
bool sees_no_nulls(const Instruction& instruction, std::span<SlotValue* const> arguments) {
  if (instruction.operation != Operation::Call || instruction.overload->reads_values) return false;
  for (const SlotValue* value : arguments) {
    if (value->errors || value->column->may_have_nulls()) return false;
  }
  return true;
}

bool same_dictionary(const Column& a, const Column& b) {
  return &a == &b || (a.child_values() == b.child_values() && a.indices() == b.indices() &&
                      a.validity() == b.validity() && a.offset() == b.offset());
}

/// Returns the dictionary column that all arguments but constants share, if its values alone can be computed on.
const Column* find_shared_dictionary(const Instruction& instruction, std::span<SlotValue* const> arguments) {
  const Column* shared = nullptr;
  for (const SlotValue* value : arguments) {
    const Column& column = *value->column;
    if (value->errors) return nullptr;
    if (column.is_constant()) continue;
    if (!column.is_dictionary() || (shared && !same_dictionary(*shared, column))) return nullptr;
    shared = &column;
  }
  if (!shared || (shared->validity() && !is_strict(instruction))) return nullptr;
  return shared;
}

/// Returns an argument as the dictionary's values, or as a constant that many times.
ColumnPtr on_dictionary(const Column& column, int64_t length) {
  return column.is_constant() ? Column::constant(column.child_values(), length) : column.child_values();
}

/// Returns a column of dictionary encoding with the codes of `codes` and the values of `dictionary`.
ColumnPtr with_codes_of(const Column& codes, ColumnPtr dictionary) {
  const auto& parts = codes.parts();
  ColumnPtr whole =
      Column::dictionary(std::move(dictionary), parts.values, parts.offset + parts.length, parts.validity);
  return parts.offset == 0 ? whole : whole->slice(parts.offset, parts.length);
}

}  // namespace

SlotValue Computer::compute(const Instruction& instruction, Slot slot, std::span<SlotValue* const> arguments,
                            int64_t num_rows, const memory::BufferPtr& wanted) {
  SlotValue value = compute_natively(instruction, slot, arguments, num_rows, wanted);
  const bool may_leave_rows = instruction.operation != Operation::Callback && instruction.external && value.errors;
  if (!may_leave_rows) return value;
  return compute_left_rows(instruction, arguments, num_rows, wanted, std::move(value));
}

SlotValue Computer::compute_natively(const Instruction& instruction, Slot slot, std::span<SlotValue* const> arguments,
                                     int64_t num_rows, const memory::BufferPtr& wanted) {
  if (instruction.operation == Operation::Retype) {
    const SlotValue& value = *arguments[0];
    return {value.column->with_type(instruction.type), value.errors, value.range, value.range_is_exact};
  }
  if (instruction.operation == Operation::Callback) {
    const bool is_of_each_row = instruction.external->is_watched && !all_constant(arguments);
    if (num_rows == 0 || is_of_each_row) return call_external(instruction, arguments, num_rows, wanted);
  }
  if (all_constant(arguments)) {
    return any_in_error(arguments) ? compute_failing_constant(instruction, arguments, num_rows)
                                   : compute_constant(instruction, arguments, num_rows);
  }
  if (num_rows > 0 && sees_no_nulls(instruction, arguments)) return compute_first_row(instruction, arguments, num_rows);
  const Column* shared = find_shared_dictionary(instruction, arguments);
  // A length that no row refers to may be any number.
  if (!shared || takes_lengths(instruction, arguments)) return compute_rows(instruction, arguments, num_rows, wanted);
  const int64_t length = shared->child_values()->length();
  const SlotValue* known = find_known(slot, arguments);
  if (!known && length >= num_rows) return compute_rows(instruction, arguments, num_rows, wanted);
  const SlotValue& value = known ? *known : compute_dictionary(instruction, slot, arguments, length);
  ColumnPtr column = with_codes_of(*shared, value.column);
  ErrorLane errors = spread(value.errors, *column);
  return {std::move(column), std::move(errors), value.range, value.range_is_exact};
}

/// Computes what is the same in every row.
SlotValue Computer::compute_first_row(const Instruction& instruction, std::span<SlotValue* const> arguments,
                                      int64_t num_rows) {
  std::vector<SlotValue> firsts;
  std::vector<SlotValue*> pointers;
  firsts.reserve(arguments.size());
  for (const SlotValue* value : arguments) {
    firsts.push_back({value->column->slice(0, 1), nullptr});
    pointers.push_back(&firsts.back());
  }
  return {Column::constant(compute_rows(instruction, pointers, 1).column, num_rows), nullptr};
}

SlotValue Computer::compute_constant(const Instruction& instruction, std::span<SlotValue* const> arguments,
                                     int64_t num_rows) {
  std::vector<SlotValue> firsts;
  std::vector<SlotValue*> pointers;
  firsts.reserve(arguments.size());
  for (const SlotValue* value : arguments) {
    firsts.push_back({Column::constant(value->column->child_values(), 1), nullptr});
    pointers.push_back(&firsts.back());
  }
  SlotValue one = compute_rows(instruction, pointers, 1);
  const bool is_constant = one.column->is_constant();
  ColumnPtr flat = is_constant ? one.column->child_values() : columns::flatten(one.column, pool_.budget());
  return {Column::constant(std::move(flat), num_rows), repeat(one.errors, num_rows), one.range, one.range_is_exact};
}

/// Computes over constants that are alike but for the rows in error. Kernels want an argument that is no constant.
SlotValue Computer::compute_failing_constant(const Instruction& instruction, std::span<SlotValue* const> arguments,
                                             int64_t num_rows) {
  SlotValue first = *arguments.front();
  first.column = columns::flatten(first.column, pool_.budget());
  std::vector<SlotValue*> pointers(arguments.begin(), arguments.end());
  pointers.front() = &first;
  return compute_rows(instruction, pointers, num_rows);
}

/// Returns what the slot gave over the dictionary it saw last, if the arguments are still the same.
const SlotValue* Computer::find_known(Slot slot, std::span<SlotValue* const> arguments) const {
  const auto found = known_.find(slot);
  if (found == known_.end()) return nullptr;
  const Known& known = found->second;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (known.arguments[i] != arguments[i]->column->child_values()) return nullptr;
  }
  return &known.value;
}

const SlotValue& Computer::compute_dictionary(const Instruction& instruction, Slot slot,
                                              std::span<SlotValue* const> arguments, int64_t length) {
  Known known;
  std::vector<SlotValue> values;
  std::vector<SlotValue*> pointers;
  values.reserve(arguments.size());
  for (const SlotValue* value : arguments) {
    values.push_back({on_dictionary(*value->column, length), nullptr, value->range, value->range_is_exact});
    pointers.push_back(&values.back());
    known.arguments.push_back(value->column->child_values());
  }
  known.value = compute_rows(instruction, pointers, length);
  known.value.column = columns::flatten(known.value.column, pool_.budget());
  return known_.insert_or_assign(slot, std::move(known)).first->second.value;
}

SlotValue Computer::compute_rows(const Instruction& instruction, std::span<SlotValue* const> arguments,
                                 int64_t num_rows, const memory::BufferPtr& wanted) {
  switch (instruction.operation) {
    case Operation::Call:
      return run_call(instruction, arguments, num_rows, pool_, wanted);
    case Operation::ColumnCall:
      return call_columns(instruction, arguments, num_rows, wanted);
    case Operation::And:
    case Operation::Or:
      return run_logic(instruction, *arguments[0], *arguments[1], num_rows, pool_);
    case Operation::CaseWhen:
      return run_case_when(instruction, arguments, num_rows, pool_);
    case Operation::Coalesce:
      return run_coalesce(instruction, arguments, num_rows, pool_);
    case Operation::InList:
      return run_in_list(instruction, *arguments[0], num_rows, pool_);
    case Operation::Callback:
      return call_external(instruction, arguments, num_rows, wanted);
    case Operation::Retype:
    case Operation::Input:
    case Operation::Literal:
    case Operation::Parameter:
      break;
  }
  ACC_CHECK(!"an instruction that is not computed");
  return {};
}

SlotValue Computer::call_columns(const Instruction& instruction, std::span<SlotValue* const> arguments,
                                 int64_t num_rows, const memory::BufferPtr& wanted) {
  std::vector<column_functions::Lambda*> lambdas;
  for (const LambdaCode& code : instruction.lambdas) {
    std::unique_ptr<column_functions::Lambda>& run = lambdas_[code.program.get()];
    if (!run) run = std::make_unique<LambdaRun>(code, pool_.budget(), parameters_);
    lambdas.push_back(run.get());
  }
  return run_column_call(instruction, arguments, lambdas, num_rows, wanted, pool_);
}

namespace {

/// Returns a bitmap of the rows in `wanted` (nullptr: all) that have no error.
memory::BufferPtr without_errors(const memory::BufferPtr& wanted, const ErrorLane& errors, int64_t num_rows,
                                 BufferPool& pool) {
  if (!errors) return wanted;
  auto rows = pool.allocate(bits::bytes_for(num_rows));
  bits::fill(rows->mutable_data(), num_rows, true);
  if (wanted) std::memcpy(rows->mutable_data(), wanted->data(), static_cast<size_t>(bits::bytes_for(num_rows)));
  for (const LaneError& error : *errors) bits::clear(rows->mutable_data(), error.row);
  return rows;
}

}  // namespace

SlotValue Computer::call_external(const Instruction& instruction, std::span<SlotValue* const> arguments,
                                  int64_t num_rows, const memory::BufferPtr& wanted) {
  const ExternalFunction& function = *parameters_->functions.at(instruction.external->number);
  std::unique_ptr<ExternalFunction::State>& state = states_[instruction.external->number];
  if (!state) state = function.make_state();
  std::vector<ColumnPtr> flat;
  ErrorLane errors;
  for (const SlotValue* value : arguments) {
    flat.push_back(columns::flatten(value->column, pool_.budget()));
    errors = merge(errors, value->errors);
  }
  const memory::BufferPtr rows = without_errors(wanted, errors, num_rows, pool_);
  const uint8_t* counted = rows ? rows->data() : nullptr;
  ExternalResult result = function.evaluate(*state, flat, instruction.type, num_rows, counted, pool_.budget());
  ACC_CHECK(result.column->length() == num_rows && result.column->type() == instruction.type);
  std::vector<LaneError> failed;
  for (size_t row = 0; row < result.error_codes.size(); ++row) {
    const uint8_t code = result.error_codes[row];
    if (code) failed.push_back({static_cast<int32_t>(row), instruction.expression, code});
  }
  if (!failed.empty()) failed.front().failure = result.first_failure;
  if (!failed.empty()) errors = merge(errors, std::make_shared<const std::vector<LaneError>>(std::move(failed)));
  return {std::move(result.column), std::move(errors)};
}

SlotValue Computer::compute_left_rows(const Instruction& instruction, std::span<SlotValue* const> arguments,
                                      int64_t num_rows, const memory::BufferPtr& wanted, SlotValue native) {
  const auto is_left = [&](const LaneError& error) {
    return (error.code & functions::kNeedsSpark) && error.expression == instruction.expression &&
           (!wanted || bits::get(wanted->data(), error.row));
  };
  auto left = pool_.allocate(bits::bytes_for(num_rows));
  bits::fill(left->mutable_data(), num_rows, false);
  std::vector<LaneError> others;
  for (const LaneError& error : *native.errors) {
    if (is_left(error)) {
      bits::set(left->mutable_data(), error.row);
    } else {
      others.push_back(error);
    }
  }
  if (others.size() == native.errors->size()) return native;
  const SlotValue spark = call_external(instruction, arguments, num_rows, left);
  std::vector<int32_t> rows(static_cast<size_t>(num_rows));
  for (int64_t row = 0; row < num_rows; ++row) {
    const bool from_spark = bits::get(left->data(), row);
    rows[static_cast<size_t>(row)] = static_cast<int32_t>(from_spark ? num_rows + row : row);
  }
  const ColumnPtr both[] = {columns::flatten(native.column, pool_.budget()), spark.column};
  const ErrorLane own = others.empty() ? nullptr : std::make_shared<const std::vector<LaneError>>(std::move(others));
  return {columns::gather(*columns::concatenate(both, pool_.budget()), rows, pool_.budget()), merge(own, spark.errors)};
}

}  // namespace accelerant::expressions
