#pragma once

#include "operators/table.h"
#include "plan/range.h"

#include <cstdint>
#include <memory>

namespace accelerant::operators {

/// The numbers of a Range, in partitions of about equal size.
class RangeTable final : public Table {
 public:
  explicit RangeTable(std::shared_ptr<const plan::Range> node);

  int num_partitions() const override { return num_partitions_; }
  int64_t partition_bytes(int partition) const override;
  int64_t num_rows() const override { return node_->num_rows; }
  std::unique_ptr<Source> make_source(int first, int last, const execution::OperatorContext& ctx) const override;

 private:
  /// Returns the number of rows in the partitions before one.
  int64_t rows_before(int partition) const;

  const std::shared_ptr<const plan::Range> node_;
  const int num_partitions_;
};

}  // namespace accelerant::operators
