#include "io/line_lists.h"

#include "columns/gather.h"
#include "columns/gather_parts.h"

#include <utility>
#include <vector>

namespace accelerant::io {

using columns::Batch;
using columns::Column;
using columns::ColumnPtr;
using columns::PartRow;
using columns::RowError;

namespace {

/// Which rows the batch gets: part 0 is the batch as it is, part 1 the elements of all lists.
class ListedRows {
 public:
  ListedRows(const Batch& lists, const Column& arrays) : error_(lists.errors), offsets_(arrays.values<int32_t>()) {}

  /// Adds rows of the batch.
  void add_rows(int32_t begin, int32_t end) {
    for (int32_t row = begin; row < end; ++row) add(0, row);
  }
  /// Adds the elements of a list; where it is in error, the row that stands for it.
  void add_list(int32_t list, int32_t place) {
    if (!error_.empty() && error_.front().row == list) {
      errors_.push_back(error_.front());
      errors_.back().row = static_cast<int32_t>(rows_.size());
      rows_.push_back({0, place});
      error_ = error_.subspan(1);
      return;
    }
    for (int32_t i = offsets_[list]; i < offsets_[list + 1]; ++i) add(1, i);
  }
  std::span<const PartRow> rows() const { return rows_; }

  /// Selects the rows that are in no error, and gives the batch its errors.
  void finish(Batch& batch) {
    batch.num_rows = static_cast<int64_t>(rows_.size());
    if (!errors_.empty()) batch.selection = std::make_shared<const std::vector<int32_t>>(std::move(selected_));
    batch.errors = std::move(errors_);
  }

 private:
  void add(int32_t part, int32_t row) {
    selected_.push_back(static_cast<int32_t>(rows_.size()));
    rows_.push_back({part, row});
  }

  std::span<const RowError> error_;  ///< those of lists to come
  const int32_t* offsets_;
  std::vector<PartRow> rows_;
  std::vector<int32_t> selected_;
  std::vector<RowError> errors_;
};

}  // namespace

Batch put_lists(Batch batch, const Batch& lists, std::span<const int32_t> places, const ScanSpec& spec,
                const std::shared_ptr<memory::Budget>& budget) {
  const ColumnPtr arrays = columns::flatten(lists.columns[0], budget);
  const Column& elements = *arrays->children()[0];
  ListedRows rows(lists, *arrays);
  int32_t done = 0;
  for (size_t i = 0; i < places.size(); ++i) {
    rows.add_rows(done, places[i]);
    rows.add_list(static_cast<int32_t>(i), places[i]);
    done = places[i] + 1;
  }
  rows.add_rows(done, static_cast<int32_t>(batch.num_rows));
  for (size_t i = 0; i < batch.columns.size(); ++i) {
    const int member = spec.columns[i].required_index;
    if (member < 0) continue;
    const ColumnPtr values = elements.children()[static_cast<size_t>(member)];
    const ColumnPtr parts[] = {batch.columns[i],
                               columns::flatten(values->slice(elements.offset(), elements.length()), budget)};
    batch.columns[i] = columns::gather_parts(parts, rows.rows(), budget);
  }
  rows.finish(batch);
  return batch;
}

}  // namespace accelerant::io
