#pragma once

#include "execution/context.h"
#include "operators/limit_spill.h"
#include "operators/stage_results.h"
#include "spill/io_threads.h"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace accelerant::operators {

/// What a limit emits of rows, in their order.
class LimitedRows {
 public:
  /// Rows of a batch, from one on.
  struct Piece {
    std::shared_ptr<const LimitRows> rows;
    int64_t first;
    int64_t num_rows;
  };

  void add(Piece piece) { pieces_.push_back(std::move(piece)); }
  const std::vector<Piece>& pieces() const { return pieces_; }

 private:
  std::vector<Piece> pieces_;
};

/// The rows of a limit as other stages read them: a morsel for what a part has of a piece, read from its file where it
/// has gone to disk.
class LimitedStageRows final : public StageRows {
 public:
  LimitedStageRows(std::shared_ptr<const LimitedRows> rows, const execution::OperatorContext& ctx,
                   spill::IoThreads& threads)
      : rows_(std::move(rows)), ctx_(ctx), threads_(threads) {}

  std::unique_ptr<Source> make_source(int index, int count) const override;

 private:
  const std::shared_ptr<const LimitedRows> rows_;
  const execution::OperatorContext ctx_;
  spill::IoThreads& threads_;
};

}  // namespace accelerant::operators
