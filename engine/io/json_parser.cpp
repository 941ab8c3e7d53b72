#include "io/json_parser.h"

#include "functions/datetime/moment.h"
#include "functions/datetime/parse_time.h"
#include "io/json_number.h"
#include "types/utf8.h"

#include <limits>
#include <utility>

namespace accelerant::io {

using functions::ParsedTime;
using types::StringRef;
using types::TypeId;

namespace {

constexpr int32 kMaxLineBytes = 16 << 20;

constexpr int32 kFirstHighSurrogate = 0xd800;
constexpr int32 kFirstLowSurrogate = 0xdc00;

}  // namespace

JsonParser::JsonParser(const std::vector<types::Field>& schema, JsonReading reading,
                       const std::shared_ptr<memory::Budget>& budget)
    : reading_(std::move(reading)), rows_(types::DataType::structure(schema), budget) {}

JsonLine JsonParser::parse(StringRef line) {
  if (line.length > kMaxLineBytes) return JsonLine::Odd;
  text_ = JsonText(line);
  text_.skip_blanks();
  if (text_.at_end()) return JsonLine::Blank;
  const int64_t num_rows = rows_.length();
  try {
    if (is_utf8(line) && read_line()) return JsonLine::Row;
  } catch (...) {
    rows_.truncate(num_rows);
    throw;
  }
  rows_.truncate(num_rows);
  return JsonLine::Odd;
}

bool JsonParser::read_line() {
  if (!text_.take('{') || !read_members(rows_, 1)) return false;
  text_.skip_blanks();
  return text_.at_end();
}

bool JsonParser::read_value(JsonColumn& column, int depth) {
  if (depth > JsonText::kMaxDepth) return false;
  text_.skip_blanks();
  if (text_.peek() == 'n') {
    if (!text_.take_word("null", 4)) return false;
    column.append_null();
    return true;
  }
  switch (column.id()) {
    case TypeId::Boolean:
      return read_boolean(column);
    case TypeId::Byte:
      return read_integer<int8_t>(column);
    case TypeId::Short:
      return read_integer<int16_t>(column);
    case TypeId::Int:
      return read_integer<int32_t>(column);
    case TypeId::Long:
      return read_integer<int64_t>(column);
    case TypeId::Float:
      return read_floating<float>(column);
    case TypeId::Double:
      return read_floating<double>(column);
    case TypeId::Decimal:
      return read_decimal(column);
    case TypeId::String:
      return read_text(column, depth);
    case TypeId::Date:
      return read_date(column);
    case TypeId::Timestamp:
      return read_timestamp(column);
    case TypeId::TimestampNtz:
      return read_ntz(column);
    case TypeId::Struct:
      return text_.take('{') && read_members(column, depth + 1);
    case TypeId::Array:
      return text_.take('[') && read_elements(column, depth + 1);
    case TypeId::Map:
      return text_.take('{') && read_entries(column, depth + 1);
    case TypeId::Null:
    case TypeId::Binary:
    case TypeId::DayTimeInterval:
    case TypeId::YearMonthInterval:
    case TypeId::Char:
    case TypeId::Varchar:
    case TypeId::CalendarInterval:
    case TypeId::Other:
      return false;
  }
  return false;
}

bool JsonParser::read_members(JsonColumn& column, int depth) {
  const int64_t row = column.length();
  size_t expected = 0;
  text_.skip_blanks();
  if (!text_.take('}')) {
    do {
      if (!read_member(column, expected, depth)) return false;
      text_.skip_blanks();
    } while (text_.take(','));
    if (!text_.take('}')) return false;
  }
  for (JsonColumn& child : column.children()) {
    if (child.length() == row) child.append_null();
  }
  column.append_nested();
  return true;
}

bool JsonParser::read_member(JsonColumn& column, size_t& expected, int depth) {
  StringRef name;
  text_.skip_blanks();
  if (!text_.take('"') || !read_plain_string(name) || name.length > JsonText::kMaxNameBytes) return false;
  text_.skip_blanks();
  if (!text_.take(':')) return false;
  const int found = column.names().find({name.data, static_cast<size_t>(name.length)}, expected);
  if (found < 0) return text_.skip_value(depth);
  expected = static_cast<size_t>(found) + 1;
  JsonColumn& child = column.children()[static_cast<size_t>(found)];
  return child.length() == column.length() && read_value(child, depth);
}

bool JsonParser::read_elements(JsonColumn& column, int depth) {
  JsonColumn& elements = column.children()[0];
  text_.skip_blanks();
  if (!text_.take(']')) {
    do {
      if (!read_value(elements, depth)) return false;
      text_.skip_blanks();
    } while (text_.take(','));
    if (!text_.take(']')) return false;
  }
  column.append_nested();
  return true;
}

bool JsonParser::read_entries(JsonColumn& column, int depth) {
  JsonColumn& keys = column.children()[0];
  JsonColumn& values = column.children()[1];
  text_.skip_blanks();
  if (!text_.take('}')) {
    do {
      text_.skip_blanks();
      const char* begin = text_.place();
      if (!text_.take('"') || !read_string(keys, true) || text_.place() - begin > JsonText::kMaxNameBytes) return false;
      text_.skip_blanks();
      if (!text_.take(':') || !read_value(values, depth)) return false;
      text_.skip_blanks();
    } while (text_.take(','));
    if (!text_.take('}')) return false;
  }
  column.append_nested();
  return true;
}

bool JsonParser::read_boolean(JsonColumn& column) {
  const bool is_true = text_.peek() == 't';
  if (!(is_true ? text_.take_word("true", 4) : text_.take_word("false", 5))) return false;
  column.append(static_cast<uint8_t>(is_true));
  return true;
}

template <class T>
bool JsonParser::read_integer(JsonColumn& column) {
  JsonNumber number;
  if (!text_.take_number(number) || !number.is_integer || !number.has_digits()) return false;
  const int64_t value = number.signed_digits();
  if (value < std::numeric_limits<T>::min() || value > std::numeric_limits<T>::max()) return false;
  column.append(static_cast<T>(value));
  return true;
}

template <class T>
bool JsonParser::read_floating(JsonColumn& column) {
  JsonNumber number;
  T value;
  if (!text_.take_number(number) || !to_floating(number, value)) return false;
  column.append(value);
  return true;
}

bool JsonParser::read_decimal(JsonColumn& column) {
  JsonNumber number;
  int128 value;
  if (!text_.take_number(number) || !to_decimal(number, column.type(), value)) return false;
  if (column.type().physical() == types::PhysicalType::Int64) {
    column.append(static_cast<int64_t>(value));
  } else {
    column.append(value);
  }
  return true;
}

bool JsonParser::read_text(JsonColumn& column, int depth) {
  if (text_.take('"')) return read_string(column);
  const char* begin = text_.place();
  if (!reading_.takes_values_as_text || !text_.skip_value(depth)) return false;
  column.append_text({begin, static_cast<int32>(text_.place() - begin)});
  return true;
}

bool JsonParser::read_string(JsonColumn& column, bool is_name) {
  const StringRef plain = text_.take_plain();
  if (text_.take('"')) {
    column.append_text(plain);
    return true;
  }
  return text_.peek() == '\\' && read_escapes(column, plain, is_name);
}

bool JsonParser::read_escapes(JsonColumn& column, StringRef plain, bool is_name) {
  // An escape is longer than its character in UTF-8: the rest of the line is room enough.
  char* const begin = column.text_room(plain.length + text_.num_left());
  char* out = types::append(plain, begin);
  while (!text_.take('"')) {
    int32 character;
    if (text_.peek() != '\\' || !text_.take_escape(character)) return false;
    if (is_surrogate(character) && (is_name || !read_pair(character))) return false;
    out = types::encode_character(character, out);
    out = types::append(text_.take_plain(), out);
  }
  column.append_written(static_cast<int32>(out - begin));
  return true;
}

bool JsonParser::read_pair(int32& character) {
  int32 low;
  if (character >= kFirstLowSurrogate || text_.peek() != '\\' || !text_.take_escape(low)) return false;
  if (!is_surrogate(low) || low < kFirstLowSurrogate) return false;
  character = 0x10000 + ((character - kFirstHighSurrogate) << 10) + (low - kFirstLowSurrogate);
  return true;
}

bool JsonParser::read_plain_string(StringRef& text) {
  text = text_.take_plain();
  return text_.take('"');
}

bool JsonParser::read_date(JsonColumn& column) {
  StringRef text;
  int32 days;
  if (!reading_.reads_dates || !text_.take('"') || !read_plain_string(text)) return false;
  if (!functions::parse_date(text, days)) return false;
  column.append(days);
  return true;
}

bool JsonParser::read_timestamp(JsonColumn& column) {
  StringRef text;
  if (!reading_.reads_timestamps || !text_.take('"') || !read_plain_string(text)) return false;
  const ParsedTime time = functions::parse_timestamp(text);
  if (!time.has_date) return false;
  int64_t second = time.local.second;
  if (time.kind == ParsedTime::Kind::AtOffset) {
    second -= time.offset;
  } else if (time.kind == ParsedTime::Kind::Local && reading_.zone) {
    second = types::second_of_local(reading_.zone->view(), second);
  } else {
    return false;
  }
  uint8_t overflow = 0;
  const int64_t micros = functions::micros_of(functions::Moment{second, time.local.micro}, overflow);
  if (overflow != 0) return false;
  column.append(micros);
  return true;
}

bool JsonParser::read_ntz(JsonColumn& column) {
  StringRef text;
  if (!reading_.reads_ntz || !text_.take('"') || !read_plain_string(text)) return false;
  const ParsedTime time = functions::parse_timestamp(text);
  if (!time.has_date || time.kind != ParsedTime::Kind::Local) return false;
  uint8_t overflow = 0;
  const int64_t micros = functions::micros_of(time.local, overflow);
  if (overflow != 0) return false;
  column.append(micros);
  return true;
}

}  // namespace accelerant::io
