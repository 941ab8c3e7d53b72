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

/// Emits rows [begin, end) of a range. Workers draw morsels from a counter.
class RangeSource final : public Source {
 public:
  RangeSource(std::shared_ptr<const plan::Range> node, int64_t begin, int64_t end, execution::OperatorContext ctx)
      : node_(std::move(node)), begin_(begin), end_(end), ctx_(std::move(ctx)) {}

  std::string_view name() const override { return "Range"; }
  std::unique_ptr<State> make_state() override { return std::make_unique<RangeState>(); }
  int64_t num_morsels() const override { return (end_ - begin_) / kMorselRows + ((end_ - begin_) % kMorselRows > 0); }

  Step next(State& state, Batch& out) override {
    auto& place = static_cast<RangeState&>(state);
    if (place.next == place.end && !take_morsel(place)) return Step::finished();
    out = Batch();
    out.morsel = place.morsel;
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
    place.next = begin_ + place.morsel * kMorselRows;
    place.end = place.next + std::min(kMorselRows, end_ - place.next);
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
  std::atomic<int64_t> next_morsel_{0};
};

}  // namespace

RangeTable::RangeTable(std::shared_ptr<const plan::Range> node)
    : node_(std::move(node)), num_partitions_(static_cast<int>(std::min(node_->num_rows, kMaxPartitions))) {}

int64_t RangeTable::rows_before(int partition) const {
  return static_cast<int64_t>(static_cast<__int128>(node_->num_rows) * partition / std::max(1, num_partitions_));
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
