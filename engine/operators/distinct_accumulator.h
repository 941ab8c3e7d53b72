#pragma once

#include "aggregates/function.h"
#include "memory/array.h"
#include "operators/group_keys.h"
#include "operators/group_table.h"

#include <memory>
#include <string_view>
#include <vector>

namespace accelerant::operators {

/// Any function over DISTINCT arguments: remembers which combinations of arguments each group has met, and gives only
/// new ones on to the function's own accumulator.
class DistinctAccumulator final : public aggregates::Accumulator {
 public:
  /// @throws Error Unsupported for arguments that cannot be compared
  DistinctAccumulator(const aggregates::Call& call, std::unique_ptr<Accumulator> inner,
                      const execution::OperatorContext& ctx);

  void resize(int64_t num_groups) override;
  void update(const aggregates::GroupedRows& rows, aggregates::Arguments arguments) override;
  void merge(const Accumulator& other, std::span<const int32_t> from, std::span<const int32_t> into) override;
  /// The combinations that groups have met: an array for each argument.
  std::vector<columns::ColumnPtr> states(int64_t first, int64_t length) const override;
  void merge_states(aggregates::Arguments states, std::span<const int32_t> into) override;
  void seal() override { inner_->seal(); }
  columns::ColumnPtr finish(int64_t first, int64_t length, std::vector<columns::RowError>& errors) const override {
    return inner_->finish(first, length, errors);
  }

 private:
  /// Returns the place of a combination that its group has not met before, else 0.
  int32_t insert(std::string_view key, int32_t group);
  /// Gives combinations, each of a group, on to the inner accumulator.
  void update_inner(std::vector<std::string_view>& keys, std::vector<int32_t>& groups);

  const std::shared_ptr<memory::Budget> budget_;
  const int64_t batch_rows_;
  const std::unique_ptr<Accumulator> inner_;
  KeyEncoder encoder_;  ///< of the group, then the arguments
  GroupTable table_;
  memory::Array<int32_t> last_of_group_;  ///< a place in table_, by group; 0: none
  memory::Array<int32_t> before_;         ///< the group's place before each place
  /// The groups of the rows at hand whose combination is new, 0 for other rows; empty between two updates.
  memory::Array<int32_t> new_groups_;
};

}  // namespace accelerant::operators
