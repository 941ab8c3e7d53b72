#pragma once

#include "columns/batch.h"
#include "execution/context.h"
#include "expressions/program.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

/// Rows for benchmarks, the same in every run.
namespace accelerant::bench {

inline constexpr int64_t kRows = int64_t{1} << 20;
inline constexpr int64_t kBatchRows = 8192;

/// Returns the budget of all benchmarks, without a limit.
std::shared_ptr<memory::Budget> budget();
/// Returns what an operator gets.
execution::OperatorContext context();

/// A column of a table: its type, and how to make its rows [first, first + n).
struct ColumnMaker {
  types::DataType type;
  std::function<columns::ColumnPtr(int64_t first, int64_t n)> make;
};

/// Numbers spread evenly over [0, distinct), in no order.
ColumnMaker ints(int64_t distinct);
ColumnMaker longs(int64_t distinct);
/// The numbers 0, 1, ... each once, in no order.
ColumnMaker unique_longs();
/// decimal(12,2) of [0, 10,000), stored in 64 bits.
ColumnMaker decimals();
/// `distinct` texts of 20 to 30 bytes, spread evenly.
ColumnMaker strings(int64_t distinct);

/// A table of kRows rows, cut into batches.
struct Table {
  std::vector<types::DataType> types;
  std::vector<columns::Batch> batches;
  int64_t num_rows = 0;
  int64_t num_bytes = 0;  ///< of the values, heaps included
};

Table make_table(const std::vector<ColumnMaker>& columns, int64_t num_rows = kRows);

/// Makes a constant of one row.
columns::ColumnPtr int_literal(int32_t value);
columns::ColumnPtr decimal_literal(int64_t unscaled, int precision, int scale);
columns::ColumnPtr string_literal(const std::string& text);

/// Returns a program whose outputs are columns of a table.
std::shared_ptr<const expressions::Program> columns_of(const Table& table, const std::vector<int>& positions);

/// Adds a call of a function of Spark's, by the name of its class without the package.
expressions::Slot call(expressions::ProgramBuilder& builder, const std::string& name,
                       std::vector<expressions::Slot> arguments, const types::DataType& result);

}  // namespace accelerant::bench
