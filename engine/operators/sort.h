#pragma once

#include "execution/context.h"
#include "operators/buffered_rows.h"
#include "operators/operator.h"
#include "plan/sort.h"

#include <memory>
#include <mutex>
#include <vector>

namespace accelerant::operators {

/// Sorts all rows in memory by normalised keys. Rows of equal keys keep the order of their morsels. Parts of the result
/// begin where keys change, if they can: the rows of a key may come in another order in another run.
class SortSink final : public Breaker {
 public:
  SortSink(std::shared_ptr<const plan::Sort> node, const execution::OperatorContext& ctx);

  std::string_view name() const override { return "Sort"; }
  std::unique_ptr<State> make_state() override;
  Step consume(State& state, columns::Batch& in) override;
  void combine(State& state) override;
  void finish() override;
  std::unique_ptr<Source> make_source(int index, int count) const override;

 private:
  const std::shared_ptr<const plan::Sort> node_;
  const execution::OperatorContext ctx_;
  const std::shared_ptr<BufferedRows> result_;
  std::mutex mutex_;
  std::vector<columns::Batch> batches_;  ///< of all workers, after they combined
};

}  // namespace accelerant::operators
