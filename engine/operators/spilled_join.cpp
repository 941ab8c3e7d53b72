#include "operators/spilled_join.h"

#include "base/error.h"
#include "columns/gather.h"
#include "execution/event.h"
#include "memory/memory_wait.h"
#include "operators/join_probe.h"
#include "operators/join_rest.h"
#include "operators/pieces_held.h"
#include "operators/spill_sizes.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace accelerant::operators {

using columns::Batch;

namespace {

/// So many bytes are worth a probe, however few rows they have.
constexpr int64_t kBytesOfProbe = 256 << 10;

/// Some build rows of a partition, and how far the rows that were set aside, and are among their keys, are joined with
/// them.
struct JoinPiece {
  std::unique_ptr<PiecesHeld::Hold> hold;  ///< ends when the rows are gone
  std::shared_ptr<BuiltSide> built;
  std::unique_ptr<JoinProbe> probe;
  std::unique_ptr<State> probe_state;
  std::unique_ptr<SpilledJoinReader> reader;  ///< of rows set aside
  std::vector<Batch> read;                    ///< some of these that are put together next
  bool is_all_read = false;
  std::optional<Batch> rows;     ///< that are probed next
  int64_t next_row = 0;          ///< of them
  std::optional<Batch> in;       ///< that is being probed
  std::unique_ptr<Source> rest;  ///< of build rows, when all others are joined
  std::unique_ptr<State> rest_state;
};

/// Build rows that are being read.
struct JoinLoad {
  std::unique_ptr<PiecesHeld::Hold> hold;
  KeyRange keys;
  size_t num_blocks;
  bool is_last;      ///< no build rows of the keys come behind these
  bool makes_piece;  ///< there is something to be done of them
  std::vector<const SpilledJoinRows::Block*> probe_blocks;
  std::unique_ptr<SpilledBuildReader> reader;
  std::unique_ptr<JoinTable> table = nullptr;  ///< once all are read
  int64_t next_task = 0;                       ///< that completes the table
};

/// What one worker is at.
struct SpilledJoinState final : State {
  explicit SpilledJoinState(std::shared_ptr<PiecesHeld> of) : held(std::move(of)) {}
  SpilledJoinState(const SpilledJoinState&) = delete;
  SpilledJoinState& operator=(const SpilledJoinState&) = delete;
  ~SpilledJoinState() override { held->end_alone(*this); }

  const std::shared_ptr<PiecesHeld> held;
  int64_t morsel = -1;
  KeyRange left{0, 0};              ///< of the partition's keys, what was not joined yet
  int64_t width = 0;                ///< of the ranges that are joined
  size_t most_blocks = 0;           ///< of build rows that are joined at a time
  size_t blocks_done = 0;           ///< of the next range
  std::optional<ProbeMarks> marks;  ///< of rows that are joined with the next range
  std::optional<JoinLoad> loading;
  std::optional<JoinPiece> piece;
  int64_t sequence = 0;
};

class SpilledJoinSource final : public Source {
 public:
  SpilledJoinSource(std::shared_ptr<const plan::Join> node, std::shared_ptr<const BuiltSide> built,
                    std::shared_ptr<SetAsideRows> set_aside, int64_t num_workers, bool keeps_order,
                    const execution::OperatorContext& ctx)
      : node_(std::move(node)),
        built_(std::move(built)),
        build_(*built_->spilled()),
        set_aside_(std::move(set_aside)),
        num_workers_(std::max<int64_t>(num_workers, 1)),
        ctx_(ctx),
        partitions_(build_.partitions()),
        probe_columns_read_(node_->columns_read_of(node_->builds_left ? 1 : 0)),
        least_width_(node_->build_keys() ? KeyRange::kOfSlice : KeyRange::kOfPartition),
        held_(std::make_shared<PiecesHeld>(keeps_order)) {}

  std::string_view name() const override { return "SpilledJoin"; }
  std::unique_ptr<State> make_state() override { return std::make_unique<SpilledJoinState>(held_); }
  int64_t num_morsels() const override { return static_cast<int64_t>(partitions_.size()); }

