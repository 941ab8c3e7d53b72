#pragma once

#include "operators/device_aggregation.h"
#include "operators/operator.h"

#include <memory>
#include <utility>

namespace accelerant::operators {

/// Stands before another source: a device takes in what it can of the batches, what is left goes on as ever.
class DeviceSource final : public Source {
 public:
  DeviceSource(std::unique_ptr<Source> source, std::shared_ptr<DeviceAggregation> device)
      : source_(std::move(source)), device_(std::move(device)) {}

  std::string_view name() const override { return source_->name(); }
  std::unique_ptr<State> make_state() override;
  Step next(State& state, columns::Batch& out) override;
  int64_t num_morsels() const override { return source_->num_morsels(); }

 private:
  const std::unique_ptr<Source> source_;
  const std::shared_ptr<DeviceAggregation> device_;
};

}  // namespace accelerant::operators
