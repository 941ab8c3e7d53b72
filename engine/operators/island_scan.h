#pragma once

#include "operators/island_table.h"
#include "operators/table.h"
#include "plan/memory_scan.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace accelerant::operators {

/// The rows of a MemoryScan that are computed while they are read. A partition is a morsel.
class IslandScanTable final : public Table {
 public:
  IslandScanTable(std::shared_ptr<const plan::MemoryScan> node, std::shared_ptr<IslandTable> rows)
      : node_(std::move(node)), rows_(std::move(rows)) {}

  int num_partitions() const override { return rows_->num_partitions(); }
  int64_t partition_bytes(int) const override { return node_->bytes_of(num_rows() / std::max(1, num_partitions())); }
  int64_t num_rows() const override { return rows_->num_rows(); }
  bool is_computed_outside() const override { return true; }
  std::unique_ptr<Source> make_source(int first, int last, const execution::OperatorContext& ctx) const override;

 private:
  const std::shared_ptr<const plan::MemoryScan> node_;
  const std::shared_ptr<IslandTable> rows_;
};

}  // namespace accelerant::operators
