#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace accelerant::io {

/// Reads the fields of a message in the wire format of Protocol Buffers, in which ORC writes what is not values. Every
/// read is checked against the end of the message. A field has to be of the kind that is asked for.
/// All methods throw Error Resource where the message is corrupt.
class ProtoFields {
 public:
  explicit ProtoFields(std::span<const uint8_t> message) : data_(message.data()), end_(data_ + message.size()) {}

  /// Goes to the next field and returns true; false at the end.
  bool next();
  /// The number of the field.
  uint64_t number() const { return number_; }
  /// Returns the field's value as the format's types uint64 (and what is narrower), sint64, double and bytes.
  uint64_t as_unsigned() const;
  int64_t as_signed() const;
  double as_double() const;
  std::span<const uint8_t> as_bytes() const;
  std::string as_text() const;
  /// Adds the field's numbers: one, or a packed list of them.
  void append_to(std::vector<uint64_t>& numbers) const;

 private:
  enum class Wire : uint8_t { Varint = 0, Fixed64 = 1, Bytes = 2, Fixed32 = 5 };

  void require(Wire wire) const;
  uint64_t read_varint();
  uint64_t read_fixed(int num_bytes);
  void read_value();

  const uint8_t* data_;
  const uint8_t* end_;
  uint64_t number_ = 0;
  Wire wire_ = Wire::Varint;
  uint64_t value_ = 0;              ///< of what is not bytes
  std::span<const uint8_t> bytes_;  ///< of what is
};

}  // namespace accelerant::io
