#pragma once

#include "aggregates/accumulator.h"
#include "columns/batch.h"
#include "execution/context.h"
#include "operators/window_aggregates.h"
#include "operators/window_result.h"
#include "operators/window_rows.h"
#include "plan/window.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace accelerant::operators {

/// How a window partition is computed piece by piece, in order, where it is larger than memory.
struct WindowReach {
  explicit WindowReach(const plan::Window& node);

  bool can_stream = true;      ///< every function can be computed so
  bool needs_totals = false;   ///< some look at the whole partition, which is read once before the first piece
  bool has_near_rows = false;  ///< some look at rows beside their piece
  int64_t before = 0;          ///< so many before it
  int64_t behind = 0;          ///< and behind it
  bool needs_peers = false;    ///< some ask which rows are of equal order: these are of one piece
  size_t num_keys;             ///< the fewest keys by which some do
};

/// What is known of a window partition before a piece of it is computed: what its functions go on from. One thread at a
/// time.
class PartitionSoFar {
 public:
  explicit PartitionSoFar(const plan::Window& node) : calls_(node.calls.size()) {}

  /// Returns what functions give that look at rows of their own piece, and what is known of those before.
  /// @param call the index of a function
  /// @param rows the piece
  WindowResult compute(const plan::Window& node, size_t call, const WindowRows& rows,
                       const execution::OperatorContext& ctx);
  /// Goes on behind a piece all of whose functions are computed.
  void pass(const plan::Window& node, const WindowRows& rows);

  /// Adds rows of the partition, in order, to what is known of all of it. A call that throws memory::MemoryWait is made
  /// again, with the same rows.
  void add_to_totals(const plan::Window& node, const columns::Batch& rows, const execution::OperatorContext& ctx);
  /// Called when all rows were added. Where it throws, what was added is of no further use.
  void complete_totals();

 private:
  /// What a function goes on from.
  struct Call {
    RunningStates running;                           ///< of an aggregate whose frames grow
    RunningStates next;                              ///< behind the piece at hand
    int64_t num_peers = 0;                           ///< different orders before the piece
    columns::ColumnPtr value;                        ///< that all rows have; nullptr: it was not met yet
    std::vector<columns::RowError> errors;           ///< of this value
    std::unique_ptr<aggregates::Accumulator> total;  ///< of an aggregate over the whole partition
  };

  void add_to_total(const plan::WindowCall& call, Call& known, const columns::Batch& rows,
                    const execution::OperatorContext& ctx) const;

  std::vector<Call> calls_;
  int64_t num_rows_ = 0;   ///< before the piece
  int64_t size_ = 0;       ///< rows of the partition that were added
  size_t next_total_ = 0;  ///< the first function that the rows at hand were not added to
};

/// Returns what computing the functions of some rows takes, beside the rows as they are read.
/// @param num_bytes of what the functions look at, which is put together
int64_t bytes_to_compute(const plan::Window& node, int64_t num_rows, int64_t num_bytes);

/// Says whether a function looks at rows beside its piece, and at none of all those before it.
bool looks_at_near_rows(const plan::WindowCall& call);

}  // namespace accelerant::operators
