#include "spill/block_reader.h"

#include "base/error.h"
#include "memory/memory_wait.h"

#include <utility>

namespace accelerant::spill {

BlockReader::BlockReader(std::vector<StoredBlock> blocks, std::shared_ptr<memory::Budget> budget, IoThreads& threads)
    : blocks_(std::move(blocks)), budget_(std::move(budget)), threads_(threads) {}

BlockReader::~BlockReader() {
  for (const auto& read : {read_, ahead_}) {
    if (read) execution::wait_for(read->done());
  }
}

execution::EventPtr BlockReader::start_front() {
  if (next_ == blocks_.size()) return nullptr;
  if (!read_) read_ = start(next_);
  if (!ahead_) ahead_ = try_to_start(next_ + 1);
  return read_->done()->fired() ? nullptr : read_->done();
}

std::shared_ptr<memory::Buffer> BlockReader::front() const { return next_ == blocks_.size() ? nullptr : read_->take(); }

void BlockReader::pop_front() {
  read_ = std::exchange(ahead_, nullptr);
  ++next_;
}

std::shared_ptr<BlockRead> BlockReader::start(size_t block) const {
  return BlockRead::start(blocks_[block].file, blocks_[block].place, budget_, threads_);
}

std::shared_ptr<BlockRead> BlockReader::try_to_start(size_t block) const {
  if (block == blocks_.size()) return nullptr;
  try {
    const memory::WithoutWaiting at_once;
    return start(block);
  } catch (const Error& error) {
    if (error.error_class() != memory::kOutOfBudget) throw;
    return nullptr;
  }
}

}  // namespace accelerant::spill
