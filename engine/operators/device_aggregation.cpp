#include "operators/device_aggregation.h"

#include <numeric>
#include <utility>

namespace accelerant::operators {

class DeviceAggregation::Kernels final : public DeviceKernels {
 public:
  Kernels(DeviceAggregation& owner, const codegen::RowSteps& steps)
      : budget_(owner.context().budget),
        groups_(steps, owner.num_keys_, owner.calls_, owner.accelerator().compiler()) {}

  bool ready() override { return groups_.ready(); }
  bool take_in(device::DeviceStream& stream, const device::DeviceBatch& batch, columns::Batch&) override {
    return groups_.update(stream, batch, budget_);
  }
  std::vector<codegen::GroupPart> take(device::DeviceStream& stream) { return groups_.take(stream, budget_); }

 private:
  const std::shared_ptr<memory::Budget> budget_;
  codegen::FusedGroups groups_;
};

DeviceAggregation::DeviceAggregation(std::shared_ptr<codegen::Accelerator> accelerator, const DeviceGrouping& grouping,
                                     DeviceCounters counters, bool is_strict, const execution::OperatorContext& ctx)
    : DevicePipeline(std::move(accelerator), grouping.steps, std::move(counters), is_strict, ctx),
      num_keys_(grouping.num_keys),
      calls_(grouping.calls) {}

std::unique_ptr<DeviceKernels> DeviceAggregation::make_kernels(const codegen::RowSteps& steps) {
  auto made = std::make_unique<Kernels>(*this, steps);
  all_.push_back(made.get());
  return made;
}

void DeviceAggregation::bring_home(device::DeviceStream& stream) {
  for (; num_home_ < all_.size(); ++num_home_) {
    std::vector<codegen::GroupPart> own = all_[num_home_]->take(stream);
    parts_.insert(parts_.end(), std::make_move_iterator(own.begin()), std::make_move_iterator(own.end()));
  }
  for (const codegen::GroupPart& part : parts_) {
    counters().count_kept(std::accumulate(part.num_rows.begin(), part.num_rows.end(), int64_t{0}));
  }
}

}  // namespace accelerant::operators
