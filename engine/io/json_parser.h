#pragma once

#include "columns/column.h"
#include "io/json_column.h"
#include "io/json_text.h"
#include "memory/budget.h"
#include "types/data_type.h"
#include "types/zone_rules.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace accelerant::io {

/// What a line is to the parser.
enum class JsonLine : uint8_t {
  Row,    ///< one row
  Blank,  ///< none
  Odd,    ///< for Spark to parse: the parser is not sure
};

/// How values are read that JSON has no type for.
struct JsonReading {
  std::shared_ptr<const types::ZoneRules> zone;  ///< of timestamps that say none; nullptr: those are odd
  bool reads_dates = true;                       ///< texts of dates are in the form of casts; else they are odd
  bool reads_timestamps = true;                  ///< likewise
  bool reads_ntz = true;                         ///< likewise of timestamps without a zone
  /// A text may be any other value, as it stands in the line; else those are odd.
  bool takes_values_as_text = true;
};

/// Turns lines, each an object, into columns, as Spark's JacksonParser does. What is not plainly a row of the schema,
/// all values of it being of their types, is odd: lines that are no JSON by RFC 8259 or that are not UTF-8, names that
/// have escapes or come twice, numbers that need more than 18 digits, lines of more than 16 MiB. One thread at a time.
class JsonParser {
 public:
  /// @param schema the members that rows are of, all types of which `is_json_type` knows
  JsonParser(const std::vector<types::Field>& schema, JsonReading reading,
             const std::shared_ptr<memory::Budget>& budget);

  /// Appends a row, or nothing. What throws, as Budget::reserve does, appends nothing.
  JsonLine parse(types::StringRef line);
  /// Appends a row of nulls.
  void append_null() { rows_.append_null(); }
  int64_t num_rows() const { return rows_.length(); }
  /// Returns the rows so far, a flat column of structs of the schema, and starts over.
  columns::ColumnPtr finish() { return rows_.finish(); }
  /// Forgets the rows so far.
  void clear() { rows_.truncate(0); }

 private:
  bool read_line();
  bool read_value(JsonColumn& column, int depth);
  bool read_members(JsonColumn& column, int depth);
  bool read_member(JsonColumn& column, size_t& expected, int depth);
  bool read_elements(JsonColumn& column, int depth);
  bool read_entries(JsonColumn& column, int depth);
  bool read_boolean(JsonColumn& column);
  template <class T>
  bool read_integer(JsonColumn& column);
  template <class T>
  bool read_floating(JsonColumn& column);
  bool read_decimal(JsonColumn& column);
  bool read_text(JsonColumn& column, int depth);
  /// Reads what is behind the first quote of a string, or of a name that becomes a value.
  bool read_string(JsonColumn& column, bool is_name = false);
  bool read_escapes(JsonColumn& column, types::StringRef plain, bool is_name);
  /// Reads the second half of a pair that begins with an escape.
  bool read_pair(int32& character);
  bool read_plain_string(types::StringRef& text);
  bool read_date(JsonColumn& column);
  bool read_timestamp(JsonColumn& column);
  bool read_ntz(JsonColumn& column);

  const JsonReading reading_;
  JsonColumn rows_;
  JsonText text_;
};

}  // namespace accelerant::io
