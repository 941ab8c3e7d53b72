#include "operators/output_queue.h"

#include "columns/batch_bytes.h"

#include <utility>

namespace accelerant::operators {

using columns::Batch;

bool OutputQueue::has_room_for(const Batch& batch, int64_t bytes) const {
  if (held_bytes_ + bytes <= capacity_bytes_) return true;
  if (batch.morsel != next_morsel_) return false;
  const auto current = morsels_.find(next_morsel_);
  return current == morsels_.end() || current->second.batches.empty();
}

execution::EventPtr OutputQueue::push(Batch& batch) {
  std::lock_guard lock(mutex_);
  if (closed_) return nullptr;
  const int64_t bytes = columns::memory_bytes(batch);
  if (!has_room_for(batch, bytes)) {
    if (!room_) room_ = std::make_shared<execution::Event>();
    return room_;
  }
  Morsel& morsel = morsels_[batch.morsel];
  morsel.ended = batch.ends_morsel;
  if (batch.num_rows > 0) {
    held_bytes_ += bytes;
    morsel.batches.push_back(std::move(batch));
  }
  advance();
  ready_.notify_one();
  return nullptr;
}

void OutputQueue::advance() {
  bool moved = false;
  for (auto it = morsels_.begin(); it != morsels_.end() && it->first == next_morsel_; it = morsels_.begin()) {
    if (!it->second.batches.empty() || !it->second.ended) break;
    morsels_.erase(it);
    ++next_morsel_;
    moved = true;
  }
  if (moved && room_) std::exchange(room_, nullptr)->fire();
}

void OutputQueue::discard(std::exception_ptr error) {
  {
    std::lock_guard lock(mutex_);
    morsels_.clear();
    held_bytes_ = 0;
  }
  close(std::move(error));
}

void OutputQueue::close(std::exception_ptr error) {
  std::lock_guard lock(mutex_);
  closed_ = true;
  if (error && !error_) error_ = std::move(error);
  if (room_) std::exchange(room_, nullptr)->fire();
  ready_.notify_all();
}

void OutputQueue::wake() {
  const std::lock_guard lock(mutex_);
  woken_ = true;
  ready_.notify_all();
}

bool OutputQueue::has_next_batch() const {
  const auto next = morsels_.find(next_morsel_);
  return next != morsels_.end() && !next->second.batches.empty();
}

bool OutputQueue::is_ready() const {
  const std::lock_guard lock(mutex_);
  return closed_ || woken_ || has_next_batch();
}

OutputQueue::Pop OutputQueue::pop(Batch& out, std::chrono::milliseconds timeout) {
  std::unique_lock lock(mutex_);
  ready_.wait_for(lock, timeout, [&] { return closed_ || woken_ || has_next_batch(); });
  woken_ = false;
  if (!has_next_batch()) {
    if (error_) std::rethrow_exception(error_);
    return closed_ ? Pop::End : Pop::TimedOut;
  }
  auto& batches = morsels_.find(next_morsel_)->second.batches;
  out = std::move(batches.front());
  batches.pop_front();
  held_bytes_ -= columns::memory_bytes(out);
  execution::EventPtr room = std::exchange(room_, nullptr);
  advance();
  lock.unlock();
  if (room) room->fire();
  return Pop::Batch;
}

int64_t OutputQueue::held_bytes() const {
  std::lock_guard lock(mutex_);
  return held_bytes_;
}

}  // namespace accelerant::operators
