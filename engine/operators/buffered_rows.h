#pragma once

#include "columns/batch.h"
#include "execution/context.h"
#include "operators/operator.h"

#include <atomic>
#include <memory>
#include <vector>

namespace accelerant::operators {

/// Rows that a pipeline breaker has put in order: batches without selection or errors that own their bytes.
struct BufferedRows {
  std::vector<columns::Batch> batches;
};

/// Gives out part `index` of `count` of buffered rows, a morsel a batch; parts are contiguous and together make up all.
class BufferedRowsSource final : public Source {
 public:
  BufferedRowsSource(std::shared_ptr<const BufferedRows> rows, int index, int count);

  std::string_view name() const override { return "BufferedRows"; }
  std::unique_ptr<State> make_state() override { return std::make_unique<State>(); }
  Step next(State& state, columns::Batch& out) override;
  int64_t num_morsels() const override { return static_cast<int64_t>(last_ - first_); }

 private:
  const std::shared_ptr<const BufferedRows> rows_;
  const size_t first_;
  const size_t last_;
  std::atomic<size_t> taken_{0};
};

}  // namespace accelerant::operators
