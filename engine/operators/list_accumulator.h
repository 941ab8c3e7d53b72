#pragma once

#include "operators/accumulator.h"

#include <memory>
#include <vector>

namespace accelerant::operators {

/// COLLECT_LIST: a group's values in the query's order; also the lists of COLLECT_SET, whose values are distinct
/// already.
class ListAccumulator final : public Accumulator {
 public:
  ListAccumulator(const plan::AggregateCall& call, const execution::OperatorContext& ctx);

  void resize(int64_t num_groups) override { num_groups_ = num_groups; }
  void update(const GroupedRows& rows, Arguments arguments) override;
  void merge(const Accumulator& other, std::span<const int32_t> from, std::span<const int32_t> into) override;
  void seal() override;
  columns::ColumnPtr finish(int64_t first, int64_t length, std::vector<columns::RowError>& errors) const override;
  int64_t memory_bytes() const override;

 private:
  /// Values of one batch that count, with their groups.
  struct Chunk {
    int64_t batch;
    columns::ColumnPtr values;
    std::vector<int32_t> groups;
  };

  void order_by_group(int64_t num_values);

  const plan::AggregateCall call_;
  const std::shared_ptr<memory::Budget> budget_;
  const int plan_node_;
  int64_t num_groups_ = 0;
  std::vector<Chunk> chunks_;
  int64_t num_chunk_values_ = 0;
  columns::ColumnPtr values_;            ///< of all chunks, once sealed
  std::vector<int32_t> order_;           ///< positions in values_, group by group
  std::vector<int32_t> first_of_group_;  ///< where each group starts in order_, and the end of the last
};

}  // namespace accelerant::operators
