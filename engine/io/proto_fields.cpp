#include "io/proto_fields.h"

#include "base/error.h"
#include "types/varint.h"

#include <bit>
#include <cstring>

namespace accelerant::io {

namespace {

[[noreturn]] void fail_metadata() { throw Error(ErrorKind::Resource, "its metadata is corrupt"); }

}  // namespace

bool ProtoFields::next() {
  if (data_ == end_) return false;
  const uint64_t key = read_varint();
  number_ = key >> 3;
  wire_ = static_cast<Wire>(key & 7);
  read_value();
  return true;
}

void ProtoFields::read_value() {
  switch (wire_) {
    case Wire::Varint:
      value_ = read_varint();
      return;
    case Wire::Fixed64:
      value_ = read_fixed(sizeof(uint64_t));
      return;
    case Wire::Fixed32:
      value_ = read_fixed(sizeof(uint32_t));
      return;
    case Wire::Bytes: {
      const uint64_t num_bytes = read_varint();
      if (num_bytes > static_cast<uint64_t>(end_ - data_)) fail_metadata();
      bytes_ = {data_, num_bytes};
      data_ += num_bytes;
      return;
    }
  }
  fail_metadata();
}

uint64_t ProtoFields::read_varint() {
  uint64_t value;
  if (!types::read_varint(data_, end_, value)) fail_metadata();
  return value;
}

uint64_t ProtoFields::read_fixed(int num_bytes) {
  if (end_ - data_ < num_bytes) fail_metadata();
  uint64_t value = 0;
  std::memcpy(&value, data_, static_cast<size_t>(num_bytes));
  data_ += num_bytes;
  return value;
}

void ProtoFields::require(Wire wire) const {
  if (wire_ != wire) fail_metadata();
}

uint64_t ProtoFields::as_unsigned() const {
  require(Wire::Varint);
  return value_;
}

int64_t ProtoFields::as_signed() const { return types::unzigzag(as_unsigned()); }

double ProtoFields::as_double() const {
  require(Wire::Fixed64);
  return std::bit_cast<double>(value_);
}

std::span<const uint8_t> ProtoFields::as_bytes() const {
  require(Wire::Bytes);
  return bytes_;
}

std::string ProtoFields::as_text() const {
  const auto bytes = as_bytes();
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

void ProtoFields::append_to(std::vector<uint64_t>& numbers) const {
  if (wire_ != Wire::Bytes) return numbers.push_back(as_unsigned());
  ProtoFields packed(bytes_);
  while (packed.data_ != packed.end_) numbers.push_back(packed.read_varint());
}

}  // namespace accelerant::io
