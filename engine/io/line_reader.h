#pragma once

#include "io/byte_stream.h"
#include "io/line_block.h"
#include "memory/budget.h"

#include <cstdint>
#include <memory>
#include <optional>

namespace accelerant::io {

/// Reads the lines of a part of a file, as Hadoop's LineRecordReader does: those that begin behind its start, up to one
/// that begins right at its end; of a part that starts the file also the first. A byte order mark at the start of the
/// file is no part of a line.
class LineReader {
 public:
  /// @param bytes from `start` on
  /// @param separator what ends a line; nothing: each of \n, \r\n and \r does
  LineReader(std::unique_ptr<ByteStream> bytes, int64_t start, int64_t end, std::optional<char> separator,
             std::shared_ptr<memory::Budget> budget);

  /// Returns some more lines, `max_lines` at most. A call that ends by a MemoryWait changes nothing.
  /// @throws memory::MemoryWait; Error Resource when the file can't be read, or a line does not fit into a buffer
  LineBlock next(int64_t max_lines);
  /// Says whether all lines were given.
  bool at_end() const { return position_ > end_ || (has_all() && position_ + mark_ >= bytes_offset_ + num_bytes_); }

 private:
  /// Where a line ends, and where the next one begins; within what was read.
  struct LineEnd {
    int64_t end;
    int64_t next;
  };

  void start();
  void pass_first_line();
  std::optional<LineEnd> find_end(int64_t begin);
  std::optional<LineEnd> find_any_end(int64_t begin);
  std::optional<LineEnd> last_end(int64_t begin) const;
  void read_more();
  /// Says whether nothing comes behind what was read.
  bool has_all() const { return stream_->most_bytes() == 0; }
  const char* text() const { return reinterpret_cast<const char*>(bytes_->data()); }

  const std::unique_ptr<ByteStream> stream_;
  const int64_t start_;
  const int64_t end_;
  const std::optional<char> separator_;
  const std::shared_ptr<memory::Budget> budget_;
  int64_t position_;          ///< in the file: where the next line begins
  memory::BufferPtr bytes_;   ///< what was read last
  int64_t bytes_offset_ = 0;  ///< where it lies in the file
  int64_t num_bytes_ = 0;
  int64_t next_return_ =
      -1;             ///< in `bytes_`: the first \r from where lines are looked for; num_bytes_: none; -1: unknown
  int64_t mark_ = 0;  ///< bytes of a byte order mark in front of the next line
  bool is_started_ = false;
  bool has_given_ = false;  ///< some lines
};

}  // namespace accelerant::io
