#include "operators/range.h"

#include "columns/column.h"

#include <algorithm>
#include <atomic>
#include <utility>

namespace accelerant::operators {

using columns::Batch;

namespace {

/// Rows of a morsel: enough work that taking the next one costs nothing.
constexpr int64_t kMorselRows = 256 * 1024;

/// More parts than this no consumer asks for.
constexpr int64_t kMaxPartitions = 1024;

struct RangeState final : State {
  int64_t morsel = 0;
  int64_t sequence = 0;
  int64_t next = 0;  ///< the row that comes next
  int64_t end = 0;   ///< of the morsel
};

/// Returns how many of some rows come before the i-th of so many shares, as Spark divides them.
int64_t rows_before(int64_t num_rows, int64_t share, int64_t num_shares) {
  return static_cast<int64_t>(static_cast<__int128>(num_rows) * share / num_shares);
}

/// Emits rows [begin, end) of a range. Workers draw morsels from a counter: equally many of each partition of Spark's.
class RangeSource final : public Source {
 public:
  RangeSource(std::shared_ptr<const plan::Range> node, int64_t begin, int64_t end, execution::OperatorContext ctx)
      : node_(std::move(node)),
        begin_(begin),
        end_(end),
        ctx_(std::move(ctx)),
        num_slices_(std::clamp<int64_t>(end - begin == node_->num_rows ? node_->num_slices : 1, 0, end - begin)),
        morsels_per_slice_(num_slices_ == 0 ? 0 : (end - begin) / num_slices_ / kMorselRows + 1) {}

  std::string_view name() const override { return "Range"; }
  std::unique_ptr<State> make_state() override { return std::make_unique<RangeState>(); }
  int64_t num_morsels() const override { return num_slices_ * morsels_per_slice_; }

  Step next(State& state, Batch& out) override {
    auto& place = static_cast<RangeState&>(state);
    if (place.next == place.end && !take_morsel(place)) return Step::finished();
    out = Batch();
    out.morsel = place.morsel;
    out.morsels_before = place.morsel % morsels_per_slice_;
    out.num_rows = std::min(ctx_.batch_rows, place.end - place.next);
    if (!node_->output.empty()) out.columns.push_back(numbers(place.next, out.num_rows));
    out.sequence = place.sequence++;
    place.next += out.num_rows;
    out.ends_morsel = place.next == place.end;
    return Step::has_output();
  }

 private:
  bool take_morsel(RangeState& place) {
    place.morsel = next_morsel_.fetch_add(1, std::memory_order_relaxed);
    if (place.morsel >= num_morsels()) return false;
    place.sequence = 0;
    const int64_t slice = place.morsel / morsels_per_slice_;
    const int64_t first = rows_before(end_ - begin_, slice, num_slices_);
    const int64_t num_rows = rows_before(end_ - begin_, slice + 1, num_slices_) - first;
    const int64_t share = place.morsel % morsels_per_slice_;
    place.next = begin_ + first + rows_before(num_rows, share, morsels_per_slice_);
    place.end = begin_ + first + rows_before(num_rows, share + 1, morsels_per_slice_);
    return true;
  }

  columns::ColumnPtr numbers(int64_t first, int64_t length) const {
    columns::FlatBuilder builder(node_->output.front().type, types::PhysicalType::Int64, length, ctx_.budget);
    // Modulo 2^64: a product may leave 64 bits, the sum does not.
    const auto step = static_cast<uint64_t>(node_->step);
    const uint64_t start = static_cast<uint64_t>(node_->start) + static_cast<uint64_t>(first) * step;
    auto* values = builder.values<uint64_t>();
    for (int64_t i = 0; i < length; ++i) values[i] = start + static_cast<uint64_t>(i) * step;
    return builder.finish();
  }

  const std::shared_ptr<const plan::Range> node_;
  const int64_t begin_;
  const int64_t end_;
  const execution::OperatorContext ctx_;
  const int64_t num_slices_;
  const int64_t morsels_per_slice_;
  std::atomic<int64_t> next_morsel_{0};
};

}  // namespace

RangeTable::RangeTable(std::shared_ptr<const plan::Range> node)
    : node_(std::move(node)), num_partitions_(static_cast<int>(std::min(node_->num_rows, kMaxPartitions))) {}

int64_t RangeTable::rows_before(int partition) const {
  return operators::rows_before(node_->num_rows, partition, std::max(1, num_partitions_));
}

int64_t RangeTable::partition_bytes(int partition) const {
  // Of the size of one column, kept small enough to be added up.
  constexpr int64_t kMaxBytes = INT64_MAX / (2 * kMaxPartitions);
  const int64_t rows = rows_before(partition + 1) - rows_before(partition);
  return std::min(rows, kMaxBytes / 8) * 8;
}

std::unique_ptr<Source> RangeTable::make_source(int first, int last, const execution::OperatorContext& ctx) const {
  return std::make_unique<RangeSource>(node_, rows_before(first), rows_before(last), ctx);
}

}  // namespace accelerant::operators
