#include "operators/window_aggregates.h"

#include "base/error.h"
#include "columns/gather.h"
#include "operators/call_accumulator.h"
#include "operators/state_tree.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <utility>

// Rows of the same frame share a result. Where the order of rows shows in it (floating-point sums), each frame's rows
// are added one after the other, as Spark does, or to what the frame before came to where that begins with the same
// row. How others are added up goes by how they lie:
// - those that do not overlap: row by row, each row once;
// - those that begin with their window partition: what came since the frame before is added to its state;
// - others of up to 16,384 rows, of functions that can give back values exactly: what comes with a frame is added to
//   the state of the one before, what goes is taken from it;
// - narrow ones, and those of functions that keep all values: row by row, each;
// - others: of the states of a segment tree (Leis et al., "Efficient Processing of Window Functions in Analytical SQL
//   Queries", VLDB 2015), and of the rows at both ends.
// Merged states give what the rows one after the other would, as states are exact or go by the rows' places.

namespace accelerant::operators {

using aggregates::Accumulator;
using columns::ColumnPtr;

namespace {

/// Frames whose states are in memory at a time.
constexpr int64_t kFramesAtOnce = 1024;
/// Values that states hold at a time, if they hold all of a frame; more only of one frame.
constexpr int64_t kValuesAtOnce = 1 << 20;
/// Values that are added in order between looks at the cancellation; more only of kLeastFrames, as frames may be as
/// wide as their window partition.
constexpr int64_t kValuesBetweenLooks = 1 << 21;
constexpr int64_t kLeastFrames = 8;
/// Rows of a frame up to which merging states would not be faster.
constexpr int32_t kNarrowFrame = 2 * StateTree::kLeafRows;
/// Rows of a frame up to which states slide: each chunk of frames begins with all rows of its first one.
constexpr int32_t kMostSlidRows = 16 * 1024;
/// The batch of rows that come behind all others.
constexpr int64_t kLastBatch = std::numeric_limits<int64_t>::max();

/// Rows of frames, added to the states of a chunk of frames: the i-th frame's is group i + 1.
struct ChosenRows {
  std::vector<int32_t> rows;
  std::vector<int32_t> groups;

  void add(int32_t begin, int32_t end, int32_t group) {
    for (int32_t row = begin; row < end; ++row) {
      rows.push_back(row);
      groups.push_back(group);
    }
  }
};

/// Frames of which no two neighbours are the same.
struct DistinctFrames {
  DistinctFrames(const WindowFrames& frames, const WindowRows& rows, const execution::OperatorContext& ctx)
      : begins(ctx.budget), ends(ctx.budget), of_rows(ctx.budget) {
    of_rows.reserve(rows.num_rows());
    for_each_stretch(0, rows.num_rows(), ctx, [&](int32_t first, int32_t end) {
      for (int32_t row = first; row < end; ++row) add(frames.begins[row], frames.ends[row]);
    });
  }

  int64_t size() const { return begins.size(); }

  memory::Array<int32_t> begins;
  memory::Array<int32_t> ends;
  memory::Array<int32_t> of_rows;  ///< the frame of each row
  int32_t widest = 0;
  bool overlap = false;  ///< some do

 private:
  void add(int32_t begin, int32_t end) {
    if (begins.empty() || begins.back() != begin || ends.back() != end) {
      overlap |= !begins.empty() && begin < ends.back();
      widest = std::max(widest, end - begin);
      begins.push_back(begin);
      ends.push_back(end);
    }
    of_rows.push_back(static_cast<int32_t>(begins.size()) - 1);
  }
};

class FrameAggregation {
 public:
  /// @param running what pieces of the window partition before these rows came to; nullptr: there is none before
  FrameAggregation(const plan::WindowCall& call, const WindowRows& rows, const WindowFrames& frames,
                   const execution::OperatorContext& ctx, const RunningStates* running = nullptr)
      : call_(call),
        rows_(rows),
        frames_(frames, rows, ctx),
        ctx_(ctx),
        running_(running),
        next_batch_(running ? running->next_batch : 0) {
    for (const int argument : call.arguments) arguments_.push_back(rows.column(argument));
  }

