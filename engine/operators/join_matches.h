#pragma once

#include "columns/batch.h"
#include "execution/context.h"
#include "expressions/evaluator.h"
#include "operators/join_keys.h"
#include "operators/join_table.h"
#include "operators/spilled_build.h"
#include "plan/join.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace accelerant::operators {

/// Rows of a probe batch and of a join table that belong together.
struct JoinPairs {
  static constexpr int32_t kNoRow = -1;

  std::vector<int32_t> probe_rows;
  std::vector<int32_t> build_rows;  ///< kNoRow stands for nulls
  /// Errors of probe rows and of the join's condition; an error's row is the number of pairs before it.
  std::vector<columns::RowError> errors;

  int64_t size() const { return static_cast<int64_t>(probe_rows.size()); }
  void clear_rows() {
    probe_rows.clear();
    build_rows.clear();
  }
  void add(int32_t probe_row, int32_t build_row) {
    probe_rows.push_back(probe_row);
    build_rows.push_back(build_row);
  }
};

/// Rows of a batch, and the hashes of their keys.
struct HashedPositions {
  std::vector<int32_t> rows;
  std::vector<uint64_t> hashes;
};

/// Finds the rows of a table whose keys equal those of a probe batch's rows. One a worker.
class JoinMatches {
 public:
  /// @param computes_keys false: there is nothing to look up in the table
  JoinMatches(const plan::Join& node, JoinTable& table, const execution::OperatorContext& ctx,
              bool computes_keys = true);

  /// Begins with the selected rows of a batch whose errors, if there are any, stand in a batch without a selection.
  void start(const columns::Batch& probe);
  /// Begins with the rows of a batch without a selection whose keys are not on disk: the table is not asked for others.
  /// @param on_disk becomes these, and the hashes of their keys
  void start(const columns::Batch& probe, const SpilledBuild& build, HashedPositions& on_disk);
  bool at_end() const { return ended_; }

  /// What to make of a row's matches.
  struct Wanted {
    bool all = true;        ///< false: the first one
    bool errors = true;     ///< rows in error take their place among the pairs
    bool no_match = false;  ///< a row without a match makes a pair with kNoRow
    /// What to make of a marked row of the table: it counts as any; it is passed over; or so is the rest of its key's
    /// rows too, which whoever marked it marks.
    enum class Marked : uint8_t { Counts, Skipped, EndsKey } marked = Marked::Counts;
    const uint8_t* done = nullptr;  ///< by row of the batch: rows of which no further match is wanted
  };
  /// Finds further pairs, about as many as a batch has rows: in the order of probe rows, or with `done` some of each
  /// row, so that few are found in vain. It ends earlier, perhaps without any, where it has come past many rows of the
  /// table: a call takes a bounded time.
  JoinPairs next(const Wanted& wanted);

  /// The rows of the batch that are looked up, ascending: selected, and without an error.
  const std::vector<int32_t>& rows() const { return rows_; }
  /// Errors of the batch and of its keys, at rows of the batch.
  const std::vector<columns::RowError>& errors() const { return errors_; }
  /// Says whether a key of rows()[i] is null.
  bool is_null(size_t i) const { return computes_keys_ && keys_.is_null(key_row(i)); }

 private:
  int64_t key_row(size_t i) const { return is_dense_ ? static_cast<int64_t>(i) : rows_[i]; }
  void encode(const columns::Batch& probe);
  void leave_out(const SpilledBuild& build, HashedPositions& on_disk);
  void find_chains();
  /// Adds the pair of each row where no key is there twice.
  void add_all_unique(bool no_match, JoinPairs& pairs);
  /// Goes on with the chain of the row at `next_`; false: there are pairs enough, or no steps left.
  bool follow_chain(const Wanted& wanted, JoinPairs& pairs);
  /// Goes on with the chains of all rows that are not done.
  JoinPairs next_round(const uint8_t* done);
  /// Adds the errors of rows up to one of the batch's.
  void add_errors(int32_t last_row, JoinPairs& pairs);

  JoinTable& table_;
  const execution::OperatorContext& ctx_;
  const bool computes_keys_;
  std::optional<expressions::Evaluator> evaluator_;  ///< none without keys
  JoinKeys keys_;
  bool is_dense_ = false;  ///< keys hold the looked-up rows alone
  std::vector<int32_t> rows_;
  std::vector<int32_t> chains_;  ///< by place in rows_: the first row of the table with the row's key
  std::vector<columns::RowError> errors_;
  std::vector<size_t> open_;  ///< places in rows_ that the next round goes on with
  int64_t round_pairs_ = 0;   ///< the most that the last round took of a row
  size_t next_ = 0;           ///< place in rows_
  size_t next_error_ = 0;
  int64_t steps_ = 0;                    ///< how many rows of the table this call may still come past
  int32_t candidate_ = JoinTable::kEnd;  ///< where the chain of the row at `next_` goes on
  bool in_chain_ = false;
  bool ended_ = false;
  bool found_ = false;  ///< the row at `next_` has a match
};

}  // namespace accelerant::operators
