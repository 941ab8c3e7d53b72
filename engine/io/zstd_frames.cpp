#include "io/zstd_frames.h"

#include <algorithm>
#include <cstddef>

namespace accelerant::io {

namespace {

constexpr uint64_t kFrameMagic = 0xFD2FB528;
constexpr uint64_t kSkippableMagic = 0x184D2A50;  ///< the last four bits are free
/// No block stands for more.
constexpr int64_t kLargestBlock = 128 * 1024;

/// Steps through bytes; past their end it fails once and for all.
class Cursor {
 public:
  explicit Cursor(std::span<const uint8_t> bytes) : bytes_(bytes) {}

  bool has_failed() const { return has_failed_; }
  bool at_end() const { return bytes_.empty(); }

  /// Reads a number of some bytes, the least first.
  uint64_t number(size_t num_bytes) {
    if (num_bytes > bytes_.size()) has_failed_ = true;
    if (has_failed_) return 0;
    uint64_t number = 0;
    for (size_t i = 0; i < num_bytes; ++i) number |= uint64_t{bytes_[i]} << (8 * i);
    skip(num_bytes);
    return number;
  }

  void skip(uint64_t num_bytes) {
    if (num_bytes > bytes_.size()) has_failed_ = true;
    bytes_ = has_failed_ ? std::span<const uint8_t>() : bytes_.subspan(num_bytes);
  }

 private:
  std::span<const uint8_t> bytes_;
  bool has_failed_ = false;
};

/// Reads what precedes a frame's blocks and returns whether a checksum follows them.
bool skip_frame_header(Cursor& cursor) {
  static constexpr size_t kDictionaryBytes[] = {0, 1, 2, 4};
  static constexpr size_t kContentSizeBytes[] = {0, 2, 4, 8};
  const uint64_t descriptor = cursor.number(1);
  const bool is_single_segment = (descriptor >> 5 & 1) != 0;
  const size_t content_size_bytes = kContentSizeBytes[descriptor >> 6];
  cursor.skip(is_single_segment ? 0 : 1);  // the window's size
  cursor.skip(kDictionaryBytes[descriptor & 3]);
  cursor.skip(content_size_bytes == 0 && is_single_segment ? 1 : content_size_bytes);
  return (descriptor >> 2 & 1) != 0;
}

int64_t largest_frame_content(Cursor& cursor) {
  enum BlockType : uint64_t { kRaw = 0, kRunLength = 1, kCompressed = 2 };
  const bool has_checksum = skip_frame_header(cursor);
  int64_t largest = 0;
  for (bool is_last = false; !is_last && !cursor.has_failed();) {
    const uint64_t head = cursor.number(3);
    is_last = (head & 1) != 0;
    const uint64_t type = head >> 1 & 3;
    const uint64_t size = head >> 3;
    cursor.skip(type == kRunLength ? 1 : size);
    largest += type == kCompressed ? kLargestBlock : std::min(static_cast<int64_t>(size), kLargestBlock);
  }
  cursor.skip(has_checksum ? 4 : 0);
  return largest;
}

}  // namespace

std::optional<int64_t> largest_zstd_content(std::span<const uint8_t> frames) {
  Cursor cursor(frames);
  int64_t largest = 0;
  while (!cursor.at_end()) {
    const uint64_t magic = cursor.number(4);
    if ((magic & ~uint64_t{0xf}) == kSkippableMagic) {
      cursor.skip(cursor.number(4));
    } else if (magic == kFrameMagic) {
      largest += largest_frame_content(cursor);
    } else {
      return std::nullopt;
    }
  }
  if (cursor.has_failed()) return std::nullopt;
  return largest;
}

}  // namespace accelerant::io
