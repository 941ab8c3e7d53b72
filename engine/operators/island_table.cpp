#include "operators/island_table.h"

#include <algorithm>
#include <utility>

namespace accelerant::operators {

namespace {

/// What lies ready of a partition at the most, but on demand: a chunk is a MB at most.
constexpr size_t kReadyChunks = 2;

}  // namespace

void IslandBell::ring() {
  {
    const std::lock_guard lock(mutex_);
    ++rings_;
  }
  rung_.notify_all();
  if (listener_) listener_();
}

uint64_t IslandBell::wait(uint64_t seen, std::chrono::milliseconds timeout) {
  std::unique_lock lock(mutex_);
  rung_.wait_for(lock, timeout, [&] { return rings_ > seen; });
  return rings_;
}

IslandRows::Room IslandRows::room() const {
  const std::lock_guard lock(mutex_);
  if (left_ || ended_) return Room::Unwanted;
  const bool wanted = on_demand_ ? waiting_ && chunks_.empty() : chunks_.size() < kReadyChunks;
  return wanted ? Room::Free : Room::Full;
}

bool IslandRows::has_begun() const {
  const std::lock_guard lock(mutex_);
  return begun_;
}

void IslandRows::put(IslandChunk rows) {
  const std::lock_guard lock(mutex_);
  begun_ = true;
  if (left_ || ended_) return;
  chunks_.push_back(std::move(rows));
  tell_reader();
}

void IslandRows::finish() { end(nullptr); }

void IslandRows::fail(std::exception_ptr error) { end(std::move(error)); }

void IslandRows::end(std::exception_ptr error) {
  const std::lock_guard lock(mutex_);
  if (ended_) return;
  ended_ = true;
  error_ = std::move(error);
  tell_reader();
}

void IslandRows::tell_reader() {
  if (waiting_) std::exchange(waiting_, nullptr)->fire();
}

std::optional<IslandChunk> IslandRows::take(execution::EventPtr& wait) {
  std::optional<IslandChunk> taken;
  {
    const std::lock_guard lock(mutex_);
    if (!chunks_.empty()) {
      taken = std::move(chunks_.front());
      chunks_.pop_front();
    } else if (ended_) {
      if (error_) std::rethrow_exception(error_);
      return std::nullopt;
    } else {
      if (!waiting_) waiting_ = std::make_shared<execution::Event>();
      wait = waiting_;
    }
  }
  bell_->ring();
  return taken;
}

void IslandRows::leave() {
  {
    const std::lock_guard lock(mutex_);
    left_ = true;
    chunks_.clear();
  }
  bell_->ring();
}

std::shared_ptr<IslandRows> IslandTable::open(int partition) {
  auto rows = std::make_shared<IslandRows>(partition, on_demand_, bell_);
  {
    const std::lock_guard lock(mutex_);
    asked_.push_back(rows);
  }
  bell_->ring();
  return rows;
}

std::shared_ptr<IslandRows> IslandTable::claim(int first, int last) {
  const std::lock_guard lock(mutex_);
  std::erase_if(asked_, [](const auto& rows) { return rows->room() == IslandRows::Room::Unwanted; });
  auto least = asked_.end();
  for (auto it = asked_.begin(); it != asked_.end(); ++it) {
    const int partition = (*it)->partition();
    const bool is_less = least == asked_.end() || partition < (*least)->partition();
    if (partition >= first && partition < last && is_less) least = it;
  }
  if (least == asked_.end()) return nullptr;
  std::shared_ptr<IslandRows> claimed = std::move(*least);
  asked_.erase(least);
  return claimed;
}

void IslandTable::give_back(std::shared_ptr<IslandRows> rows) {
  {
    const std::lock_guard lock(mutex_);
    asked_.push_back(std::move(rows));
  }
  bell_->ring();
}

}  // namespace accelerant::operators
