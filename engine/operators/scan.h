#pragma once

#include "io/scan.h"
#include "operators/operator.h"

#include <memory>
#include <utility>

namespace accelerant::operators {

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