  WindowResult compute() {
    std::vector<ColumnPtr> parts;
    std::vector<columns::RowError> of_frames;
    choose_way();
    for (int64_t first = 0, length = 0; first < frames_.size(); first += length) {
      length = frames_at_once(first);
      std::unique_ptr<Accumulator> states = add_up(first, length);
      states->seal();
      const size_t num_before = of_frames.size();
      parts.push_back(states->finish(1, length, of_frames));
      count_values(*parts.back());
      for (size_t i = num_before; i < of_frames.size(); ++i) of_frames[i].row += static_cast<int32_t>(first);
      before_ = std::move(states);
    }
    WindowResult result;
    result.values = columns::concatenate(parts, ctx_.budget, ctx_.cancellation);
    note_errors(of_frames, result.errors);
    result.places = std::move(frames_.of_rows);
    return result;
  }

  /// Returns what the rows came to, once computed.
  RunningStates running() && { return {std::move(before_), static_cast<int32_t>(num_groups_) - 1, next_batch_}; }

 private:
  enum class Way : uint8_t { InOrder, Apart, Growing, Sliding, RowByRow, Tree };

  void choose_way() {
    if (call_.aggregate.adds_frames_in_order()) {
      way_ = Way::InOrder;
    } else if (running_) {
      way_ = Way::Growing;
    } else if (!frames_.overlap) {
      way_ = Way::Apart;
    } else if (call_.aggregate.overload->collects) {
      way_ = Way::RowByRow;
    } else if (call_.frame.lower.kind == plan::FrameBound::Kind::Unbounded) {
      way_ = Way::Growing;
    } else if (frames_.widest <= kMostSlidRows &&
               make_call_accumulator(call_.aggregate, ctx_)->slide({}, {}, arguments_)) {
      way_ = Way::Sliding;
    } else if (frames_.widest <= kNarrowFrame) {
      way_ = Way::RowByRow;
    } else {
      way_ = Way::Tree;
      tree_.emplace(call_.aggregate, arguments_, rows_, ctx_);
    }
  }

  std::unique_ptr<Accumulator> add_up(int64_t first, int64_t length) {
    if (way_ == Way::InOrder) return add_in_order(first, length);
    num_groups_ = length + 1;
    auto states = make_call_accumulator(call_.aggregate, ctx_);
    states->resize(num_groups_);
    switch (way_) {
      case Way::InOrder:
      case Way::Apart:
      case Way::Growing:
        add_new_rows(*states, first, length);
        break;
      case Way::Sliding:
        ctx_.cancellation->check();
        states->slide(chunk_of(frames_.begins, first, length), chunk_of(frames_.ends, first, length), arguments_);
        break;
      case Way::RowByRow:
        add_all_rows(*states, first, length);
        break;
      case Way::Tree:
        add_from_tree(*states, first, length);
        break;
    }
    return states;
  }

  std::unique_ptr<Accumulator> add_in_order(int64_t first, int64_t length) {
    ctx_.cancellation->check();
    std::unique_ptr<aggregates::FrameAccumulator> states = call_.aggregate.make_in_order(ctx_);
    const auto last_before = static_cast<int32_t>(num_groups_) - 1;
    num_groups_ = length + 1;
    states->resize(num_groups_);
    aggregates::Frames frames{chunk_of(frames_.begins, first, length), chunk_of(frames_.ends, first, length)};
    if (first > 0 && frames.begins.front() == frames_.begins[first - 1]) {
      frames.goes_on_at = frames_.ends[first - 1];
      copy_state(*before_, last_before, *states);
    } else if (first == 0 && running_ && running_->states) {
      frames.goes_on_at = frames.begins.front();
      copy_state(*running_->states, running_->group, *states);
    }
    states->add_frames(frames, arguments_);
    return states;
  }

  static void copy_state(const Accumulator& from, int32_t group, Accumulator& into) {
    const int32_t none = 0;
    into.merge(from, std::span(&group, 1), std::span(&none, 1));
  }

