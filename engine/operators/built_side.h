#pragma once

#include "execution/context.h"
#include "expressions/key_set.h"
#include "operators/join_table.h"
#include "operators/spilled_build.h"
#include "plan/join.h"

#include <memory>
#include <mutex>
#include <unordered_map>

namespace accelerant::operators {

/// The build side of a join, complete: what probes, the sources of its unmatched rows and runtime filters read. Any
/// thread.
class BuiltSide {
 public:
  /// @param has_rows rows with null keys included
  /// @param has_null_key some row's key is null
  /// @param spilled what of the side is not in the table; nullptr: nothing
  BuiltSide(std::shared_ptr<const plan::Join> node, std::unique_ptr<JoinTable> table, bool has_rows, bool has_null_key,
            const execution::OperatorContext& ctx, std::shared_ptr<const SpilledBuild> spilled = nullptr);

  JoinTable& table() const { return *table_; }
  /// Returns what of the side is on disk; nullptr: nothing is.
  const std::shared_ptr<const SpilledBuild>& spilled() const { return spilled_; }
  /// Returns how many rows there are, in the table and on disk.
  int64_t num_rows() const { return spilled_ ? spilled_->rows().num_rows() : table_->num_rows(); }
  bool has_rows() const { return has_rows_; }
  bool has_null_key() const { return has_null_key_; }
  /// Says what of the probe side Spark leaves out, too, as there are no rows here.
  plan::Spared spared() const;
  /// Computes the keys of the table's rows once more; not of those that were left out as nothing can match them. None
  /// where there are no rows.
  columns::Batch keys() const;
  /// Returns the values of a key, or more than these, of all rows; the first caller has it computed, and reads those on
  /// disk. nullptr: there is too little memory for them, or too much on disk.
  /// @throws memory::MemoryWait, and may be called again
  std::shared_ptr<const expressions::KeySet> keys_in(int key);

 private:
  std::shared_ptr<const expressions::KeySet> make_key_set(int key) const;
  std::shared_ptr<const expressions::KeySet> read_key_set(int key) const;

  const std::shared_ptr<const plan::Join> node_;
  const std::unique_ptr<JoinTable> table_;
  const bool has_rows_;
  const bool has_null_key_;
  const execution::OperatorContext ctx_;
  const std::shared_ptr<const SpilledBuild> spilled_;
  std::mutex mutex_;
  std::unordered_map<int, std::shared_ptr<const expressions::KeySet>> key_sets_;
};

}  // namespace accelerant::operators
