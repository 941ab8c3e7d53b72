#include "operators/window_values.h"

namespace accelerant::operators {

namespace {

/// The rows that count: all, or those whose value is not null.
class CountedRows {
 public:
  CountedRows(const plan::WindowCall& call, const WindowRows& rows, const execution::OperatorContext& ctx)
      : all_(!call.ignores_nulls || !rows.column(call.arguments.front())->may_have_nulls()),
        before_(ctx.budget),
        rows_(ctx.budget) {
    if (all_) return;
    const columns::Column& values = *rows.column(call.arguments.front());
    before_.reserve(rows.num_rows() + 1);
    for_each_stretch(0, rows.num_rows(), ctx, [&](int32_t first, int32_t end) {
      for (int32_t row = first; row < end; ++row) {
        before_.push_back(static_cast<int32_t>(rows_.size()));
        if (!values.is_null(row)) rows_.push_back(row);
      }
    });
    before_.push_back(static_cast<int32_t>(rows_.size()));
  }

  /// Returns how many of them come before a row.
  int64_t num_before(int64_t row) const { return all_ ? row : before_[row]; }
  /// Returns the one before which so many come, if it is in [begin, end); WindowResult::kNone: it is not.
  int32_t at(int64_t place, int64_t begin, int64_t end) const {
    if (place < num_before(begin) || place >= num_before(end)) return WindowResult::kNone;
    return all_ ? static_cast<int32_t>(place) : rows_[place];
  }

 private:
  const bool all_;
  memory::Array<int32_t> before_;
  memory::Array<int32_t> rows_;
};

/// Returns the rows that `find` finds for all rows.
template <class Find>
memory::Array<int32_t> find_rows(const WindowRows& rows, const execution::OperatorContext& ctx, const Find& find) {
  memory::Array<int32_t> found(ctx.budget);
  found.reserve(rows.num_rows());
  for_each_stretch(0, rows.num_rows(), ctx, [&](int32_t first, int32_t end) {
    for (int32_t row = first; row < end; ++row) found.push_back(find(row));
  });
  return found;
}

/// Returns the place, among rows that count, of the one that stands some behind a row or, if negative, before it.
int64_t shifted_place(const CountedRows& counted, int32_t row, int64_t number) {
  if (number > 0) return counted.num_before(row + 1) + number - 1;
  return counted.num_before(row) + number;
}

}  // namespace

WindowResult compute_shifted(const plan::WindowCall& call, const WindowRows& rows,
                             const execution::OperatorContext& ctx) {
  const CountedRows counted(call, rows, ctx);
  WindowResult result;
  result.values = rows.column(call.arguments.front());
  if (call.arguments.size() > 1) result.defaults = rows.column(call.arguments[1]);
  result.places = find_rows(rows, ctx, [&](int32_t row) {
    if (call.number == 0) return row;
    return counted.at(shifted_place(counted, row, call.number), rows.partition_begin(row), rows.partition_end(row));
  });
  return result;
}

WindowResult compute_frame_values(const plan::WindowCall& call, const WindowRows& rows, const WindowFrames& frames,
                                  const execution::OperatorContext& ctx) {
  const CountedRows counted(call, rows, ctx);
  const bool from_end = call.kind == plan::WindowKind::LastValue;
  WindowResult result;
  result.values = rows.column(call.arguments.front());
  result.places = find_rows(rows, ctx, [&](int32_t row) {
    const int32_t begin = frames.begins[row];
    const int32_t end = frames.ends[row];
    const int64_t place =
        from_end ? counted.num_before(end) - call.number : counted.num_before(begin) + call.number - 1;
    return counted.at(place, begin, end);
  });
  return result;
}

}  // namespace accelerant::operators
