#include "operators/unnest.h"

#include "column_functions/stored_rows.h"
#include "columns/gather.h"
#include "columns/refer.h"
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

/// Elements of one row that are emitted together. A row without any that is kept has one, at place -1 and position -1.
struct Run {
  int32_t row;
  int32_t place;     ///< of the first among all elements
  int32_t position;  ///< of the first in its row
  int32_t count;
};

/// Elements that are emitted together.
class Elements {
 public:
  void add(Run run) {
    is_one_range_ &= run.place >= 0 && (runs_.empty() || run.place == runs_.front().place + count_);
    runs_.push_back(run);
    count_ += run.count;
  }
  int32_t count() const { return count_; }
  /// Returns each element's row.
  std::vector<int32_t> rows() const {
    return of_each([](const Run& run, int32_t) { return run.row; });
  }
  /// Returns each element's place; -1 where the row has none.
  std::vector<int32_t> places() const {
    return of_each([](const Run& run, int32_t i) { return run.place + i; });
  }
  /// Returns each element's position; -1 where the row has none.
  std::vector<int32_t> positions() const {
    return of_each([](const Run& run, int32_t i) { return run.position + i; });
  }
  /// Says whether places follow one another, so many of them that the rest of a column of all elements may be kept.
  bool are_part_of(const Column& child) const { return is_one_range_ && child.length() <= kMostTimes * count_; }
  int32_t first_place() const { return runs_.empty() ? 0 : runs_.front().place; }
  /// Returns the elements' values of a child of the lists, null at place -1.
  ColumnPtr values(const Column& child, const std::shared_ptr<memory::Budget>& budget) const {
    if (are_part_of(child)) return child.slice(first_place(), count_);
    return columns::gather_or_null(child, places(), budget);
  }

 private:
  /// A part of a column keeps no more than so many times its own bytes.
  static constexpr int64_t kMostTimes = 8;

  template <class Value>
  std::vector<int32_t> of_each(Value value) const {
    std::vector<int32_t> values(static_cast<size_t>(count_));
    int32_t* to = values.data();
    for (const Run& run : runs_) {
      for (int32_t i = 0; i < run.count; ++i) *to++ = value(run, i);
    }
    return values;
  }

  std::vector<Run> runs_;
  int32_t count_ = 0;
  bool is_one_range_ = true;
};

/// Returns up to `most` elements from a place on, and moves it on.
Elements elements_from(ElementPlace& place, const UnnestState& worker, bool keeps_empty, int64_t most) {
  const Column& column = *worker.rows().columns.front();
  const ListRows lists(column);
  const column_functions::NullRows nulls(column);
  Elements found;
  const auto room = [&] { return static_cast<int32_t>(most - found.count()); };
  while (place.row < worker.num_rows() && room() > 0) {
    const int32_t size = nulls.has(place.row) ? 0 : lists.size(place.row);
    const auto row = static_cast<int32_t>(place.row);
    if (size == 0 && keeps_empty) found.add({row, -1, -1, 1});
    const int32_t end = std::min(size, place.element + room());
    if (end > place.element) found.add({row, lists.first(row) + place.element, place.element, end - place.element});
    place.element = end;
    if (place.element < size) break;
    place = {place.row + 1, 0};
  }
  return found;
}

/// Makes a column of positions, null where there is none.
ColumnPtr positions_of(const Elements& elements, const std::shared_ptr<memory::Budget>& budget) {
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
void append_members(const Column& structs, const Elements& elements, std::vector<ColumnPtr>& made,
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
void append_repeated(std::span<const ColumnPtr> columns, const Elements& elements, std::vector<ColumnPtr>& made,
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
  const Elements elements = elements_from(next, worker, node_->keeps_empty, ctx_.batch_rows);
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
