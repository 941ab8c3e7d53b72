#include "operators/unnest.h"

#include "column_functions/stored_rows.h"
#include "columns/gather.h"
#include "operators/repeated_rows.h"

#include <algorithm>
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

/// Elements that are emitted together: for each its row, its place among all elements and its position in its row; -1
/// where the row has none.
struct Elements {
  std::vector<int32_t> rows, places, positions;

  void add(int64_t row, int32_t place, int32_t position) {
    rows.push_back(static_cast<int32_t>(row));
    places.push_back(place);
    positions.push_back(position);
  }
};

/// Returns up to `most` elements from a place on, and moves it on.
Elements elements_from(ElementPlace& place, const UnnestState& worker, bool keeps_empty, int64_t most) {
  const ListRows lists(*worker.rows().columns.front());
  Elements found;
  const auto room = [&] { return static_cast<int32_t>(most - static_cast<int64_t>(found.rows.size())); };
  while (place.row < worker.num_rows() && room() > 0) {
    const int32_t size = lists.is_null(place.row) ? 0 : lists.size(place.row);
    if (size == 0 && keeps_empty) found.add(place.row, -1, -1);
    const int32_t end = std::min(size, place.element + room());
    for (; place.element < end; ++place.element) {
      found.add(place.row, lists.first(place.row) + place.element, place.element);
    }
    if (place.element < size) break;
    place = {place.row + 1, 0};
  }
  return found;
}

/// Makes a column of positions, null where there is none.
ColumnPtr positions_of(const Elements& elements, const std::shared_ptr<memory::Budget>& budget) {
  const auto num_rows = static_cast<int64_t>(elements.positions.size());
  columns::FlatBuilder builder(types::DataType(types::TypeId::Int), types::PhysicalType::Int32, num_rows, budget);
  std::ranges::copy(elements.positions, builder.values<int32_t>());
  for (int64_t row = 0; row < num_rows; ++row) {
    if (elements.positions[static_cast<size_t>(row)] < 0) bits::clear(builder.validity(), row);
  }
  return builder.finish();
}

/// Appends a column for each member of the structs that elements are; null where there is no struct.
void append_members(const Column& structs, std::vector<int32_t> places, std::vector<ColumnPtr>& made,
                    const std::shared_ptr<memory::Budget>& budget) {
  const StoredRows rows(structs);
  for (int32_t& place : places) {
    const bool is_null = place < 0 || rows.is_null(place);
    place = is_null ? -1 : static_cast<int32_t>(rows.values().offset() + rows.place(place));
  }
  for (const ColumnPtr& member : rows.values().children()) {
    made.push_back(columns::gather_or_null(*member, places, budget));
  }
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
  Elements elements = elements_from(next, worker, node_->keeps_empty, ctx_.batch_rows);
  Batch made;
  made.num_rows = static_cast<int64_t>(elements.rows.size());
  for (size_t i = 1; i < rows.columns.size(); ++i) {
    made.columns.push_back(columns::gather(*rows.columns[i], elements.rows, ctx_.budget));
  }
  if (node_->has_positions) made.columns.push_back(positions_of(elements, ctx_.budget));
  for (const ColumnPtr& child : StoredRows(*rows.columns.front()).values().children()) {
    if (node_->of_members) {
      append_members(*child, elements.places, made.columns, ctx_.budget);
    } else {
      made.columns.push_back(columns::gather_or_null(*child, elements.places, ctx_.budget));
    }
  }
  worker.next = next;
  return worker.emit(std::move(made), next.row >= worker.num_rows(), out);
}

}  // namespace accelerant::operators
