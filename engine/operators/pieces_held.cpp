#include "operators/pieces_held.h"

namespace accelerant::operators {

std::unique_ptr<PiecesHeld::Hold> PiecesHeld::begin(const State& worker, int64_t morsel, execution::EventPtr& others) {
  const std::lock_guard lock(mutex_);
  if (alone_ && (alone_ != &worker || !morsels_.empty())) {
    if (!changed_) changed_ = std::make_shared<execution::Event>();
    others = changed_;
    return nullptr;
  }
  morsels_.insert(morsel);
  return std::make_unique<Hold>(*this, morsel);
}

bool PiecesHeld::want_alone(const State& worker, int64_t morsel) {
  const std::lock_guard lock(mutex_);
  if (alone_ == &worker) return false;
  if (keeps_order_ && !morsels_.empty() && *morsels_.rbegin() > morsel) return false;
  if (!alone_) alone_ = &worker;
  return true;
}

void PiecesHeld::end_alone(const State& worker) {
  {
    const std::lock_guard lock(mutex_);
    if (alone_ != &worker) return;
    alone_ = nullptr;
  }
  note_change();
}

void PiecesHeld::end(int64_t morsel) {
  {
    const std::lock_guard lock(mutex_);
    morsels_.erase(morsels_.find(morsel));
  }
  note_change();
}

void PiecesHeld::note_change() {
  execution::EventPtr changed;
  {
    const std::lock_guard lock(mutex_);
    changed.swap(changed_);
  }
  if (changed) changed->fire();
}

}  // namespace accelerant::operators
