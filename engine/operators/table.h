#pragma once

#include "execution/context.h"
#include "io/scan.h"
#include "operators/operator.h"

#include <cstdint>
#include <memory>

namespace accelerant::operators {

/// What a leaf of the plan reads, opened once for all runs of a query: files, numbers, rows that came with the plan.
/// Its rows lie in Spark's partitions, in the order in which Spark would emit them. Immutable; any thread.
class Table {
 public:
  virtual ~Table() = default;
  virtual int num_partitions() const = 0;
  /// Estimates the work that a partition is, in bytes; streams get shares of about equal size.
  virtual int64_t partition_bytes(int partition) const = 0;
  /// Returns the rows of all partitions, before any filter.
  virtual int64_t num_rows() const = 0;
  /// Returns how many morsels its files are: row groups, stripes, splits of text; 0: its rows are in none.
  virtual int64_t num_morsels() const { return 0; }
  /// Summarises a column, by its position in what the source emits; nothing is known unless it says otherwise.
  virtual io::ColumnSummary summarize(int) const { return {}; }
  /// Says whether another table's sources would emit the same rows, apart from columns and filters; false: unknown.
  virtual bool gives_same_rows(const Table&) const { return false; }
  /// Says whether threads around the engine compute its rows while they are read.
  virtual bool is_computed_outside() const { return false; }
  /// Says whether its rows lie in row groups that can be read as they are stored, for a device to decode.
  virtual bool has_encoded_scan() const { return false; }
  /// Starts such a pass over partitions [first, last), otherwise as `make_source` does; the caller owns it. nullptr
  /// where `has_encoded_scan` says no.
  virtual std::unique_ptr<io::Scan> make_encoded_scan([[maybe_unused]] int first, [[maybe_unused]] int last,
                                                      const execution::OperatorContext&) const {
    return nullptr;
  }
  /// Starts a pass over partitions [first, last), in order. The source takes memory from `ctx.budget`, gives batches of
  /// about `ctx.batch_rows` rows and ends soon after `ctx.cancellation`, which its driver also checks between steps.
  virtual std::unique_ptr<Source> make_source(int first, int last, const execution::OperatorContext& ctx) const = 0;
};

}  // namespace accelerant::operators
