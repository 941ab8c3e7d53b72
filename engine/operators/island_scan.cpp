#include "operators/island_scan.h"

#include "base/error.h"
#include "io/arrow_stream.h"
#include "io/unsafe_rows.h"

#include <algorithm>
#include <mutex>
#include <utility>

namespace accelerant::operators {

using columns::Batch;

namespace {

struct IslandScanState final : State {
  IslandScanState() = default;
  IslandScanState(const IslandScanState&) = delete;
  IslandScanState& operator=(const IslandScanState&) = delete;
  ~IslandScanState() override {
    if (rows) rows->leave();
  }

  std::shared_ptr<IslandRows> rows;  ///< of the morsel; nullptr between morsels
  int64_t morsel = 0;
  int64_t sequence = 0;
  bool is_taken = false;             ///< what comes next of the morsel
  std::optional<IslandChunk> chunk;  ///< that; nothing at its end
};

/// Emits partitions [first, last). Workers draw them from a counter, and wait for the rows of theirs.
class IslandScanSource final : public Source {
 public:
  IslandScanSource(std::shared_ptr<const plan::MemoryScan> node, std::shared_ptr<IslandTable> rows, int first, int last,
                   execution::OperatorContext ctx)
      : node_(std::move(node)), rows_(std::move(rows)), first_(first), last_(last), ctx_(std::move(ctx)) {}

  std::string_view name() const override { return "IslandScan"; }
  std::unique_ptr<State> make_state() override { return std::make_unique<IslandScanState>(); }
  int64_t num_morsels() const override { return last_ - first_; }

  Step next(State& state, Batch& out) override {
    auto& place = static_cast<IslandScanState&>(state);
    if (!place.rows) {
      draw(place);
      out.morsel = place.morsel;
      if (!place.rows) return Step::finished();
    }
    out.morsel = place.morsel;
    if (!place.is_taken) {
      execution::EventPtr wait;
      place.chunk = place.rows->take(wait);
      if (wait) return Step::suspended(std::move(wait));
      place.is_taken = true;
    }
    const std::optional<IslandChunk>& chunk = place.chunk;
    Batch batch = chunk && chunk->first_columns ? with_others(*chunk) : read_rows(chunk);
    if (chunk && ctx_.metrics) ctx_.metrics->input_bytes += chunk->bytes->size_bytes();
    if (!chunk) place.rows.reset();
    batch.ends_morsel = !chunk;
    batch.morsel = place.morsel;
    batch.sequence = place.sequence++;
    place.chunk.reset();
    place.is_taken = false;
    out = std::move(batch);
    return Step::has_output();
  }

 private:
  /// Asks for the next partition, if there is one. Nobody asks for a later one before: a feeder has one at a time, and
  /// what comes of a later one may wait for an earlier one's.
  void draw(IslandScanState& place) {
    const std::lock_guard lock(drawing_);
    place.morsel = next_morsel_++;
    place.sequence = 0;
    if (place.morsel < num_morsels()) place.rows = rows_->open(first_ + static_cast<int>(place.morsel));
  }

  Batch read_rows(const std::optional<IslandChunk>& chunk) const {
    return io::read_unsafe_rows(chunk ? chunk->bytes : nullptr, chunk ? chunk->num_rows : 0, node_->row_type,
                                ctx_.budget);
  }

  /// Puts the columns of an Arrow stream behind those that the engine has.
  Batch with_others(const IslandChunk& chunk) const {
    Batch batch = *chunk.first_columns;
    const auto& fields = node_->row_type.fields();
    const auto begin = fields.begin() + static_cast<std::ptrdiff_t>(batch.columns.size());
    const auto type = types::DataType::structure({begin, fields.end()});
    for (const Batch& others : io::read_arrow_stream(chunk.bytes, type, ctx_.budget)) {
      for (const auto& column : others.columns) batch.columns.push_back(column->slice(chunk.first, chunk.num_rows));
    }
    ACC_CHECK(batch.columns.size() == fields.size());
    return batch;
  }

  const std::shared_ptr<const plan::MemoryScan> node_;
  const std::shared_ptr<IslandTable> rows_;
  const int first_;
  const int last_;
  const execution::OperatorContext ctx_;
  std::mutex drawing_;
  int64_t next_morsel_ = 0;
};

}  // namespace

std::unique_ptr<Source> IslandScanTable::make_source(int first, int last, const execution::OperatorContext& ctx) const {
  return std::make_unique<IslandScanSource>(node_, rows_, first, last, ctx);
}

}  // namespace accelerant::operators
