#include "spill/spill_file.h"

#include "base/error.h"
#include "io/lz4_block.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <exception>
#include <utility>

namespace accelerant::spill {

namespace {

/// Numbers are packed where that leaves out a part of the block.
constexpr int64_t kPackedPart = 8;

int64_t nanos_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::nanoseconds(std::chrono::steady_clock::now() - start).count();
}

uint64_t checksum_of(std::span<const uint8_t> block) { return XXH3_64bits(block.data(), block.size()); }

/// Calls `move` with what is left of some bytes until none is. Returns 0, or an errno; -1 where nothing moved.
template <class Move>
int move_all(int64_t num_bytes, const Move& move) {
  for (int64_t done = 0; done < num_bytes;) {
    const int64_t moved = move(done, num_bytes - done);
    if (moved == -EINTR) continue;
    if (moved <= 0) return moved == 0 ? -1 : static_cast<int>(-moved);
    done += moved;
  }
  return 0;
}

std::string text_of(int failure, const char* of_none) { return failure < 0 ? of_none : std::strerror(failure); }

}  // namespace

std::string limit_is_met(const memory::Budget& quota) {
  return "spill files have reached the limit of " + memory::format_bytes(quota.limit_bytes()) +
         " (spark.accelerant.spill.limit)";
}

SpillFile::SpillFile(std::unique_ptr<File> file, std::string folder, std::string owner,
                     std::shared_ptr<memory::Budget> quota, std::shared_ptr<WriteRates> rates)
    : file_(std::move(file)),
      folder_(std::move(folder)),
      owner_(std::move(owner)),
      quota_(std::move(quota)),
      rates_(std::move(rates)) {}

SpillFile::~SpillFile() { quota_->release(end_); }

std::pair<std::span<const uint8_t>, BlockForm> SpillFile::stored_of(const PlainBlock& block,
                                                                    std::span<uint8_t> scratch) const {
  const std::span<const uint8_t> bytes = block.bytes;
  if (scratch.empty()) return {bytes, BlockForm::Plain};
  const auto most_bytes = static_cast<int64_t>(bytes.size()) / kPackedPart * (kPackedPart - 1);
  if (const auto packed = pack_numbers(bytes, block.numbers, most_bytes, scratch)) {
    return {scratch.first(static_cast<size_t>(*packed)), BlockForm::Packed};
  }
  if (!rates_->compresses_next()) return {bytes, BlockForm::Plain};
  const auto start = std::chrono::steady_clock::now();
  const auto num_bytes = io::compress_lz4(bytes, scratch);
  const size_t stored = num_bytes ? static_cast<size_t>(*num_bytes) : bytes.size();
  rates_->note_compression(static_cast<int64_t>(bytes.size()), static_cast<int64_t>(stored), nanos_since(start));
  if (stored >= bytes.size()) return {bytes, BlockForm::Plain};
  return {scratch.first(stored), BlockForm::Lz4};
}

std::optional<BlockExtent> SpillFile::append(const PlainBlock& block, std::span<uint8_t> scratch,
                                             std::string& failure) {
  const auto [stored, form] = stored_of(block, scratch);
  const auto num_bytes = static_cast<int64_t>(stored.size());
  if (!quota_->try_reserve(num_bytes)) {
    has_met_limit_ = true;
    failure = limit_is_met(*quota_);
    return std::nullopt;
  }
  const auto start = std::chrono::steady_clock::now();
  const int failed = move_all(num_bytes, [&, from = stored.data()](int64_t done, int64_t left) {
    return file_->write(end_ + done, from + done, left);
  });
  if (failed != 0) {
    quota_->release(num_bytes);
    failure = text_of(failed, "nothing is written");
    return std::nullopt;
  }
  rates_->note_write(num_bytes, nanos_since(start));
  const BlockExtent place{end_, static_cast<int64_t>(block.bytes.size()), num_bytes, form, checksum_of(stored)};
  end_ += num_bytes;
  return place;
}

