#include "table.h"

#include "base/mix_bits.h"
#include "columns/string_heap.h"

#include <algorithm>
#include <string_view>

namespace accelerant::bench {

using columns::ColumnPtr;
using columns::FlatBuilder;
using types::DataType;
using types::PhysicalType;
using types::TypeId;

namespace {

// Odd, so that multiplying by it only changes the order of numbers below a power of two.
constexpr uint64_t kShuffle = 0x9e3779b97f4a7c15;

/// Returns a number of [0, distinct) for a row.
int64_t spread(int64_t row, int64_t distinct) {
  return static_cast<int64_t>((static_cast<uint64_t>(row) * kShuffle >> 20) % static_cast<uint64_t>(distinct));
}

/// Makes a column whose row i is value(i), stored as a T.
template <class T, class Value>
ColumnMaker numbers(const DataType& type, PhysicalType physical, Value value) {
  return {type, [=](int64_t first, int64_t n) {
            FlatBuilder builder(type, physical, n, budget());
            for (int64_t i = 0; i < n; ++i) builder.values<T>()[i] = static_cast<T>(value(first + i));
            return builder.finish();
          }};
}

ColumnPtr make_strings(const std::vector<std::string>& texts) {
  int64_t heap_bytes = 0;
  for (const std::string& text : texts) heap_bytes += static_cast<int64_t>(text.size());
  columns::StringHeap heap(heap_bytes, budget());
  FlatBuilder builder(DataType(TypeId::String), PhysicalType::String, static_cast<int64_t>(texts.size()), budget());
  for (size_t i = 0; i < texts.size(); ++i) {
    const types::StringRef ref{texts[i].data(), static_cast<int32_t>(texts[i].size())};
    const bool is_short = texts[i].size() <= 12;
    builder.values<types::StringView>()[i] = is_short ? types::inline_view(ref) : heap.add(ref);
  }
  builder.set_heap(heap.finish());
  return builder.finish();
}

}  // namespace

std::shared_ptr<memory::Budget> budget() {
  static const auto kBudget = std::make_shared<memory::Budget>("benchmark", memory::Budget::kUnlimited);
  return kBudget;
}

execution::OperatorContext context() {
  static const execution::Cancellation kNever;
  static execution::Metrics metrics;
  return {budget(), &kNever, &metrics, 0, kBatchRows};
}

ColumnMaker ints(int64_t distinct) {
  return numbers<int32_t>(DataType(TypeId::Int), PhysicalType::Int32,
                          [=](int64_t row) { return spread(row, distinct); });
}

ColumnMaker longs(int64_t distinct) {
  return numbers<int64_t>(DataType(TypeId::Long), PhysicalType::Int64,
                          [=](int64_t row) { return spread(row, distinct); });
}

ColumnMaker unique_longs() {
  return numbers<int64_t>(DataType(TypeId::Long), PhysicalType::Int64,
                          [](int64_t row) { return static_cast<uint64_t>(row) * kShuffle % kRows; });
}

ColumnMaker decimals() {
  return numbers<int64_t>(DataType::decimal(12, 2), PhysicalType::Int64,
                          [](int64_t row) { return spread(row, 1'000'000); });
}

ColumnMaker strings(int64_t distinct) {
  return {DataType(TypeId::String), [=](int64_t first, int64_t n) {
            std::vector<std::string> texts;
            for (int64_t i = first; i < first + n; ++i) {
              const int64_t number = spread(i, distinct);
              const char* middle = number % 10 == 0 ? "special deposits " : "furious packages ";
              texts.push_back(middle + std::to_string(number) + std::string(static_cast<size_t>(number % 7), '.'));
            }
            return make_strings(texts);
          }};
}

Table make_table(const std::vector<ColumnMaker>& makers, int64_t num_rows) {
  Table table;
  table.num_rows = num_rows;
  for (const ColumnMaker& maker : makers) table.types.push_back(maker.type);
  for (int64_t first = 0; first < num_rows; first += kBatchRows) {
    columns::Batch batch;
    batch.num_rows = std::min(kBatchRows, num_rows - first);
    for (const ColumnMaker& maker : makers) batch.columns.push_back(maker.make(first, batch.num_rows));
    for (const ColumnPtr& column : batch.columns) table.num_bytes += column->memory_bytes();
    batch.morsel = static_cast<int64_t>(table.batches.size());
    batch.ends_morsel = true;
    table.batches.push_back(std::move(batch));
  }
  return table;
}

ColumnPtr int_literal(int32_t value) {
  return numbers<int32_t>(DataType(TypeId::Int), PhysicalType::Int32, [=](int64_t) { return value; }).make(0, 1);
}

ColumnPtr decimal_literal(int64_t unscaled, int precision, int scale) {
  return numbers<int64_t>(DataType::decimal(precision, scale), PhysicalType::Int64, [=](int64_t) { return unscaled; })
      .make(0, 1);
}

ColumnPtr string_literal(const std::string& text) { return make_strings({text}); }

std::shared_ptr<const expressions::Program> columns_of(const Table& table, const std::vector<int>& positions) {
  expressions::ProgramBuilder builder;
  std::vector<expressions::Slot> outputs;
  for (const int position : positions) {
    outputs.push_back(builder.input(position, table.types[static_cast<size_t>(position)], false));
  }
  return std::move(builder).finish(outputs);
}

expressions::Slot call(expressions::ProgramBuilder& builder, const std::string& name,
                       std::vector<expressions::Slot> arguments, const DataType& result) {
  return builder.call("org.apache.spark.sql.catalyst.expressions." + name, std::move(arguments), result,
                      expressions::EvalMode::Ansi, -1);
}

}  // namespace accelerant::bench
