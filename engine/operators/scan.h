#pragma once

#include "io/scan.h"
#include "operators/operator.h"
#include "operators/table.h"

#include <memory>
#include <utility>

namespace accelerant::operators {

/// The files of a scan.
class ScanTable final : public Table {
 public:
  explicit ScanTable(std::shared_ptr<const io::Dataset> dataset) : dataset_(std::move(dataset)) {}

  int num_partitions() const override { return dataset_->num_partitions(); }
  int64_t partition_bytes(int partition) const override { return dataset_->partition_bytes(partition); }
  int64_t num_rows() const override { return dataset_->num_rows(0, dataset_->num_partitions()); }
  int64_t num_morsels() const override { return dataset_->num_morsels(); }
  bool gives_same_rows(const Table& other) const override {
    const auto* scan = dynamic_cast<const ScanTable*>(&other);
    return scan && dataset_->reads_same_files(*scan->dataset_);
  }
  io::ColumnSummary summarize(int column) const override { return dataset_->summarize(column); }
  bool has_encoded_scan() const override { return dataset_->has_encoded_scans(); }
  std::unique_ptr<io::Scan> make_encoded_scan(int first, int last,
                                              const execution::OperatorContext& ctx) const override {
    return dataset_->scan(first, last, ctx);
  }
  std::unique_ptr<Source> make_source(int first, int last, const execution::OperatorContext& ctx) const override;

 private:
  const std::shared_ptr<const io::Dataset> dataset_;
};

/// Starts a pipeline with the batches of a scan.
class ScanSource final : public Source {
 public:
  explicit ScanSource(std::unique_ptr<io::Scan> scan) : scan_(std::move(scan)) {}

  std::string_view name() const override { return "Scan"; }
  std::unique_ptr<State> make_state() override;
  Step next(State& state, columns::Batch& out) override;
  int64_t num_morsels() const override { return scan_->num_morsels(); }

 private:
  const std::unique_ptr<io::Scan> scan_;
};

}  // namespace accelerant::operators
