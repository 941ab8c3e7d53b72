#pragma once

#include "plan/byte_reader.h"
#include "plan/value.h"

#include <string>
#include <string_view>
#include <vector>

namespace accelerant::plan {

/// Decodes data types and values. What it allocates stays proportional to the message: nesting is limited, and text
/// that a type copies is charged against the message's size.
class ValueDecoder {
 public:
  /// @param strings the message's string table, empty where it has none; must outlive the values
  ValueDecoder(ByteReader& reader, const std::vector<std::string>& strings)
      : reader_(reader), strings_(strings), copies_left_(kCopiesPerByte * reader.size()) {}

  /// Reads an index into the string table.
  std::string_view str();
  /// Reads a type after its leading byte `code`.
  types::DataType type(uint8_t code, int depth = 0);
  types::DataType type() { return type(reader_.u8()); }
  /// Reads a value.
  /// @param num_nodes references must be below it
  FieldValue value(int num_nodes, int depth = 0);
  /// Reads a list of named values.
  std::vector<NamedValue> fields(int num_nodes, int depth = 0);

 private:
  static constexpr int kMaxDepth = 64;
  static constexpr size_t kCopiesPerByte = 64;

  std::string copy(std::string_view text);
  types::DataType decimal_type();
  types::DataType interval_type(types::TypeId id);
  types::DataType struct_type(int depth);
  types::DataType string_type();
  std::vector<FieldValue> items(size_t count, int num_nodes, int depth);
  Decimal decimal();

  ByteReader& reader_;
  const std::vector<std::string>& strings_;
  size_t copies_left_;
};

}  // namespace accelerant::plan
