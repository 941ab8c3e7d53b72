#pragma once

#include "execution/event.h"
#include "memory/budget.h"
#include "memory/buffer.h"
#include "spill/block_format.h"
#include "spill/file_system.h"
#include "spill/io_threads.h"
#include "spill/number_packing.h"
#include "spill/write_rates.h"

#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace accelerant::spill {

/// What of a block is stored.
enum class BlockForm : uint8_t {
  Plain,   ///< its bytes
  Packed,  ///< with its whole numbers packed (number_packing.h)
  Lz4,     ///< its bytes compressed as one block
};

/// Where a block lies in its file, and what its bytes come to.
struct BlockExtent {
  int64_t offset = 0;
  int64_t num_bytes = 0;
  int64_t stored_bytes = 0;
  BlockForm form = BlockForm::Plain;
  uint64_t checksum = 0;  ///< of what is stored

  /// Returns the bytes that reading it takes beside it.
  int64_t scratch_bytes() const { return form == BlockForm::Lz4 ? stored_bytes : 0; }
};

/// A block to be stored.
struct PlainBlock {
  std::span<const uint8_t> bytes;
  std::span<const NumberRun> numbers;  ///< whole ones in it
};

/// Says that all spill files together have reached their limit.
/// @param quota what their bytes are charged to
std::string limit_is_met(const memory::Budget& quota);

/// A file without a name that blocks are appended to and read from. It goes with its last owner. One thread appends,
/// any thread reads.
class SpillFile {
 public:
  /// @param owner whose error it is where reading fails
  /// @param quota what the file's bytes are charged to
  /// @param rates of the folder's disk
  SpillFile(std::unique_ptr<File> file, std::string folder, std::string owner, std::shared_ptr<memory::Budget> quota,
            std::shared_ptr<WriteRates> rates);
  SpillFile(const SpillFile&) = delete;
  SpillFile& operator=(const SpillFile&) = delete;
  ~SpillFile();

  /// Appends a block. Returns its place, or nullopt with `failure` set.
  /// @param scratch room to pack or compress it into where that pays; empty: it is not
  std::optional<BlockExtent> append(const PlainBlock& block, std::span<uint8_t> scratch, std::string& failure);
  /// Reads a block.
  /// @param scratch as `place` says
  /// @throws Error Resource naming the folder and the owner where it is not what was written
  void read(const BlockExtent& place, uint8_t* to, uint8_t* scratch) const;

  const std::string& folder() const { return folder_; }
  /// Says whether a block was not appended as all files have reached their limit, and not for want of the folder.
  bool has_met_limit() const { return has_met_limit_; }
  int64_t size_bytes() const { return end_; }

 private:
  /// Returns what is stored of a block, and as what.
  std::pair<std::span<const uint8_t>, BlockForm> stored_of(const PlainBlock& block, std::span<uint8_t> scratch) const;
  [[noreturn]] void fail(const BlockExtent& place, const std::string& why) const;

  const std::unique_ptr<File> file_;
  const std::string folder_;
  const std::string owner_;
  const std::shared_ptr<memory::Budget> quota_;
  const std::shared_ptr<WriteRates> rates_;
  int64_t end_ = 0;
  std::atomic<bool> has_met_limit_{false};
};

/// A block on its way to a file. Any thread.
class BlockWrite {
 public:
  /// Begins to append a block. No other one may be on its way to the file.
  /// @param scratch as of SpillFile::append; nullptr: none
  static std::shared_ptr<BlockWrite> start(std::shared_ptr<SpillFile> file, EncodedColumns block,
                                           std::shared_ptr<memory::Buffer> scratch, IoThreads& threads);

  /// Waits until it has ended. Returns its place, or nullopt with what failed.
  std::optional<BlockExtent> wait(std::string& failure) const;

 private:
  std::optional<BlockExtent> place_;
  std::string failure_;
  execution::EventPtr done_;
};

/// A block of a file that it keeps.
struct StoredBlock {
  std::shared_ptr<const SpillFile> file;
  BlockExtent place;
};

/// Blocks on their way from files, by one task. Any thread.
class BlockRead {
 public:
  /// Begins to read blocks into memory of a budget.
  static std::shared_ptr<BlockRead> start(std::vector<StoredBlock> blocks,
                                          const std::shared_ptr<memory::Budget>& budget, IoThreads& threads);

  /// Fires when they are there, or one has failed: those behind it have as well.
  const execution::EventPtr& done() const { return done_; }
  /// Returns one of them, once done.
  /// @throws Error Resource as SpillFile::read
  std::shared_ptr<memory::Buffer> get(size_t block = 0) const;
  /// Lets go of one of them, once done.
  void drop(size_t block) { blocks_[block].reset(); }

 private:
  std::vector<std::shared_ptr<memory::Buffer>> blocks_;
  size_t num_read_ = 0;
  std::exception_ptr failure_;  ///< of the block behind those
  execution::EventPtr done_;
};

}  // namespace accelerant::spill
