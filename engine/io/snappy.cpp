#include "io/snappy.h"

#include "base/macros.h"
#include "types/varint.h"

#include <array>
#include <cstring>

// A block is its length and then elements: literals, which are copied from the block, and copies of bytes that were
// made before. Elements are short, mostly below 16 bytes, and what costs is to find out how long. As long as there is
// room behind both ends, each is moved in whole words of a length that the compiler knows, past its own end; the next
// element writes over what is too much.

namespace accelerant::io {

namespace {

/// What an element of up to 64 bytes may move at the most, from the place where it begins.
constexpr ptrdiff_t kRoom = 80;
constexpr size_t kWord = 16;
/// No element that is moved in words is longer.
constexpr size_t kLongestMoved = 64;

template <size_t kBytes>
ACC_INLINE void move(uint8_t* to, const uint8_t* from) {
  std::memcpy(to, from, kBytes);
}

/// Moves up to 64 bytes; 16 or 64 are written.
ACC_INLINE void move_words(uint8_t* to, const uint8_t* from, size_t length) {
  move<kWord>(to, from);
  if (length <= kWord) return;
  move<kWord>(to + kWord, from + kWord);
  move<kWord>(to + 2 * kWord, from + 2 * kWord);
  move<kWord>(to + 3 * kWord, from + 3 * kWord);
}

/// Copies bytes that may reach into those they make.
ACC_INLINE void copy_close(uint8_t* to, size_t offset, size_t length) {
  const uint8_t* from = to - offset;
  if (offset < 8) {
    for (size_t i = 0; i < length; ++i) to[i] = from[i];
    return;
  }
  for (size_t i = 0; i < length; i += 8) move<8>(to + i, from + i);
}

/// By the kind of a copy.
constexpr uint8_t kOffsetBytes[] = {0, 1, 2, 4};

/// By the first byte of a copy.
constexpr auto kCopyLengths = [] {
  std::array<uint8_t, 256> lengths{};
  for (size_t tag = 0; tag < lengths.size(); ++tag) {
    lengths[tag] = static_cast<uint8_t>((tag & 3) == 1 ? ((tag >> 2) & 7) + 4 : (tag >> 2) + 1);
  }
  return lengths;
}();

class Decompressor {
 public:
  Decompressor(std::span<const uint8_t> from, std::span<uint8_t> to)
      : from_(from.data()),
        from_end_(from_ + from.size()),
        begin_(to.data()),
        to_(begin_),
        to_end_(begin_ + to.size()) {}

  bool run() {
    uint64 length = 0;
    if (!types::read_varint(from_, from_end_, length) || length != static_cast<uint64>(to_end_ - to_)) return false;
    while (from_end_ - from_ > kRoom && to_end_ - to_ > kRoom) {
      if (!move_element()) return false;
    }
    while (from_ < from_end_) {
      if (!move_last_element()) return false;
    }
    return to_ == to_end_;
  }

 private:
  /// An element whose first byte was read: its kind is in the two lowest bits.
  static bool is_literal(uint8_t tag) { return (tag & 3) == 0; }
  /// How many bytes of a literal's length, or of a copy's offset, follow.
  static size_t num_more(uint8_t tag) {
    if (is_literal(tag)) return tag < (60 << 2) ? 0 : static_cast<size_t>(tag >> 2) - 59;
    return kOffsetBytes[tag & 3];
  }

  /// Moves an element that has room around it.
  ACC_INLINE bool move_element() {
    const uint8_t tag = *from_++;
    if (is_literal(tag)) {
      const size_t length = static_cast<size_t>(tag >> 2) + 1;
      if (length > 60) return move_long_literal(read_number(num_more(tag)));
      move_words(to_, from_, length);
      from_ += length;
      to_ += length;
      return true;
    }
    const size_t length = kCopyLengths[tag];
    const size_t offset = read_near_offset(tag);
    if (offset - 1 >= static_cast<size_t>(to_ - begin_)) return false;  // also of 0
    if (offset >= kWord) {
      move_words(to_, to_ - offset, length);
    } else {
      copy_close(to_, offset, length);
    }
    to_ += length;
    return true;
  }

  /// Moves an element without a look at what is around it.
  bool move_last_element() {
    const uint8_t tag = *from_++;
    const size_t more = num_more(tag);
    if (more > static_cast<size_t>(from_end_ - from_)) return false;
    if (is_literal(tag)) return move_long_literal(more == 0 ? static_cast<size_t>(tag >> 2) : read_number(more));
    const size_t length = kCopyLengths[tag];
    const size_t offset = read_offset(tag);
    if (offset - 1 >= static_cast<size_t>(to_ - begin_) || length > static_cast<size_t>(to_end_ - to_)) return false;
    const uint8_t* copied = to_ - offset;
    for (size_t i = 0; i < length; ++i) to_[i] = copied[i];
    to_ += length;
    return true;
  }

  bool move_long_literal(size_t length_less_one) {
    if (length_less_one >= static_cast<size_t>(from_end_ - from_)) return false;
    if (length_less_one >= static_cast<size_t>(to_end_ - to_)) return false;
    std::memcpy(to_, from_, length_less_one + 1);
    from_ += length_less_one + 1;
    to_ += length_less_one + 1;
    return true;
  }

  /// Reads an offset where four bytes can be read. Without a branch, as kinds can't be foretold: a copy with one byte
  /// has three bits more in its tag.
  ACC_INLINE size_t read_near_offset(uint8_t tag) {
    static constexpr uint32_t kMasks[] = {0, 0xff, 0xffff, 0xffffffff};
    static constexpr uint32_t kTagMasks[] = {0, 0xe0, 0, 0};
    uint32_t bytes;
    std::memcpy(&bytes, from_, sizeof bytes);
    from_ += kOffsetBytes[tag & 3];
    return (bytes & kMasks[tag & 3]) | (tag & kTagMasks[tag & 3]) << 3;
  }
  size_t read_offset(uint8_t tag) {
    if ((tag & 3) == 1) return static_cast<size_t>(tag >> 5) << 8 | *from_++;
    return read_number(num_more(tag));
  }

  /// Reads a number of some bytes, the least first.
  ACC_INLINE size_t read_number(size_t num_bytes) {
    size_t number = 0;
    for (size_t i = 0; i < num_bytes; ++i) number |= static_cast<size_t>(from_[i]) << (8 * i);
    from_ += num_bytes;
    return number;
  }

  const uint8_t* from_;
  const uint8_t* const from_end_;
  uint8_t* const begin_;
  uint8_t* to_;
  uint8_t* const to_end_;
};

static_assert(kRoom >= static_cast<ptrdiff_t>(kLongestMoved + kWord), "elements are moved in words");

}  // namespace

bool decompress_snappy(std::span<const uint8_t> from, std::span<uint8_t> to) { return Decompressor(from, to).run(); }

}  // namespace accelerant::io
