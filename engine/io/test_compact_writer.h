#pragma once

#include <cstdint>
#include <string>

/// Headers of pages for unit tests: only tests include this.
namespace accelerant::io::test {

/// Writes structs in Thrift's compact protocol.
class CompactWriter {
 public:
  CompactWriter& field(int id, int type) {
    bytes_ += static_cast<char>((id - last_) << 4 | type);
    last_ = id;
    return *this;
  }
  CompactWriter& number(int id, int64_t value) {
    field(id, 5);
    varint(static_cast<uint64_t>(value) << 1 ^ static_cast<uint64_t>(value >> 63));
    return *this;
  }
  CompactWriter& raw(const std::string& bytes) {
    bytes_ += bytes;
    return *this;
  }
  std::string end() const { return bytes_ + '\0'; }

 private:
  void varint(uint64_t value) {
    for (; value > 0x7f; value >>= 7) bytes_ += static_cast<char>(value | 0x80);
    bytes_ += static_cast<char>(value);
  }

  std::string bytes_;
  int last_ = 0;
};

}  // namespace accelerant::io::test
