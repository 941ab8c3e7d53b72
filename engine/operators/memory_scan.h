#pragma once

#include "io/external_table.h"
#include "operators/table.h"
#include "plan/memory_scan.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

namespace accelerant::operators {

/// The rows of a MemoryScan. A partition is a morsel, read in small batches.
class MemoryTable final : public Table {
 public:
  MemoryTable(std::shared_ptr<const plan::MemoryScan> node, std::shared_ptr<const io::ExternalTable> rows)
      : node_(std::move(node)), rows_(std::move(rows)) {}

  int num_partitions() const override { return rows_->num_partitions(); }
  int64_t partition_bytes(int) const override { return node_->bytes_of(num_rows() / std::max(1, num_partitions())); }
  int64_t num_rows() const override { return rows_->num_rows(); }
  std::unique_ptr<Source> make_source(int first, int last, const execution::OperatorContext& ctx) const override;

 private:
  const std::shared_ptr<const plan::MemoryScan> node_;
  const std::shared_ptr<const io::ExternalTable> rows_;
};

}  // namespace accelerant::operators
