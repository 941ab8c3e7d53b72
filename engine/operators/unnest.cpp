#include "operators/unnest.h"

#include "column_functions/stored_rows.h"
#include "columns/gather.h"
#include "columns/refer.h"
#include "operators/element_runs.h"
#include "operators/repeated_rows.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

namespace accelerant::operators {

using column_functions::ListRows;
using column_functions::StoredRows;
using columns::Batch;
using columns::Column;
using columns::ColumnPtr;

namespace {

struct ElementPlace {
  int64_t row = 0;
  int32_t element = 0;
};

struct UnnestState final : RepeatedRows {
  using RepeatedRows::RepeatedRows;

  ElementPlace next;
};

/// Returns up to `most` elements from a place on, and moves it on.
ElementRuns elements_from(ElementPlace& place, const UnnestState& worker, bool keeps_empty, int64_t most) {
  const Column& column = *worker.rows().columns.front();
  const ListRows lists(column);
  const column_functions::NullRows nulls(column);
  ElementRuns found;
  const auto room = [&] { return most - found.count(); };
  while (place.row < worker.num_rows() && room() > 0) {
    const int32_t size = nulls.has(place.row) ? 0 : lists.size(place.row);
    const auto row = static_cast<int32_t>(place.row);
    if (size == 0 && keeps_empty) found.add({row, -1, -1, 1});
    const auto end = static_cast<int32_t>(std::min<int64_t>(size, place.element + room()));
    if (end > place.element) found.add({row, lists.first(row) + place.element, place.element, end - place.element});
    place.element = end;
    if (place.element < size) break;
    place = {place.row + 1, 0};
  }
  return found;
}

/// Makes a column of positions, null where there is none.
ColumnPtr positions_of(const ElementRuns& elements, const std::shared_ptr<memory::Budget>& budget) {
  const std::vector<int32_t> positions = elements.positions();
  columns::FlatBuilder builder(types::DataType(types::TypeId::Int), types::PhysicalType::Int32, elements.count(),
                               budget);
  std::ranges::copy(positions, builder.values<int32_t>());
  for (size_t row = 0; row < positions.size(); ++row) {
    if (positions[row] < 0) bits::clear(builder.validity(), static_cast<int64_t>(row));
  }
  return builder.finish();
}

/// Appends a column for each member of the structs that elements are; null where there is no struct.
void append_members(const Column& structs, const ElementRuns& elements, std::vector<ColumnPtr>& made,
                    const std::shared_ptr<memory::Budget>& budget) {
  if (elements.are_part_of(structs) && structs.is_flat() && !structs.may_have_nulls()) {
    for (const ColumnPtr& member : structs.children()) {
      made.push_back(member->slice(structs.offset() + elements.first_place(), elements.count()));
    }
    return;
  }
  const StoredRows rows(structs);
  std::vector<int32_t> places = elements.places();
  for (int32_t& place : places) {
    const bool is_null = place < 0 || rows.is_null(place);
    place = is_null ? -1 : static_cast<int32_t>(rows.values().offset() + rows.place(place));
  }
  for (const ColumnPtr& member : rows.values().children()) {
    made.push_back(columns::gather_or_null(*member, places, budget));
  }
}

/// Appends the columns that are repeated for each element of a row.
void append_repeated(std::span<const ColumnPtr> columns, const ElementRuns& elements, std::vector<ColumnPtr>& made,
                     const std::shared_ptr<memory::Budget>& budget) {
  if (columns.empty()) return;
  const std::vector<int32_t> rows = elements.rows();
  for (const ColumnPtr& column : columns) made.push_back(columns::refer(*column, rows, budget));
}

}  // namespace

Unnest::Unnest(std::shared_ptr<const plan::Unnest> node, const execution::OperatorContext& ctx)
    : node_(std::move(node)), ctx_(ctx) {}

std::unique_ptr<State> Unnest::make_state() const { return std::make_unique<UnnestState>(node_->program, ctx_); }

Step Unnest::process(State& state, Batch& in, std::optional<Batch>& out) const {
  auto& worker = static_cast<UnnestState&>(state);
  if (!worker.has_rows()) {
    worker.start(in);
    worker.next = {};
  }
  const Batch& rows = worker.rows();
  ElementPlace next = worker.next;
  const ElementRuns elements = elements_from(next, worker, node_->keeps_empty, ctx_.batch_rows);
  Batch made;
  made.num_rows = elements.count();
  append_repeated(std::span(rows.columns).subspan(1), elements, made.columns, ctx_.budget);
  if (node_->has_positions) made.columns.push_back(positions_of(elements, ctx_.budget));
  for (const ColumnPtr& child : StoredRows(*rows.columns.front()).values().children()) {
    if (node_->of_members) {
      append_members(*child, elements, made.columns, ctx_.budget);
    } else {
      made.columns.push_back(elements.values(*child, ctx_.budget));
    }
  }
  worker.next = next;
  return worker.emit(std::move(made), next.row >= worker.num_rows(), out);
}

}  // namespace accelerant::operators