  Step next(State& state, Batch& out) override {
    auto& worker = static_cast<SpilledJoinState&>(state);
    if (worker.morsel < 0) {
      worker.morsel = taken_.fetch_add(1, std::memory_order_relaxed);
      worker.sequence = worker.width = 0;
    }
    out.morsel = worker.morsel;
    if (worker.morsel >= num_morsels()) return Step::finished();
    if (execution::EventPtr others = set_aside_->complete()) return Step::suspended(std::move(others));
    if (worker.width == 0) begin(worker);
    std::optional<Batch> made;
    while (!made && (worker.piece || worker.left.begin < worker.left.end)) {
      ctx_.cancellation->check();
      if (!worker.piece) {
        if (execution::EventPtr others = load(worker)) return Step::suspended(std::move(others));
      }
      if (!worker.piece) continue;
      Step step = join(*worker.piece, made);
      if (step.kind == Step::Kind::Suspended) return step;
      if (step.kind == Step::Kind::Finished) worker.piece.reset();
    }
    const bool ends_morsel = !made;
    if (!made) made = nothing();
    made->morsel = worker.morsel;
    made->sequence = worker.sequence++;
    made->morsels_before = columns::kNoOrder;
    made->ends_morsel = ends_morsel;
    if (ends_morsel) worker.morsel = -1;
    out = std::move(*made);
    return Step::has_output();
  }

 private:
  void begin(SpilledJoinState& worker) const {
    const int partition = partitions_[static_cast<size_t>(worker.morsel)];
    worker.left = SpilledJoinRows::keys_of(partition);
    worker.blocks_done = 0;
    worker.most_blocks = std::numeric_limits<size_t>::max();
    worker.width = KeyRange::kOfPartition;
    // Half of what is left is for who is above.
    const int64_t share = std::max(build_.target()->bytes_left() / 2 / num_workers_, kLeastShare);
    for (int64_t bytes = build_.table_bytes(partition); bytes > share && worker.width > least_width_; bytes /= 2) {
      worker.width /= 2;
    }
  }

  /// Loads the build rows of the next keys, or some of them where memory is too short: sets a piece, or passes keys
  /// that nothing is to be done of. Returns what to wait for before it is called again: rows on their way, or others,
  /// who have the memory.
  execution::EventPtr load(SpilledJoinState& worker) const {
    for (bool may_do_with_less = true;;) {
      size_t num_blocks = 0;
      try {
        std::optional<memory::WithoutWaiting> at_once;
        if (may_do_with_less) at_once.emplace();
        if (!worker.loading) {
          if (execution::EventPtr others = start_load(worker)) return others;
        }
        JoinLoad& loading = *worker.loading;
        num_blocks = loading.num_blocks;
        if (loading.makes_piece) {
          if (execution::EventPtr block = loading.reader->read()) return block;
          make_piece(worker, loading);
        }
        end_load(worker);
        return nullptr;
      } catch (const Error& error) {
        worker.loading.reset();
        if (error.error_class() != memory::kOutOfBudget || !may_do_with_less) throw;
        may_do_with_less = wants_less(worker, num_blocks);
      } catch (const memory::MemoryWait&) {
        worker.loading.reset();
        throw;
      }
    }
  }

  /// Chooses what is to be read. Returns what to wait for where others have the memory.
  execution::EventPtr start_load(SpilledJoinState& worker) const {
    const KeyRange keys{worker.left.begin, std::min(worker.left.end, worker.left.begin + worker.width)};
    std::vector<const SpilledJoinRows::Block*> blocks = build_.rows().blocks(keys);
    blocks.erase(blocks.begin(), blocks.begin() + static_cast<std::ptrdiff_t>(worker.blocks_done));
    const size_t num_blocks = std::min(blocks.size(), worker.most_blocks);
    const bool is_last = num_blocks == blocks.size();
    blocks.resize(num_blocks);
    execution::EventPtr others;
    auto hold = held_->begin(worker, worker.morsel, others);
    if (!hold) return others;
    std::vector<const SpilledJoinRows::Block*> probe_blocks = set_aside_->rows().blocks(keys);
    const bool makes_piece = !probe_blocks.empty() || (node_->emits_build_rows() && !blocks.empty());
    auto reader = std::make_unique<SpilledBuildReader>(build_, blocks, keys, ctx_);
    worker.loading = JoinLoad{.hold = std::move(hold),
                              .keys = keys,
                              .num_blocks = num_blocks,
                              .is_last = is_last,
                              .makes_piece = makes_piece,
                              .probe_blocks = std::move(probe_blocks),
                              .reader = std::move(reader)};
    return nullptr;
  }

