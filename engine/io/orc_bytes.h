#pragma once

#include "io/orc_codec.h"
#include "memory/buffer.h"

#include <cstdint>
#include <memory>
#include <span>

namespace accelerant::io {

/// The bytes of one stream of an ORC file, decompressed chunk by chunk as they are read. One thread at a time.
class OrcBytes {
 public:
  /// Makes a stream without bytes.
  OrcBytes() = default;
  /// @param stored the stream's bytes, within `owner`
  OrcBytes(std::shared_ptr<OrcCodec> codec, memory::BufferPtr owner, std::span<const uint8_t> stored,
           std::shared_ptr<memory::Budget> budget);

  /// Has the next `n` bytes, or all that are left if these are fewer, lie together from `data()` to `end()`.
  /// @throws Error Resource where a chunk is corrupt
  void ensure(int64_t n) {
    if (end_ - data_ < n && stored_ != stored_end_) gather(n);
  }
  /// The next byte. What lies up to 64 bytes behind `end()` may be read, too.
  const uint8_t* data() const { return data_; }
  const uint8_t* end() const { return end_; }
  /// Passes over bytes before `end()`.
  void pass_to(const uint8_t* data) { data_ = data; }
  /// Returns the most bytes that can be left, without decompressing them.
  int64_t most_left() const;
  /// Copies the next `n` bytes to `to`.
  /// @throws Error Resource where there are fewer
  void copy(int64_t n, uint8_t* to);
  /// Reads everything that is left, and returns where it lies until the next call.
  std::span<const uint8_t> read_all();

 private:
  /// A piece of the stream that is stored on its own.
  struct Chunk {
    bool is_compressed;
    std::span<const uint8_t> bytes;
  };

  Chunk next_chunk();
  void gather(int64_t n);
  uint8_t* make_room();
  void append(const Chunk& chunk);

  std::shared_ptr<OrcCodec> codec_;
  memory::BufferPtr owner_;
  std::shared_ptr<memory::Budget> budget_;
  const uint8_t* stored_ = nullptr;  ///< the next chunk
  const uint8_t* stored_end_ = nullptr;
  std::shared_ptr<memory::Buffer> window_;  ///< what was decompressed, or put together
  const uint8_t* data_ = nullptr;
  const uint8_t* end_ = nullptr;
};

}  // namespace accelerant::io
