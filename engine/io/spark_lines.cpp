#include "io/spark_lines.h"

#include "base/error.h"
#include "columns/gather.h"
#include "columns/gather_parts.h"
#include "columns/string_heap.h"
#include "memory/budget_ptr.h"

#include <memory>
#include <utility>

namespace accelerant::io {

using columns::Batch;
using columns::Column;
using columns::ColumnPtr;
using columns::PartRow;
using memory::BudgetPtr;
using types::StringRef;

namespace {

ColumnPtr to_column(std::span<const StringRef> lines, const BudgetPtr& budget) {
  int64_t long_bytes = 0;
  for (const StringRef& line : lines) {
    if (line.length > types::StringView::kMaxInlineBytes) long_bytes += line.length;
  }
  columns::StringHeap heap(long_bytes, budget);
  columns::FlatBuilder builder(types::DataType(types::TypeId::String), types::PhysicalType::String,
                               static_cast<int64_t>(lines.size()), budget);
  auto* views = builder.values<types::StringView>();
  for (const StringRef& line : lines) *views++ = heap.add(line);
  builder.set_heap(heap.finish());
  return builder.finish();
}

/// Returns a member of a struct, null where the struct is.
ColumnPtr member_of(const Column& structure, int member, const BudgetPtr& budget) {
  const ColumnPtr values =
      structure.children()[static_cast<size_t>(member)]->slice(structure.offset(), structure.length());
  if (!structure.may_have_nulls()) return columns::flatten(values, budget);
  std::vector<int32_t> rows(static_cast<size_t>(structure.length()));
  for (size_t i = 0; i < rows.size(); ++i) {
    rows[i] = structure.is_null(static_cast<int64_t>(i)) ? -1 : static_cast<int32_t>(i);
  }
  return columns::flatten(columns::gather_or_null(*values, rows, budget), budget);
}

/// Says for each row of a batch whether it is the batch's own or the next of Spark's.
std::vector<PartRow> rows_of_both(int64_t num_rows, std::span<const int32_t> places) {
  std::vector<PartRow> rows(static_cast<size_t>(num_rows));
  for (size_t i = 0; i < rows.size(); ++i) rows[i] = {0, static_cast<int32_t>(i)};
  for (size_t i = 0; i < places.size(); ++i) rows[static_cast<size_t>(places[i])] = {1, static_cast<int32_t>(i)};
  return rows;
}

/// Deselects the rows in error.
void select_the_rest(Batch& batch) {
  auto rows = std::make_shared<std::vector<int32_t>>();
  auto error = batch.errors.begin();
  for (int32_t row = 0; row < batch.num_rows; ++row) {
    if (error != batch.errors.end() && error->row == row) {
      ++error;
    } else {
      rows->push_back(row);
    }
  }
  batch.selection = std::move(rows);
}

}  // namespace

SparkLines::SparkLines(const ScanSpec& spec, const execution::OperatorContext& ctx) : spec_(spec), ctx_(ctx) {
  start_anew();
}

void SparkLines::start_anew() {
  if (spec_.line_parser) evaluator_.emplace(spec_.line_parser, ctx_.budget, spec_.plan_node, ctx_.parameters);
}

Batch SparkLines::compute(std::span<const StringRef> lines) {
  if (!evaluator_) throw_unsupported("a line that only Spark's own code can parse");
  Batch in;
  in.num_rows = static_cast<int64_t>(lines.size());
  in.columns.push_back(to_column(lines, ctx_.budget));
  return evaluator_->project(in);
}

Batch SparkLines::parse(std::span<const StringRef> lines) {
  Batch parsed = compute(lines);
  const ColumnPtr structure = columns::flatten(parsed.columns[0], ctx_.budget);
  parsed.columns.clear();
  for (const ScanColumn& column : spec_.columns) {
    const bool is_in_files = column.required_index >= 0;
    parsed.columns.push_back(is_in_files ? member_of(*structure, column.required_index, ctx_.budget) : nullptr);
  }
  return parsed;
}

Batch SparkLines::put(Batch batch, std::span<const StringRef> lines, std::span<const int32_t> places) {
  if (places.empty()) return batch;
  Batch parsed = parse(lines);
  const bool is_all = static_cast<int64_t>(places.size()) == batch.num_rows;
  const std::vector<PartRow> rows = is_all ? std::vector<PartRow>() : rows_of_both(batch.num_rows, places);
  for (size_t i = 0; i < batch.columns.size(); ++i) {
    if (!parsed.columns[i]) continue;
    const ColumnPtr parts[] = {batch.columns[i], parsed.columns[i]};
    batch.columns[i] = is_all ? parsed.columns[i] : columns::gather_parts(parts, rows, ctx_.budget);
  }
  batch.errors = std::move(parsed.errors);
  for (columns::RowError& error : batch.errors) error.row = places[static_cast<size_t>(error.row)];
  if (!batch.errors.empty()) select_the_rest(batch);
  return batch;
}

}  // namespace accelerant::io