  static std::span<const int32_t> chunk_of(const memory::Array<int32_t>& bounds, int64_t first, int64_t length) {
    return bounds.span().subspan(static_cast<size_t>(first), static_cast<size_t>(length));
  }

  /// Returns how many frames from one on are added up together.
  int64_t frames_at_once(int64_t first) const {
    const int64_t most = std::min(kFramesAtOnce, frames_.size() - first);
    const bool holds_values = way_ == Way::RowByRow && call_.aggregate.overload->collects;
    if (!holds_values && way_ != Way::InOrder) return most;
    int64_t num_values = 0;
    for (int64_t i = 0; i < most; ++i) {
      num_values += frames_.ends[first + i] - (holds_values ? frames_.begins[first + i] : rows_begin(first + i));
      if (holds_values && num_values > kValuesAtOnce) return std::max<int64_t>(i, 1);
      if (!holds_values && num_values > kValuesBetweenLooks && i >= kLeastFrames) return i;
    }
    return most;
  }

  /// Counts the values of results that are lists.
  void count_values(const columns::Column& results) {
    if (results.type().is(types::TypeId::Array)) num_values_ += results.children().front()->length();
    if (num_values_ > std::numeric_limits<int32_t>::max()) {
      throw Error(ErrorKind::Unsupported, "lists of a window partition hold at most 2,147,483,647 values")
          .at_plan_node(ctx_.plan_node);
    }
  }

  void add_all_rows(Accumulator& states, int64_t first, int64_t length) {
    for (int64_t i = 0; i < length; ++i) {
      add_rows(states, frames_.begins[first + i], frames_.ends[first + i], i);
    }
    add_chosen(states, chosen_, next_batch_++);
  }

  /// Returns the first row that is added to what the frame before came to, if it begins with the same row; else the
  /// frame's first.
  int32_t rows_begin(int64_t frame) const {
    const int32_t begin = frames_.begins[frame];
    return frame > 0 && begin == frames_.begins[frame - 1] ? frames_.ends[frame - 1] : begin;
  }

  bool goes_on(int64_t frame) const {
    if (way_ != Way::Growing) return false;
    return frame > 0 ? frames_.begins[frame] == frames_.begins[frame - 1] : running_ && running_->states;
  }
  int32_t new_rows_begin(int64_t frame) const {
    return frame > 0 && goes_on(frame) ? frames_.ends[frame - 1] : frames_.begins[frame];
  }

  /// Adds the rows that are in a frame and not in the one before, and the state of that one where it is a part.
  void add_new_rows(Accumulator& states, int64_t first, int64_t length) {
    for (int64_t i = 0; i < length; ++i) add_rows(states, new_rows_begin(first + i), frames_.ends[first + i], i);
    add_chosen(states, chosen_, next_batch_++);
    if (way_ != Way::Growing) return;
    merge_previous(states, first, length);
  }

  // The states before are complete when they are merged, as states are merged one after the other.
  void merge_previous(Accumulator& states, int64_t first, int64_t length) {
    std::vector<int32_t> from;
    std::vector<int32_t> into;
    for (int64_t i = 1; i < length; ++i) {
      if (!goes_on(first + i)) continue;
      from.push_back(static_cast<int32_t>(i));
      into.push_back(static_cast<int32_t>(i + 1));
    }
    if (goes_on(first)) {
      const Accumulator& before = first > 0 ? *before_ : *running_->states;
      const int32_t last = first > 0 ? static_cast<int32_t>(kFramesAtOnce) : running_->group;
      const int32_t group = 1;
      states.merge(before, std::span(&last, 1), std::span(&group, 1));
    }
    states.merge(states, from, into);
  }

  /// Chooses rows of the i-th frame of a chunk, and adds what was chosen when it is much.
  void add_rows(Accumulator& states, int32_t begin, int32_t end, int64_t i) {
    for (int32_t first = begin; first < end; first += kWindowRowsBetweenLooks) {
      chosen_.add(first, std::min(end, first + kWindowRowsBetweenLooks), static_cast<int32_t>(i) + 1);
      if (chosen_.rows.size() >= static_cast<size_t>(kWindowRowsBetweenLooks)) {
        add_chosen(states, chosen_, next_batch_++);
      }
    }
  }

