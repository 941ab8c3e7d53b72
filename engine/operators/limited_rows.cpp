#include "operators/limited_rows.h"

#include "operators/row_pieces.h"
#include "spill/block_format.h"

#include <algorithm>
#include <atomic>
#include <optional>
#include <string_view>

namespace accelerant::operators {

using columns::Batch;

namespace {

/// Some rows of a batch that was written: the blocks that have them, one after the other.
class BlocksInTurn {
 public:
  /// @param first, num_rows the rows wanted, at least one
  BlocksInTurn(const LimitRows& rows, int64_t first, int64_t num_rows, const execution::OperatorContext& ctx,
               spill::IoThreads& threads)
      : types_(rows.types), skipped_(first), num_left_(num_rows), reader_(blocks_of(rows), ctx.budget, threads) {}

  /// Takes the next block's rows. Returns what to wait for before it is asked again, or nullptr.
  execution::EventPtr next(Batch& out) {
    if (execution::EventPtr event = reader_.start_front()) return event;
    Batch block;
    block.columns = spill::decode_columns(reader_.front(), types_);
    block.num_rows = block.columns.front()->length();
    out = columns::slice(block, skipped_, std::min(num_left_, block.num_rows - skipped_));
    skipped_ = 0;
    num_left_ -= out.num_rows;
    reader_.pop_front();
    return nullptr;
  }

  bool has_ended() const { return num_left_ == 0; }

 private:
  /// Leaves out blocks before and behind the rows wanted.
  std::vector<spill::StoredBlock> blocks_of(const LimitRows& rows) {
    std::vector<spill::StoredBlock> blocks;
    int64_t end = num_left_ + skipped_;
    for (const LimitRows::Block& block : rows.blocks) {
      if (end <= 0) break;
      end -= block.num_rows;
      if (blocks.empty() && skipped_ >= block.num_rows) {
        skipped_ -= block.num_rows;
      } else {
        blocks.push_back(block.stored);
      }
    }
    return blocks;
  }

  const std::vector<types::DataType>& types_;
  int64_t skipped_;   ///< rows of the next block that are not wanted
  int64_t num_left_;  ///< wanted
  spill::BlockReader reader_;
};

/// The piece that a worker reads.
struct LimitedRowsState final : State {
  int64_t morsel = -1;
  int64_t sequence = 0;
  std::optional<BlocksInTurn> blocks;  ///< while some of it are left
};

class LimitedRowsSource final : public Source {
 public:
  LimitedRowsSource(std::shared_ptr<const LimitedRows> rows, const PiecePlace& begin, const PiecePlace& end,
                    const execution::OperatorContext& ctx, spill::IoThreads& threads)
      : rows_(std::move(rows)), begin_(begin), end_(end), ctx_(ctx), threads_(threads) {}

  std::string_view name() const override { return "LimitedRows"; }
  std::unique_ptr<State> make_state() override { return std::make_unique<LimitedRowsState>(); }

  int64_t num_morsels() const override { return pieces_between(begin_, end_); }

  Step next(State& state, Batch& out) override {
    auto& worker = static_cast<LimitedRowsState&>(state);
    out.morsel = worker.morsel;
    Batch batch;
    if (!worker.blocks) {
      const int64_t taken = next_morsel_.fetch_add(1, std::memory_order_relaxed);
      if (taken >= num_morsels()) return Step::finished();
      out.morsel = worker.morsel = taken;
      worker.sequence = 0;
      begin(worker, batch);
    }
    if (worker.blocks) {
      if (execution::EventPtr event = worker.blocks->next(batch)) return Step::suspended(std::move(event));
      if (worker.blocks->has_ended()) worker.blocks.reset();
    }
    batch.morsel = batch.morsels_before = worker.morsel;
    batch.sequence = worker.sequence++;
    batch.ends_morsel = !worker.blocks;
    out = std::move(batch);
    return Step::has_output();
  }

 private:
  /// Begins with what the part has of a worker's piece: a batch of it where it is in memory.
  void begin(LimitedRowsState& worker, Batch& batch) const {
    const size_t at = begin_.piece + static_cast<size_t>(worker.morsel);
    const LimitedRows::Piece& piece = rows_->pieces()[at];
    const int64_t first = at == begin_.piece ? begin_.row : 0;
    const int64_t num_rows = (at == end_.piece ? end_.row : piece.num_rows) - first;
    const LimitRows& rows = *piece.rows;
    if (!rows.blocks.empty()) {
      worker.blocks.emplace(rows, piece.first + first, num_rows, ctx_, threads_);
      return;
    }
    batch.num_rows = rows.num_rows;
    batch.columns = rows.columns;
    if (num_rows < rows.num_rows) batch = columns::slice(batch, piece.first + first, num_rows);
  }

  const std::shared_ptr<const LimitedRows> rows_;
  const PiecePlace begin_;
  const PiecePlace end_;
  const execution::OperatorContext ctx_;
  spill::IoThreads& threads_;
  std::atomic<int64_t> next_morsel_{0};
};

}  // namespace

std::unique_ptr<Source> LimitedStageRows::make_source(int index, int count) const {
  const auto& pieces = rows_->pieces();
  return std::make_unique<LimitedRowsSource>(rows_, part_begin(pieces, index, count),
                                             part_begin(pieces, index + 1, count), ctx_, threads_);
}

}  // namespace accelerant::operators
