#include "operators/device_source.h"

#include <deque>

namespace accelerant::operators {

using columns::Batch;

namespace {

struct DeviceSourceState final : State {
  std::unique_ptr<State> source;
  std::deque<Batch> left;  ///< of the batch that the source gave last
  int64_t morsel = -1;
  int64_t sequence = 0;  ///< of the next batch of the morsel
  bool ends_morsel = false;

  /// Gives out what is left, in its place.
  Step give(Batch& out) {
    out = std::move(left.front());
    left.pop_front();
    out.morsel = morsel;
    out.sequence = sequence++;
    out.ends_morsel = ends_morsel && left.empty();
    return Step::has_output();
  }
};

}  // namespace

std::unique_ptr<State> DeviceSource::make_state() {
  auto state = std::make_unique<DeviceSourceState>();
  state->source = source_->make_state();
  return state;
}

Step DeviceSource::next(State& state, Batch& out) {
  auto& own = static_cast<DeviceSourceState&>(state);
  if (!own.left.empty()) return own.give(out);
  Step step = source_->next(*own.source, out);
  if (step.kind != Step::Kind::HasOutput) return step;
  if (out.morsel != own.morsel) own.sequence = 0;
  own.morsel = out.morsel;
  own.ends_morsel = out.ends_morsel;
  // What follows has to have as many columns as ever, rows or none.
  Batch empty;
  for (const columns::ColumnPtr& column : out.columns) empty.columns.push_back(column ? column->slice(0, 0) : nullptr);
  for (Batch& batch : device_->take_in(std::move(out))) own.left.push_back(std::move(batch));
  if (own.left.empty()) own.left.push_back(std::move(empty));
  return own.give(out);
}

}  // namespace accelerant::operators
