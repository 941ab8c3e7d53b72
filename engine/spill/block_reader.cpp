#include "spill/block_reader.h"

#include "base/error.h"
#include "memory/memory_wait.h"

#include <algorithm>
#include <utility>

namespace accelerant::spill {

namespace {

/// So many bytes are worth a task and a wait, or this part of a budget of less.
constexpr int64_t kBytesOfTask = 128 << 10;
constexpr int64_t kPartOfBudget = 16;

}  // namespace

BlockReader::BlockReader(std::vector<StoredBlock> blocks, std::shared_ptr<memory::Budget> budget, IoThreads& threads)
    : blocks_(std::move(blocks)), budget_(std::move(budget)), threads_(threads) {}

BlockReader::~BlockReader() {
  for (const Blocks& some : {read_, ahead_}) {
    if (some.read) execution::wait_for(some.read->done());
  }
}

execution::EventPtr BlockReader::start_front() {
  if (next_ == blocks_.size()) return nullptr;
  if (!read_.read) read_ = try_to_start(next_);
  if (!read_.read) read_ = start(next_, 1);
  if (!ahead_.read) ahead_ = try_to_start(next_ - passed_ + read_.count);
  return read_.read->done()->fired() ? nullptr : read_.read->done();
}

std::shared_ptr<memory::Buffer> BlockReader::front() const {
  return next_ == blocks_.size() ? nullptr : read_.read->get(passed_);
}

void BlockReader::pop_front() {
  read_.read->drop(passed_);
  ++next_;
  if (++passed_ < read_.count) return;
  read_ = std::exchange(ahead_, {});
  passed_ = 0;
}

size_t BlockReader::count_from(size_t first) const {
  const int64_t worth = std::clamp<int64_t>(budget_->limit_bytes() / kPartOfBudget, 1, kBytesOfTask);
  size_t end = first;
  for (int64_t bytes = 0; end < blocks_.size() && bytes < worth; ++end) bytes += blocks_[end].place.num_bytes;
  return end - first;
}

BlockReader::Blocks BlockReader::start(size_t first, size_t count) const {
  const auto begin = blocks_.begin() + static_cast<std::ptrdiff_t>(first);
  return {BlockRead::start({begin, begin + static_cast<std::ptrdiff_t>(count)}, budget_, threads_), count};
}

BlockReader::Blocks BlockReader::try_to_start(size_t first) const {
  const memory::WithoutWaiting at_once;
  for (size_t count = count_from(first); count > 0; count /= 2) {
    try {
      return start(first, count);
    } catch (const Error& error) {
      if (error.error_class() != memory::kOutOfBudget) throw;
    }
  }
  return {};
}

}  // namespace accelerant::spill
