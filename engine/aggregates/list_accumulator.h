#pragma once

#include "aggregates/function.h"
#include "memory/array.h"

#include <memory>
#include <span>
#include <vector>

namespace accelerant::aggregates {

/// Collects a group's values of the first argument, in the query's order. The result is the list. Further arguments are
/// constants.
class ListAccumulator : public Accumulator {
 public:
  ListAccumulator(const Call& call, const execution::OperatorContext& ctx);

  void resize(int64_t num_groups) override { num_groups_ = num_groups; }
  void update(const GroupedRows& rows, Arguments arguments) override;
  void merge(const Accumulator& other, std::span<const int32_t> from, std::span<const int32_t> into) override;
  void seal() override;
  /// After `seal`: a list of the values, one of the batches that they came in, and the constants.
  std::vector<columns::ColumnPtr> states(int64_t first, int64_t length) const override;
  void merge_states(Arguments states, std::span<const int32_t> into) override;
  columns::ColumnPtr finish(int64_t first, int64_t length, std::vector<columns::RowError>& errors) const override;

 protected:
  /// After `seal`: the positions in `values` of a group's, in order.
  std::span<const int32_t> positions_of(int64_t group) const { return positions_of(group, 1); }
  /// After `seal`: the values of all groups; nullptr: none.
  const columns::ColumnPtr& values() const { return values_; }
  /// The constants, flat columns of one row each; none as long as no row counted.
  Arguments constants() const { return constants_; }

  const Call call_;
  const std::shared_ptr<memory::Budget> budget_;
  const int plan_node_;

 private:
  /// Values of one batch that count, with their groups.
  struct Chunk {
    int64_t batch;
    columns::ColumnPtr values;
    memory::Array<int32_t> groups;
  };

  /// Values that came in one batch, up to a position in `values_`.
  struct Run {
    int32_t end;
    int64_t batch;
  };

  /// Adds values of rows that `taken` lists; `groups` are theirs.
  void take(int64_t batch, const columns::Column& values, std::span<const int32_t> taken,
            std::span<const int32_t> groups);
  /// Takes over constants from a row, if none are known.
  void note_constants(Arguments constants, int32_t row);
  void order_by_group(int64_t num_values);
  /// Returns the positions of the values of groups [first, first + length), one group's after the other.
  std::span<const int32_t> positions_of(int64_t first, int64_t length) const;
  int64_t batch_of(int32_t position) const;
  /// Makes lists of groups [first, first + length) of their elements, one group's after the other.
  columns::ColumnPtr lists_of(const types::DataType& type, int64_t first, int64_t length,
                              columns::ColumnPtr elements) const;

  int64_t num_groups_ = 0;
  std::vector<columns::ColumnPtr> constants_;
  std::vector<Chunk> chunks_;
  int64_t num_chunk_values_ = 0;
  columns::ColumnPtr values_;              ///< of all chunks, once sealed
  std::vector<Run> runs_;                  ///< of `values_`
  memory::Array<int32_t> order_;           ///< positions in values_, group by group
  memory::Array<int32_t> first_of_group_;  ///< where each group starts in order_, and the end of the last
};

/// Returns the types of a list's states.
std::vector<types::DataType> list_state_types(const Call& call);

}  // namespace accelerant::aggregates