  void end_load(SpilledJoinState& worker) const {
    const JoinLoad& load = *worker.loading;
    held_->end_alone(worker);
    worker.blocks_done = load.is_last ? 0 : worker.blocks_done + load.num_blocks;
    if (load.is_last) worker.left.begin = load.keys.end;
    // It may have been others who had the memory.
    if (worker.most_blocks <= load.num_blocks) worker.most_blocks *= 2;
    worker.loading.reset();
  }

  /// Has a worker take fewer rows, or do so alone, where memory was too short; false: it can't.
  bool wants_less(SpilledJoinState& worker, size_t num_blocks) const {
    // No other range is begun in the midst of one.
    if (worker.width > least_width_ && worker.blocks_done == 0) {
      worker.width /= 2;
    } else if (num_blocks > 1) {
      worker.most_blocks = num_blocks / 2;
    } else {
      return held_->want_alone(worker, worker.morsel);
    }
    return true;
  }

  void make_piece(SpilledJoinState& worker, JoinLoad& load) const {
    prepare_marks(worker, load.probe_blocks, load.is_last);
    JoinPiece piece;
    make_table(load);
    piece.hold = std::move(load.hold);
    piece.built =
        std::make_shared<BuiltSide>(node_, std::move(load.table), built_->has_rows(), built_->has_null_key(), ctx_);
    ProbeMarks* marks = worker.marks ? &*worker.marks : nullptr;
    piece.probe = std::make_unique<JoinProbe>(node_, piece.built, ctx_, nullptr, marks);
    piece.probe_state = piece.probe->make_state();
    piece.reader = std::make_unique<SpilledJoinReader>(set_aside_->rows(), load.probe_blocks, load.keys, ctx_,
                                                       build_.target()->threads);
    worker.piece.emplace(std::move(piece));
  }

  /// Has marks where they are needed: what becomes of a probe row is known with the last build rows of its key.
  void prepare_marks(SpilledJoinState& worker, const std::vector<const SpilledJoinRows::Block*>& probe_blocks,
                     bool is_last) const {
    if (worker.blocks_done == 0) {
      worker.marks.reset();
      const bool chooses_probe_rows = node_->emits_left_only() && !node_->builds_left;
      if (is_last || !(chooses_probe_rows || node_->keeps_probe_rows())) return;
      int64_t num_rows = 0;
      for (const SpilledJoinRows::Block* block : probe_blocks) num_rows += block->num_rows;
      ProbeMarks marks{memory::Array<uint8_t>(ctx_.budget)};
      marks.matched.resize(num_rows);
      worker.marks.emplace(std::move(marks));
    }
    if (!worker.marks) return;
    worker.marks->next_row = 0;
    worker.marks->is_last = is_last;
  }

  void make_table(JoinLoad& load) const {
    const auto order = node_->build_keys() ? JoinTable::ChainOrder::LastRowFirst : JoinTable::ChainOrder::FirstRowFirst;
    if (!load.table) {
      load.table = std::make_unique<JoinTable>(load.reader->take(), node_->emits_build_rows(), order, 1, ctx_);
    }
    if (load.next_task == 0) load.table->allocate();
    for (; load.next_task < load.table->num_finish_tasks(); ++load.next_task) {
      load.table->run_finish_task(load.next_task);
    }
  }

  /// Joins some rows, perhaps without result; Finished: there are no more.
  Step join(JoinPiece& piece, std::optional<Batch>& out) const {
    if (piece.rest) {
      Batch made;
      Step step = piece.rest->next(*piece.rest_state, made);
      if (step.kind == Step::Kind::HasOutput && made.num_rows > 0) out = std::move(made);
      return step;
    }
    if (!piece.in) {
      if (execution::EventPtr block = start_next_rows(piece)) return Step::suspended(std::move(block));
      piece.in = next_rows(piece);
    }
    if (!piece.in) {
      if (!node_->emits_build_rows()) return Step::finished();
      piece.rest = std::make_unique<JoinRestSource>(node_, piece.built, 0, 1, ctx_);
      piece.rest_state = piece.rest->make_state();
      return Step::has_output();
    }
    std::optional<Batch> made;
    Step step = piece.probe->process(*piece.probe_state, *piece.in, made);
    if (step.kind == Step::Kind::NeedsInput) piece.in.reset();
    if (made && (made->num_selected() > 0 || !made->errors.empty())) out = std::move(made);
    return step;
  }

