#include "operators/spilled_window_rows.h"

#include "execution/gate.h"
#include "operators/window_reader.h"
#include "operators/windowed_morsel.h"

#include <optional>
#include <string_view>
#include <vector>

namespace accelerant::operators {

using columns::Batch;
using execution::EventPtr;

namespace {

/// The morsel that a worker reads or computes.
struct SpilledWindowState final : State {
  explicit SpilledWindowState(std::shared_ptr<WindowReader> of) : reader(std::move(of)), turn(reader->gate()) {
    reader->add_worker();
  }

  const std::shared_ptr<WindowReader> reader;
  execution::Gate::Pass turn;  ///< until it has read its morsel
  bool has_morsel = false;
  int64_t morsel = -1;
  bool has_piece = false;
  WindowPiece piece;                   ///< that is being computed
  std::optional<WindowedMorsel> rows;  ///< of this piece
  int64_t sequence = 0;
};

class SpilledWindowSource final : public Source {
 public:
  SpilledWindowSource(std::shared_ptr<const plan::Window> node, std::shared_ptr<WindowReader> reader,
                      const execution::OperatorContext& ctx)
      : node_(std::move(node)),
        reader_(std::move(reader)),
        looks_beside_(WindowReach(*node_).has_near_rows),
        ctx_(ctx) {}

  std::string_view name() const override { return "SpilledWindow"; }
  std::unique_ptr<State> make_state() override { return std::make_unique<SpilledWindowState>(reader_); }
  int64_t num_morsels() const override { return reader_->num_morsels(); }

  Step next(State& state, Batch& out) override {
    auto& worker = static_cast<SpilledWindowState&>(state);
    out.morsel = worker.morsel;
    if (!worker.has_morsel) {
      if (EventPtr others = worker.turn.enter_alone()) return Step::suspended(std::move(others));
      out.morsel = worker.morsel = reader_->take_morsel();
      if (worker.morsel >= num_morsels()) {
        worker.turn.leave();
        return Step::finished();
      }
      worker.has_morsel = true;
      worker.sequence = 0;
    }
    if (!worker.has_piece) {
      if (EventPtr event = reader_->read(worker.morsel, worker.piece)) return Step::suspended(std::move(event));
      worker.has_piece = true;
      if (worker.piece.ends_morsel) worker.turn.leave();
    }
    Batch batch = compute(worker);
    batch.morsel = batch.morsels_before = worker.morsel;
    batch.sequence = worker.sequence++;
    if (!worker.rows || worker.rows->is_emitted()) {
      batch.ends_morsel = worker.piece.ends_morsel;
      worker.rows.reset();
      worker.has_piece = false;
      worker.has_morsel = !batch.ends_morsel;
    }
    out = std::move(batch);
    return Step::has_output();
  }

 private:
  /// Returns the next rows of a piece that was read. Goes on from what was computed before the step had to wait.
  Batch compute(SpilledWindowState& worker) const {
    if (!worker.rows && worker.piece.rows.empty()) return no_windowed_rows(*node_, reader_->no_rows(), ctx_);
    if (!worker.rows) worker.rows.emplace(joined(worker.piece));
    worker.rows->compute(*node_, ctx_);
    return worker.rows->next(*node_, ctx_);
  }

  /// Takes the rows of a piece, which lets them go.
  WindowedMorsel joined(WindowPiece& piece) const {
    WindowRows rows(*node_, piece.rows, ctx_);
    std::optional<WindowRows> with_near;
    int32_t num_before = 0;
    if (piece.so_far && looks_beside_) {
      std::vector<Batch> near = piece.before;
      near.insert(near.end(), piece.rows.begin(), piece.rows.end());
      near.insert(near.end(), piece.behind.begin(), piece.behind.end());
      with_near.emplace(*node_, near, ctx_);
      for (const Batch& batch : piece.before) num_before += static_cast<int32_t>(batch.num_rows);
    }
    piece.rows.clear();
    piece.before.clear();
    piece.behind.clear();
    return {std::move(rows), std::move(with_near), num_before, std::move(piece.so_far)};
  }

  const std::shared_ptr<const plan::Window> node_;
  const std::shared_ptr<WindowReader> reader_;
  const bool looks_beside_;  ///< some functions, at rows beside a piece
  const execution::OperatorContext ctx_;
};

}  // namespace

std::unique_ptr<Source> SpilledWindowRows::make_source(int index, int count) const {
  auto reader = std::make_shared<WindowReader>(node_, parts_, index, count);
  return std::make_unique<SpilledWindowSource>(node_, std::move(reader), ctx_);
}

}  // namespace accelerant::operators