void SpillFile::fail(const BlockExtent& place, const std::string& why) const {
  throw Error(ErrorKind::Resource, owner_ + " can't read its spill file in " + folder_ + " at byte " +
                                       std::to_string(place.offset) + ": " + why);
}

void SpillFile::read(const BlockExtent& place, uint8_t* to, uint8_t* scratch) const {
  // What is packed is unpacked in place.
  uint8_t* stored = place.form == BlockForm::Lz4 ? scratch : to + place.num_bytes - place.stored_bytes;
  const int failed = move_all(place.stored_bytes, [&](int64_t done, int64_t left) {
    return file_->read(place.offset + done, stored + done, left);
  });
  if (failed != 0) fail(place, text_of(failed, "the file ends there"));
  const std::span<const uint8_t> read(stored, static_cast<size_t>(place.stored_bytes));
  if (checksum_of(read) != place.checksum) fail(place, "its bytes are not those that were written; check the disk");
  const std::span<uint8_t> block(to, static_cast<size_t>(place.num_bytes));
  if (place.form == BlockForm::Packed && !unpack_numbers(read, block)) fail(place, "a block is not packed as it was");
  if (place.form == BlockForm::Lz4 && !io::decompress_lz4(read, block)) {
    fail(place, "a block is not compressed as it was");
  }
}

std::shared_ptr<BlockWrite> BlockWrite::start(std::shared_ptr<SpillFile> file, EncodedColumns block,
                                              std::shared_ptr<memory::Buffer> scratch, IoThreads& threads) {
  auto started = std::make_shared<BlockWrite>();
  started->done_ = std::make_shared<execution::Event>(true);
  threads.submit([started, file = std::move(file), block = std::move(block), scratch = std::move(scratch)]() mutable {
    const auto room =
        scratch ? std::span(scratch->mutable_data(), static_cast<size_t>(scratch->size_bytes())) : std::span<uint8_t>();
    try {
      const std::span<const uint8_t> bytes(block.block->data(), static_cast<size_t>(block.block->size_bytes()));
      started->place_ = file->append({bytes, block.numbers}, room, started->failure_);
    } catch (const std::exception& error) {
      started->failure_ = error.what();
    }
    // Whoever waits may count on their memory and their file.
    block.block.reset();
    scratch.reset();
    file.reset();
    started->done_->fire();
  });
  return started;
}

std::optional<BlockExtent> BlockWrite::wait(std::string& failure) const {
  execution::wait_for(done_);
  failure = failure_;
  return place_;
}

std::shared_ptr<BlockRead> BlockRead::start(std::vector<StoredBlock> blocks,
                                            const std::shared_ptr<memory::Budget>& budget, IoThreads& threads) {
  auto started = std::make_shared<BlockRead>();
  int64_t scratch_bytes = 0;
  for (const StoredBlock& block : blocks) {
    started->blocks_.push_back(memory::Buffer::allocate(block.place.num_bytes, budget));
    scratch_bytes = std::max(scratch_bytes, block.place.scratch_bytes());
  }
  started->done_ = std::make_shared<execution::Event>(true);
  auto scratch = scratch_bytes > 0 ? memory::Buffer::allocate(scratch_bytes, budget) : nullptr;
  threads.submit([started, blocks = std::move(blocks), scratch = std::move(scratch)]() mutable {
    try {
      for (const StoredBlock& block : blocks) {
        uint8_t* to = started->blocks_[started->num_read_]->mutable_data();
        block.file->read(block.place, to, scratch ? scratch->mutable_data() : nullptr);
        ++started->num_read_;
      }
    } catch (...) {
      started->failure_ = std::current_exception();
    }
    // Whoever waits may count on their memory, and on the blocks' when they let it go.
    const execution::EventPtr done = started->done_;
    blocks.clear();
    scratch.reset();
    started.reset();
    done->fire();
  });
  return started;
}

std::shared_ptr<memory::Buffer> BlockRead::get(size_t block) const {
  ACC_CHECK(done_->fired());
  if (block >= num_read_) std::rethrow_exception(failure_);
  return blocks_[block];
}

}  // namespace accelerant::spill