  /// Reads on where that is what comes next of the rows that were set aside: blocks of few together, as each batch
  /// costs whoever is above. Returns what to wait for until `next_rows` has some; nullptr: nothing.
  execution::EventPtr start_next_rows(JoinPiece& piece) const {
    if (piece.rows && piece.next_row < piece.rows->num_rows) return nullptr;
    piece.rows.reset();
    while (!piece.is_all_read && !is_worth_a_probe(piece.read)) {
      if (execution::EventPtr block = piece.reader->start_next()) return block;
      std::optional<Batch> block = piece.reader->next();
      piece.is_all_read = !block;
      if (block && block->num_rows > 0) piece.read.push_back(std::move(*block));
    }
    if (piece.read.empty()) return nullptr;
    piece.rows = put_together(piece.read);
    piece.read.clear();
    piece.next_row = 0;
    return nullptr;
  }

  bool is_worth_a_probe(std::span<const Batch> read) const {
    int64_t num_rows = 0;
    int64_t num_bytes = 0;
    for (const Batch& block : read) {
      num_rows += block.num_rows;
      for (const columns::ColumnPtr& column : block.columns) num_bytes += column->memory_bytes();
    }
    return !read.empty() && (2 * num_rows >= ctx_.batch_rows || num_bytes >= kBytesOfProbe);
  }

  Batch put_together(const std::vector<Batch>& read) const {
    if (read.size() == 1) return read.front();
    Batch rows;
    for (const Batch& block : read) rows.num_rows += block.num_rows;
    for (size_t i = 0; i < read.front().columns.size(); ++i) {
      if (!probe_columns_read_[i]) {
        rows.columns.push_back(columns::Column::nulls(read.front().columns[i]->type(), rows.num_rows, ctx_.budget));
        continue;
      }
      std::vector<columns::ColumnPtr> parts;
      for (const Batch& block : read) parts.push_back(block.columns[i]);
      rows.columns.push_back(columns::concatenate(parts, ctx_.budget));
    }
    return rows;
  }

  /// Returns the next rows that were set aside; nullopt: there are no more.
  std::optional<Batch> next_rows(JoinPiece& piece) const {
    if (!piece.rows) return std::nullopt;
    const int64_t length = std::min(ctx_.batch_rows, piece.rows->num_rows - piece.next_row);
    Batch rows = columns::slice(*piece.rows, piece.next_row, length);
    piece.next_row += length;
    return rows;
  }

  Batch nothing() const {
    Batch batch;
    for (const auto& column : node_->output)
      batch.columns.push_back(columns::Column::nulls(column.type, 0, ctx_.budget));
    return batch;
  }

  const std::shared_ptr<const plan::Join> node_;
  const std::shared_ptr<const BuiltSide> built_;
  const SpilledBuild& build_;
  const std::shared_ptr<SetAsideRows> set_aside_;
  const int64_t num_workers_;
  const execution::OperatorContext ctx_;
  const std::vector<int> partitions_;
  const plan::ColumnMask probe_columns_read_;
  const int64_t least_width_;  ///< of a range: blocks are of no less, and parted where they are too many
  const std::shared_ptr<PiecesHeld> held_;
  std::atomic<int64_t> taken_{0};
};

}  // namespace

std::unique_ptr<Source> make_spilled_join(std::shared_ptr<const plan::Join> node,
                                          std::shared_ptr<const BuiltSide> built,
                                          std::shared_ptr<SetAsideRows> set_aside, int64_t num_workers,
                                          bool keeps_order, const execution::OperatorContext& ctx) {
  return std::make_unique<SpilledJoinSource>(std::move(node), std::move(built), std::move(set_aside), num_workers,
                                             keeps_order, ctx);
}

}  // namespace accelerant::operators
