#pragma once

#include "aggregates/grouped_rows.h"
#include "columns/batch.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace accelerant::execution {
struct OperatorContext;
}

namespace accelerant::aggregates {

/// The states of one aggregate function for all groups of a table, which reserve their memory before it is allocated.
/// One worker at a time.
class Accumulator {
 public:
  virtual ~Accumulator() = default;
  /// Makes room for groups [0, num_groups); new ones start empty. May be called again where it threw MemoryWait.
  virtual void resize(int64_t num_groups) = 0;
  /// Adds the rows' values. Where it throws MemoryWait it is to be called again with the same rows, and adds each once.
  virtual void update(const GroupedRows& rows, Arguments arguments) = 0;
  /// Adds each value of a flat column, but nulls, `times[i]` times to group 1; returns false where it can only
  /// `update`.
  virtual bool update_repeated(const columns::ColumnPtr& values, std::span<const int64_t> times);
  /// Adds group `from[i]` of `other`, an accumulator of the same call, to group `into[i]`. Where this or any other
  /// method throws, but for `resize` and `update`, the accumulator is of no further use.
  virtual void merge(const Accumulator& other, std::span<const int32_t> from, std::span<const int32_t> into) = 0;
  /// Adds to group i + 1, which is empty, the values of rows [begins[i], ends[i]), for each i, from one to the next by
  /// what comes and what goes; neither bound ever falls. Returns false where states can't give values back exactly.
  virtual bool slide(std::span<const int32_t> begins, std::span<const int32_t> ends, Arguments arguments);
  /// Adds the states that a device has (functions/aggregate/shared_state.h): the i-th to group `into[i]`.
  /// @param words of the states, one after the other; all say how many rows counted, or whether one did
  /// @throws Error Internal where no device has such states
  virtual void merge_words(std::span<const uint64_t> words, std::span<const int32_t> into);
  /// Returns the states of groups [first, first + length) as columns, of the types that Variant::state_types gives or,
  /// of DISTINCT arguments, arrays of what a group has met. Called after `seal`, of what `rearranged` gave if it can.
  /// @throws Error Internal where what a group has met is no column
  virtual std::vector<columns::ColumnPtr> states(int64_t first, int64_t length) const;
  /// Adds states that `states` of an accumulator of the same call gave: the i-th row's to group `into[i]`.
  virtual void merge_states(Arguments states, std::span<const int32_t> into);
  /// Returns an accumulator of groups [1, from.size()], of which i + 1 is this one's group `from[i]`, to be merged into
  /// others and nothing else; nullptr where merging this one into a new one does as well.
  /// @param from each group at most once
  /// @param ctx of what is made
  virtual std::unique_ptr<Accumulator> rearranged(std::span<const int32_t> from,
                                                  const execution::OperatorContext& ctx) const;
  /// Called where Spark's order of rows shall not show in the results: there are too many.
  virtual void forget_order() {}
  /// Called once, after the last update and merge.
  virtual void seal() {}
  /// Returns the results of groups [first, first + length), or appends to `errors` the rows for which ANSI mode wants
  /// an error.
  virtual columns::ColumnPtr finish(int64_t first, int64_t length, std::vector<columns::RowError>& errors) const = 0;
};

/// Frames of rows, neither end of which ever falls.
struct Frames {
  std::span<const int32_t> begins;
  std::span<const int32_t> ends;
  /// The first row that group 0 lacks of the frames that begin where the first one does: they go on from it; -1: none
  /// does.
  int32_t goes_on_at = -1;

  size_t size() const { return begins.size(); }
};

/// The states of a function whose result goes by the order in which a frame's values are added, as in Spark.
class FrameAccumulator : public Accumulator {
 public:
  /// Sets group i + 1 to the values of the i-th frame, one row after the other.
  virtual void add_frames(const Frames& frames, Arguments arguments) = 0;
};

}  // namespace accelerant::aggregates
