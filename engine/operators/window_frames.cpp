#include "operators/window_frames.h"

#include "base/error.h"

#include <algorithm>
#include <array>
#include <span>

namespace accelerant::operators {

using columns::ColumnPtr;
using plan::FrameBound;

namespace {

/// Which end of a frame a bound is.
enum class End : uint8_t { Lower, Upper };

/// Compares order keys with the values that bound frames.
class ValueBound {
 public:
  ValueBound(const plan::SortKey& key, const FrameBound& bound, const WindowRows& rows)
      : key_(rows.column(key.column)),
        bound_(rows.column(bound.column)),
        order_({{0, key.ascending, key.nulls_first}}) {}

  /// Compares the key of a row with the bound of another one's frame: negative, 0, positive.
  int compare(int32_t row, int32_t of) const {
    return order_.compare_key(0, std::span(&key_, 1), row, std::span(&bound_, 1), of);
  }

  /// Fails where the bound left its type: Spark fails there, or wraps around.
  void check(int32_t of) const {
    if (bound_->is_null(of) && !key_->is_null(of)) throw_unsupported("a frame whose bound leaves the type of its key");
  }

 private:
  const ColumnPtr key_;
  const ColumnPtr bound_;
  const KeyOrder order_;
};

/// Finds one end of the frames of all rows.
class EndFinder {
 public:
  EndFinder(const plan::WindowCall& call, End end, const plan::Window& node, const WindowRows& rows,
            const execution::OperatorContext& ctx)
      : call_(call),
        bound_(end == End::Lower ? call.frame.lower : call.frame.upper),
        end_(end),
        node_(node),
        rows_(rows),
        ctx_(ctx),
        found_(ctx.budget) {}

  memory::Array<int32_t> find() && {
    found_.resize(rows_.num_rows());
    switch (bound_.kind) {
      case FrameBound::Kind::Unbounded:
        copy_stretches(rows_.partitions);
        break;
      case FrameBound::Kind::Peers:
        copy_stretches(rows_.peers(call_.num_keys));
        break;
      case FrameBound::Kind::Rows:
        count_rows();
        break;
      case FrameBound::Kind::Value:
        find_values();
        break;
    }
    return std::move(found_);
  }

 private:
  /// Lets frames begin or end with the stretch that their row is in.
  void copy_stretches(const memory::Array<int32_t>& stretches) {
    int64_t stretch = 0;
    for_each_stretch(0, rows_.num_rows(), ctx_, [&](int32_t first, int32_t end) {
      for (int32_t row = first; row < end; ++row) {
        while (stretches[stretch + 1] <= row) ++stretch;
        found_[row] = stretches[stretch + (end_ == End::Upper)];
      }
    });
  }

  void count_rows() {
    const int64_t offset = bound_.rows + (end_ == End::Upper);
    for_each_stretch(0, rows_.num_rows(), ctx_, [&](int32_t first, int32_t end) {
      for (int32_t row = first; row < end; ++row) {
        found_[row] = static_cast<int32_t>(
            std::clamp<int64_t>(row + offset, rows_.partition_begin(row), rows_.partition_end(row)));
      }
    });
  }

  // A bound passes each row of a partition once, as those of later rows are no less.
  void find_values() {
    const ValueBound values(node_.keys[node_.num_partition_keys], bound_, rows_);
    const int limit = end_ == End::Upper ? 1 : 0;
    int32_t next = 0;
    for (int32_t row = 0; row < rows_.num_rows(); ++row) {
      look();
      values.check(row);
      next = std::max(next, rows_.partition_begin(row));
      for (; next < rows_.partition_end(row) && values.compare(next, row) < limit; ++next) look();
      found_[row] = next;
    }
  }

  void look() {
    if (++num_compared_ % kWindowRowsBetweenLooks == 0) ctx_.cancellation->check();
  }

  const plan::WindowCall& call_;
  const FrameBound& bound_;
  const End end_;
  const plan::Window& node_;
  const WindowRows& rows_;
  const execution::OperatorContext& ctx_;
  memory::Array<int32_t> found_;
  int64_t num_compared_ = 0;
};

}  // namespace

WindowFrames find_frames(const plan::WindowCall& call, const plan::Window& node, const WindowRows& rows,
                         const execution::OperatorContext& ctx) {
  WindowFrames frames(ctx.budget);
  frames.begins = EndFinder(call, End::Lower, node, rows, ctx).find();
  frames.ends = EndFinder(call, End::Upper, node, rows, ctx).find();
  // Bounds that cross leave nothing.
  for_each_stretch(0, rows.num_rows(), ctx, [&](int32_t first, int32_t end) {
    for (int32_t row = first; row < end; ++row) frames.ends[row] = std::max(frames.begins[row], frames.ends[row]);
  });
  return frames;
}

}  // namespace accelerant::operators
