#include "io/orc_integers.h"

#include "base/error.h"
#include "types/varint.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

namespace accelerant::io {

namespace {

/// No run takes more bytes: 512 values of 64 bits, 31 patches of 64 bits, and what lies before them.
constexpr int64_t kMostRunBytes = 512 * 8 + 31 * 8 + 64;

[[noreturn]] void fail_integer_run() { throw Error(ErrorKind::Resource, "a run of integers is corrupt"); }

/// Returns the width in bits that five bits stand for.
int width_of_code(int code) {
  if (code < 24) return code + 1;
  constexpr int kWide[] = {26, 28, 30, 32, 40, 48, 56, 64};
  return kWide[code - 24];
}

/// Returns the width in which so many bits are packed.
int packed_width(int bits) {
  for (int code = 0; code < 32; ++code) {
    if (width_of_code(code) >= bits) return width_of_code(code);
  }
  fail_integer_run();
}

uint64_t low_bits(uint64_t value, int num_bits) {
  return num_bits < 64 ? value & ((uint64_t{1} << num_bits) - 1) : value;
}

uint64_t load_big_endian(const uint8_t* data) {
  uint64_t value;
  std::memcpy(&value, data, sizeof value);
  return __builtin_bswap64(value);
}

}  // namespace

void OrcIntegers::read(int64_t n, int64_t* to) {
  while (n > 0) {
    if (used_ == num_values_) start_run();
    const int64_t count = std::min<int64_t>(n, num_values_ - used_);
    std::memcpy(to, values_ + used_, static_cast<size_t>(count) * sizeof(int64_t));
    used_ += static_cast<int>(count);
    to += count;
    n -= count;
  }
}

int64_t OrcIntegers::most_left() const {
  int64_t most;
  const bool is_wide = __builtin_mul_overflow(bytes_.most_left(), int64_t{kMostValues}, &most) ||
                       __builtin_add_overflow(most, int64_t{num_values_ - used_}, &most);
  return is_wide ? std::numeric_limits<int64_t>::max() : most;
}

void OrcIntegers::start_run() {
  used_ = num_values_ = 0;
  bytes_.ensure(kMostRunBytes);
  const uint8_t head = read_byte();
  if (!is_second_version_) return read_first_version(head);
  switch (head >> 6) {
    case 0:
      return read_short_repeat(head);
    case 1:
      return read_direct(head);
    case 2:
      return read_patched(head);
    default:
      return read_delta(head);
  }
}

/// A run of values with one difference, or single values.
void OrcIntegers::read_first_version(uint8_t head) {
  constexpr int kLeastRun = 3;
  if (head < 0x80) {
    num_values_ = head + kLeastRun;
    const auto step = static_cast<uint64_t>(static_cast<int8_t>(read_byte()));
    uint64_t value = static_cast<uint64_t>(read_value());
    for (int i = 0; i < num_values_; ++i, value += step) values_[i] = value;
  } else {
    num_values_ = 0x100 - head;
    for (int i = 0; i < num_values_; ++i) values_[i] = static_cast<uint64_t>(read_value());
  }
}

void OrcIntegers::read_short_repeat(uint8_t head) {
  constexpr int kLeastRepeats = 3;
  uint64_t value = read_big_endian((head >> 3 & 7) + 1);
  if (is_signed_) value = static_cast<uint64_t>(types::unzigzag(value));
  num_values_ = (head & 7) + kLeastRepeats;
  std::fill_n(values_, num_values_, value);
}

void OrcIntegers::read_direct(uint8_t head) {
  const int width = width_of_code(head >> 1 & 31);
  const int length = read_length(head);
  unpack(length, width, values_);
  if (is_signed_) {
    for (int i = 0; i < length; ++i) values_[i] = static_cast<uint64_t>(types::unzigzag(values_[i]));
  }
  num_values_ = length;
}

/// Values above a base, few of which need more bits than the others: these come in a list of patches.
void OrcIntegers::read_patched(uint8_t head) {
  const int width = width_of_code(head >> 1 & 31);
  const int length = read_length(head);
  const uint8_t third = read_byte();
  const uint8_t fourth = read_byte();
  const int base_bytes = (third >> 5) + 1;
  const int patch_width = width_of_code(third & 31);
  const int gap_width = (fourth >> 5) + 1;
  const int num_patches = fourth & 31;
  uint64_t base = read_big_endian(base_bytes);
  const uint64_t sign = uint64_t{1} << (base_bytes * 8 - 1);
  if (base & sign) base = uint64_t{0} - (base & ~sign);
  unpack(length, width, values_);
  uint64_t patches[32];
  if (num_patches == 0 || patch_width + gap_width > 64) fail_integer_run();
  unpack(num_patches, packed_width(patch_width + gap_width), patches);
  num_values_ = length;
  apply_patches(patches, num_patches, patch_width, width);
  for (int i = 0; i < length; ++i) values_[i] += base;
}

/// Each patch says how far behind the last one its value is, and that value's bits above `width`. Lists that Java reads
/// in another way than the specification has it are corrupt.
void OrcIntegers::apply_patches(const uint64_t* patches, int num_patches, int patch_width, int width) {
  uint64_t place = 0;
  uint64_t gap = 0;
  for (int i = 0; i < num_patches; ++i) {
    const uint64_t more = patch_width < 64 ? patches[i] >> patch_width : 0;
    const uint64_t patch = low_bits(patches[i], patch_width);
    gap += more;
    const bool goes_on = more == 255 && patch == 0;  // a longer gap, which ends in the next patch
    if (goes_on && i + 1 < num_patches) continue;
    const bool is_second_of_value = gap == 0 && i > 0;
    place += gap;
    gap = 0;
    if (goes_on || is_second_of_value || width == 64 || place >= static_cast<uint64_t>(num_values_)) fail_integer_run();
    values_[place] |= patch << width;
  }
}

/// The differences of neighbours are all one, or have all the sign of the first one.
void OrcIntegers::read_delta(uint8_t head) {
  const int code = head >> 1 & 31;
  const int length = read_length(head);
  uint64_t value = static_cast<uint64_t>(read_value());
  values_[0] = value;
  const int64_t step = types::unzigzag(read_varint());
  if (code == 0) {
    for (int i = 1; i < length; ++i) values_[i] = value += static_cast<uint64_t>(step);
  } else if (length > 1) {
    values_[1] = value += static_cast<uint64_t>(step);
    unpack(length - 2, width_of_code(code), values_ + 2);
    for (int i = 2; i < length; ++i) values_[i] = value += step < 0 ? uint64_t{0} - values_[i] : values_[i];
  } else {
    fail_integer_run();
  }
  num_values_ = length;
}

/// Reads the rest of a run's length, which begins in its head.
int OrcIntegers::read_length(uint8_t head) { return ((head & 1) << 8 | read_byte()) + 1; }

uint8_t OrcIntegers::read_byte() {
  const uint8_t* data = bytes_.data();
  if (data == bytes_.end()) fail_integer_run();
  bytes_.pass_to(data + 1);
  return *data;
}

uint64_t OrcIntegers::read_big_endian(int num_bytes) {
  const uint8_t* data = bytes_.data();
  if (bytes_.end() - data < num_bytes) fail_integer_run();
  bytes_.pass_to(data + num_bytes);
  return load_big_endian(data) >> (64 - num_bytes * 8);
}

uint64_t OrcIntegers::read_varint() {
  const uint8_t* data = bytes_.data();
  uint64_t value;
  if (!types::read_varint(data, bytes_.end(), value)) fail_integer_run();
  bytes_.pass_to(data);
  return value;
}

int64_t OrcIntegers::read_value() {
  const uint64_t value = read_varint();
  return is_signed_ ? types::unzigzag(value) : static_cast<int64_t>(value);
}

/// Reads values that are packed with their highest bits first.
void OrcIntegers::unpack(int num_values, int width, uint64_t* to) {
  const uint8_t* data = bytes_.data();
  const int num_bytes = (num_values * width + 7) / 8;
  if (bytes_.end() - data < num_bytes) fail_integer_run();
  // No width between 56 and 64 is packed, so that a value lies within the eight bytes from its first one on.
  for (int i = 0, bit = 0; i < num_values; ++i, bit += width) {
    to[i] = load_big_endian(data + (bit >> 3)) << (bit & 7) >> (64 - width);
  }
  bytes_.pass_to(data + num_bytes);
}

}  // namespace accelerant::io
