#pragma once

#include "columns/batch.h"
#include "columns/column.h"
#include "execution/context.h"
#include "plan/aggregate.h"

#include <cstdint>
#include <memory>
#include <span>

namespace accelerant::operators {

/// The group of each row of a batch. Group 0 is nobody's: rows that do not count are sent there. Groups proper start
/// at 1.
struct GroupedRows {
  const int32_t* groups;  ///< one a row; nullptr: every row is of group 1
  int64_t num_rows;
  int64_t num_groups;  ///< one more than the largest group so far
};

/// The states of one aggregate function for all groups of a table. One worker at a time.
class Accumulator {
 public:
  virtual ~Accumulator() = default;
  /// Makes room for groups [0, num_groups); new ones start empty.
  virtual void resize(int64_t num_groups) = 0;
  /// Adds the rows' values. `argument` is flat with one value a row; nullptr for COUNT(*).
  virtual void update(const GroupedRows& rows, const columns::Column* argument) = 0;
  /// Adds group `from[i]` of `other`, an accumulator of the same call, to group `into[i]`.
  virtual void merge(const Accumulator& other, std::span<const int32_t> from, std::span<const int32_t> into) = 0;
  /// Returns the results of groups [first, first + length), or appends to `errors` the rows for which ANSI mode wants
  /// an error.
  virtual columns::ColumnPtr finish(int64_t first, int64_t length, std::vector<columns::RowError>& errors) const = 0;
  /// Bytes of the states, to be charged by the owner.
  virtual int64_t memory_bytes() const = 0;
};

/// Makes the accumulator of a call.
/// @throws Error Unsupported, naming function and types, when there is none
std::unique_ptr<Accumulator> make_accumulator(const plan::AggregateCall& call, const execution::OperatorContext& ctx);

}  // namespace accelerant::operators
