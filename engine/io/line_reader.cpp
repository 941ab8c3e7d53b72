#include "io/line_reader.h"

#include "base/error.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

namespace accelerant::io {

namespace {

constexpr int64_t kReadBytes = 1024 * 1024;
/// Offsets of strings have 32 bits.
constexpr int64_t kMostReadBytes = std::numeric_limits<int32_t>::max() - 1024;
constexpr int64_t kMarkBytes = kByteOrderMark.size();

/// Returns the place of a byte in [begin, end), or end.
int64_t find_byte(const char* text, int64_t begin, int64_t end, char byte) {
  const void* found = begin < end ? std::memchr(text + begin, byte, static_cast<size_t>(end - begin)) : nullptr;
  return found ? static_cast<const char*>(found) - text : end;
}

}  // namespace

LineReader::LineReader(std::unique_ptr<ByteStream> bytes, int64_t start, int64_t end, std::optional<char> separator,
                       std::shared_ptr<memory::Budget> budget)
    : stream_(std::move(bytes)),
      start_(start),
      end_(end),
      separator_(separator),
      budget_(std::move(budget)),
      position_(start),
      bytes_offset_(start) {}

/// Puts more behind the line that was not read to its end: as much again, where that is long.
void LineReader::read_more() {
  const int64_t kept = bytes_offset_ + num_bytes_ - position_;
  const int64_t space = std::min(std::max(kReadBytes, 2 * kept), kMostReadBytes);
  const int64_t wanted = std::min(space - kept, stream_->most_bytes());
  if (wanted == 0) throw_unsupported("a line is longer than " + std::to_string(kept) + " bytes");
  auto bytes = memory::Buffer::allocate(kept + wanted, budget_);
  uint8_t* to = bytes->mutable_data();
  if (kept > 0) std::memcpy(to, bytes_->data() + (num_bytes_ - kept), static_cast<size_t>(kept));
  int64_t num_read = 0;
  for (int64_t count = 1; count > 0 && num_read < wanted; num_read += count) {
    count = stream_->read(wanted - num_read, to + kept + num_read);
  }
  bytes_ = std::move(bytes);
  bytes_offset_ = position_;
  num_bytes_ = kept + num_read;
  next_return_ = -1;
}

/// Takes what is left as a line, where the file ends.
std::optional<LineReader::LineEnd> LineReader::last_end(int64_t begin) const {
  const bool is_last = has_all() && begin < num_bytes_;
  return is_last ? std::optional(LineEnd{num_bytes_, num_bytes_}) : std::nullopt;
}

/// Finds the end of a line where each of \n, \r\n and \r is one.
std::optional<LineReader::LineEnd> LineReader::find_any_end(int64_t begin) {
  const int64_t feed = find_byte(text(), begin, num_bytes_, '\n');
  if (next_return_ < begin) next_return_ = find_byte(text(), begin, num_bytes_, '\r');
  if (feed < next_return_) return LineEnd{feed, feed + 1};
  if (next_return_ == num_bytes_) return last_end(begin);
  const int64_t end = next_return_;
  const bool is_cut = end + 1 == num_bytes_ && !has_all();
  if (is_cut) return std::nullopt;
  return LineEnd{end, end + 1 + (end + 1 < num_bytes_ && text()[end + 1] == '\n')};
}

/// Returns where a line ends that begins at a place of what was read; nothing where that is not in it.
std::optional<LineReader::LineEnd> LineReader::find_end(int64_t begin) {
  if (!separator_) return find_any_end(begin);
  const int64_t end = find_byte(text(), begin, num_bytes_, *separator_);
  return end < num_bytes_ ? LineEnd{end, end + 1} : last_end(begin);
}

/// Passes over the line that the part starts in, or with: it belongs to the part before.
void LineReader::pass_first_line() {
  std::optional<LineEnd> line;
  while (!line && !has_all()) {
    read_more();
    line = find_end(0);
  }
  position_ += line ? line->next : num_bytes_;
}

/// Goes to the first line.
void LineReader::start() {
  if (is_started_ || at_end()) return;
  if (start_ > 0) {
    pass_first_line();
  } else {
    read_more();
    const bool has_mark = num_bytes_ >= kMarkBytes && std::memcmp(text(), kByteOrderMark.data(), kMarkBytes) == 0;
    mark_ = has_mark ? kMarkBytes : 0;
  }
  is_started_ = true;
}

LineBlock LineReader::next(int64_t max_lines) {
  start();
  LineBlock block;
  block.starts_part = !has_given_;
  block.starts_file = !has_given_ && start_ == 0;
  while (!at_end() && static_cast<int64_t>(block.lines.size()) < max_lines) {
    const int64_t begin = position_ + mark_ - bytes_offset_;
    const std::optional<LineEnd> line = bytes_ && begin < num_bytes_ ? find_end(begin) : std::nullopt;
    if (!line && !block.lines.empty()) break;
    if (!line) {
      read_more();
      continue;
    }
    block.lines.push_back({text() + begin, static_cast<int32_t>(line->end - begin)});
    position_ = bytes_offset_ + line->next;
    mark_ = 0;
  }
  block.bytes = bytes_;
  has_given_ = true;
  return block;
}

}  // namespace accelerant::io