  void add_chosen(Accumulator& states, ChosenRows& chosen, int64_t batch) {
    ctx_.cancellation->check();
    if (chosen.rows.empty()) return;
    const auto length = static_cast<int64_t>(chosen.rows.size());
    const bool in_a_row = chosen.rows.back() - chosen.rows.front() + 1 == length &&
                          std::ranges::adjacent_find(chosen.rows, std::ranges::greater_equal()) == chosen.rows.end();
    std::vector<ColumnPtr> arguments;
    for (const ColumnPtr& argument : arguments_) {
      arguments.push_back(in_a_row ? argument->slice(chosen.rows.front(), length)
                                   : columns::gather(*argument, chosen.rows, ctx_.budget));
    }
    states.update({chosen.groups.data(), length, num_groups_, batch}, arguments);
    chosen.rows.clear();
    chosen.groups.clear();
  }

  /// Adds the states of whole leaves, and the rows before and behind them.
  void add_from_tree(Accumulator& states, int64_t first, int64_t length) {
    std::vector<int32_t> from;
    std::vector<int32_t> into;
    ChosenRows before;
    ChosenRows behind;
    for (int64_t i = 0; i < length; ++i) {
      const int32_t begin = frames_.begins[first + i];
      const int32_t end = frames_.ends[first + i];
      const auto group = static_cast<int32_t>(i) + 1;
      const int32_t first_leaf = (begin + StateTree::kLeafRows - 1) / StateTree::kLeafRows;
      const int32_t last_leaf = end / StateTree::kLeafRows;
      if (first_leaf >= last_leaf) {
        before.add(begin, end, group);
        continue;
      }
      before.add(begin, first_leaf * StateTree::kLeafRows, group);
      tree_->append_states(first_leaf, last_leaf, from);
      into.resize(from.size(), group);
      behind.add(last_leaf * StateTree::kLeafRows, end, group);
    }
    add_chosen(states, before, 0);
    add_chosen(states, behind, kLastBatch);
    states.merge(tree_->states(), from, into);
  }

  /// Lets each row whose frame failed fail.
  void note_errors(const std::vector<columns::RowError>& of_frames, std::vector<columns::RowError>& errors) const {
    if (of_frames.empty()) return;
    size_t next = 0;
    for (int32_t row = 0; row < rows_.num_rows(); ++row) {
      while (next < of_frames.size() && of_frames[next].row < frames_.of_rows[row]) ++next;
      if (next == of_frames.size()) return;
      if (of_frames[next].row != frames_.of_rows[row]) continue;
      errors.push_back(of_frames[next]);
      errors.back().row = row;
    }
  }

  const plan::WindowCall& call_;
  const WindowRows& rows_;
  DistinctFrames frames_;
  const execution::OperatorContext& ctx_;
  const RunningStates* const running_;
  std::vector<ColumnPtr> arguments_;
  Way way_ = Way::Apart;
  ChosenRows chosen_;
  int64_t next_batch_;
  int64_t num_groups_ = 0;               ///< of the chunk
  int64_t num_values_ = 0;               ///< of results that are lists
  std::unique_ptr<Accumulator> before_;  ///< of the chunk before
  std::optional<StateTree> tree_;
};

}  // namespace

WindowResult compute_aggregate(const plan::WindowCall& call, const WindowRows& rows, const WindowFrames& frames,
                               const execution::OperatorContext& ctx) {
  return FrameAggregation(call, rows, frames, ctx).compute();
}

WindowResult compute_running(const plan::WindowCall& call, const WindowRows& rows, const WindowFrames& frames,
                             const execution::OperatorContext& ctx, const RunningStates& before,
                             RunningStates& behind) {
  FrameAggregation aggregation(call, rows, frames, ctx, &before);
  WindowResult result = aggregation.compute();
  behind = std::move(aggregation).running();
  return result;
}

}  // namespace accelerant::operators
