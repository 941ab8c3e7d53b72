#include "plan/byte_reader.h"

#include "base/error.h"

#include <bit>
#include <cstring>
#include <limits>

namespace accelerant::plan {

void ByteReader::fail(const std::string& why) const {
  throw Error(ErrorKind::Internal, "malformed " + what_ + " at byte " + std::to_string(position_) + ": " + why);
}

void ByteReader::header(std::string_view magic, uint64_t version) {
  if (remaining() < magic.size() || raw(magic.size()) != magic) fail("it does not start with " + std::string(magic));
  const uint64_t found = varint();
  if (found != version) {
    throw_unsupported(what_ + " format " + std::to_string(found) + "; this engine reads " + std::to_string(version));
  }
}

uint8_t ByteReader::u8() {
  if (remaining() < 1) fail("it ends too early");
  return bytes_[position_++];
}

bool ByteReader::boolean() {
  const uint8_t byte = u8();
  if (byte > 1) fail("expected 0 or 1, found " + std::to_string(byte));
  return byte == 1;
}

uint64_t ByteReader::varint() {
  uint64_t value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    const uint8_t byte = u8();
    const uint64_t bits = byte & 0x7f;
    if (shift == 63 && bits > 1) break;
    value |= bits << shift;
    if ((byte & 0x80) == 0) return value;
  }
  fail("a number is longer than 64 bits");
}

int64_t ByteReader::svarint() {
  const uint64_t value = varint();
  return static_cast<int64_t>((value >> 1) ^ (~(value & 1) + 1));
}

double ByteReader::f64() {
  uint64_t value = 0;
  const std::string_view source = raw(8);
  static_assert(std::endian::native == std::endian::little);
  std::memcpy(&value, source.data(), 8);
  return std::bit_cast<double>(value);
}

std::string_view ByteReader::text() { return raw(varint()); }

std::string_view ByteReader::raw(uint64_t num_bytes) {
  if (num_bytes > remaining())
    fail(std::to_string(num_bytes) + " bytes wanted, " + std::to_string(remaining()) + " left");
  const std::string_view result(reinterpret_cast<const char*>(bytes_.data()) + position_, num_bytes);
  position_ += num_bytes;
  return result;
}

int ByteReader::int32() {
  const uint64_t value = varint();
  if (value > static_cast<uint64_t>(std::numeric_limits<int32_t>::max())) fail("number out of range");
  return static_cast<int>(value);
}

int64_t ByteReader::int64() {
  const uint64_t value = varint();
  if (value > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) fail("number out of range");
  return static_cast<int64_t>(value);
}

size_t ByteReader::count(size_t min_bytes) {
  const uint64_t value = varint();
  if (value > remaining() / min_bytes) fail(std::to_string(value) + " items do not fit the bytes that are left");
  return static_cast<size_t>(value);
}

void ByteReader::expect_end() {
  if (remaining() > 0) fail(std::to_string(remaining()) + " bytes follow its end");
}

}  // namespace accelerant::plan
