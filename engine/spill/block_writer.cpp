#include "spill/block_writer.h"

#include "base/error.h"
#include "memory/memory_wait.h"
#include "spill/block_format.h"

#include <optional>

namespace accelerant::spill {

namespace {

/// Returns room to compress a block into; nullptr where there is none.
std::shared_ptr<memory::Buffer> scratch_for(const memory::Buffer& block,
                                            const std::shared_ptr<memory::Budget>& budget) {
  try {
    const memory::WithoutWaiting at_once;
    return memory::Buffer::allocate(block.size_bytes(), budget);
  } catch (const Error& error) {
    if (error.error_class() != memory::kOutOfBudget) throw;
    return nullptr;
  }
}

}  // namespace

BlockWriter::BlockWriter(SpillTarget& target, std::shared_ptr<memory::Budget> budget)
    : target_(target), budget_(std::move(budget)), file_(target.folders.create(target.owner)) {}

BlockWriter::~BlockWriter() {
  std::string failure;
  if (write_) write_->wait(failure);
}

void BlockWriter::add(std::span<const columns::ColumnPtr> columns) {
  EncodedColumns block = encode_columns(columns, budget_);
  settle();
  auto scratch = scratch_for(*block.block, budget_);
  write_ = BlockWrite::start(file_, std::move(block), std::move(scratch), target_.threads);
}

void BlockWriter::settle() {
  if (!write_) return;
  std::string failure;
  const std::optional<BlockExtent> place = std::exchange(write_, nullptr)->wait(failure);
  if (!place && file_->has_met_limit()) SpillFolders::refuse(target_.owner, failure);
  if (!place) throw FolderFailed{file_->folder(), failure};
  places_.push_back(*place);
  target_.written_bytes.fetch_add(place->stored_bytes, std::memory_order_relaxed);
}

std::vector<BlockExtent> BlockWriter::finish() {
  settle();
  return std::exchange(places_, {});
}

}  // namespace accelerant::spill
