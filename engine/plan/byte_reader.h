#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace accelerant::plan {

/// Reads the primitives of docs/design/plan-message.md from bytes nobody vouches for. Every read is bounds-checked and
/// throws Error{Internal} "malformed <what> at byte <n>: ...". The bytes must outlive what is returned.
class ByteReader {
 public:
  /// @param what names the message in errors, e.g. "plan message"
  ByteReader(std::span<const uint8_t> bytes, std::string what) : bytes_(bytes), what_(std::move(what)) {}

  /// Reads four bytes that must be `magic`, then a format version that must be `version`.
  /// @throws Error Unsupported naming both versions when they differ
  void header(std::string_view magic, uint64_t version);

  uint8_t u8();
  bool boolean();  ///< one byte, 0 or 1
  uint64_t varint();
  int64_t svarint();
  double f64();
  std::string_view text();
  std::string_view raw(uint64_t num_bytes);

  /// Reads a number that must fit int32 and not be negative.
  int int32();
  /// Reads a number that must fit int64.
  int64_t int64();
  /// Reads a number of things that take at least `min_bytes` each, so that the rest of the message can hold them all.
  size_t count(size_t min_bytes = 1);

  size_t position() const { return position_; }
  size_t remaining() const { return bytes_.size() - position_; }
  size_t size() const { return bytes_.size(); }
  /// Fails unless every byte was read.
  void expect_end();

  /// Throws the error that says where reading stopped and why.
  [[noreturn]] void fail(const std::string& why) const;

 private:
  std::span<const uint8_t> bytes_;
  std::string what_;
  size_t position_ = 0;
};

}  // namespace accelerant::plan
