#include "expressions/example_values.h"

#include "base/error.h"
#include "expressions/operands.h"
#include "types/calendar.h"
#include "types/decimal.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <utility>

namespace accelerant::expressions {

using columns::Column;
using columns::ColumnPtr;
using types::DataType;
using types::PhysicalType;
using types::TypeId;

namespace {

constexpr struct {
  const char* name;
  TypeId id;
} kTypes[] = {{"boolean", TypeId::Boolean}, {"tinyint", TypeId::Byte},        {"smallint", TypeId::Short},
              {"int", TypeId::Int},         {"bigint", TypeId::Long},         {"float", TypeId::Float},
              {"double", TypeId::Double},   {"string", TypeId::String},       {"binary", TypeId::Binary},
              {"date", TypeId::Date},       {"timestamp", TypeId::Timestamp}, {"timestamp_ntz", TypeId::TimestampNtz}};

std::string date_of(int64_t days) {
  const types::CivilDate date = types::civil_of_days(days);
  char text[40];
  std::snprintf(text, sizeof text, "%04d-%02d-%02d", date.year, date.month, date.day);
  return text;
}

/// Writes microseconds since 1970 as UTC, without zeros at the end of a fraction.
std::string timestamp_of(int64_t micros) {
  const int64_t days = types::floor_divide(micros, 86400000000);
  const auto of_day = static_cast<int64_t>(micros - __int128{days} * 86400000000);
  char text[40];
  std::snprintf(text, sizeof text, " %02d:%02d:%02d.%06d", static_cast<int>(of_day / 3600000000),
                static_cast<int>(of_day / 60000000 % 60), static_cast<int>(of_day / 1000000 % 60),
                static_cast<int>(of_day % 1000000));
  std::string time = text;
  time.erase(time.find_last_not_of('0') + 1);
  if (time.ends_with('.')) time.pop_back();
  return date_of(days) + time;
}

/// Reads "1994-01-31" as days, "1994-01-31 12:00:00.5" as microseconds since 1970 in UTC, and plain numbers.
int64_t parse_time(const std::string& text) {
  int year, month, day, hour, minute;
  double second;
  const int found = std::sscanf(text.c_str(), "%d-%d-%d %d:%d:%lf", &year, &month, &day, &hour, &minute, &second);
  if (found < 3) return std::strtoll(text.c_str(), nullptr, 10);
  const int64_t days = types::days_of_civil({year, month, day});
  if (found < 6) return days;
  return days * 86400000000 + hour * int64_t{3600000000} + minute * int64_t{60000000} + std::llround(second * 1e6);
}

__int128 unscaled_of(std::string_view text, int scale) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  __int128 value = 0;
  int fraction = -1;
  for (const char c : text) {
    if (c == '.') {
      fraction = 0;
      continue;
    }
    value = value * 10 + (c - '0');
    if (fraction >= 0) ++fraction;
  }
  for (fraction = std::max(fraction, 0); fraction < scale; ++fraction) value *= 10;
  ACC_CHECK(fraction == scale);
  return negative ? -value : value;
}

std::string digits_of(unsigned __int128 value) {
  std::string digits;
  for (; value > 0; value /= 10) digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(value % 10)));
  return digits;
}

std::string decimal_text(__int128 value, int scale) {
  std::string digits = digits_of(types::magnitude(value));
  while (static_cast<int>(digits.size()) <= scale) digits.insert(digits.begin(), '0');
  if (scale > 0) digits.insert(digits.end() - scale, '.');
  return (value < 0 ? "-" : "") + digits;
}

template <class T>
void store(void* out, int64_t row, T value) {
  std::memcpy(static_cast<uint8_t*>(out) + row * static_cast<int64_t>(sizeof value), &value, sizeof value);
}

void store_number(PhysicalType physical, const std::string& text, void* out, int64_t row) {
  switch (physical) {
    case PhysicalType::Bool:
      return store<uint8_t>(out, row, text == "true");
    case PhysicalType::Int8:
      return store<int8_t>(out, row, static_cast<int8_t>(std::atoi(text.c_str())));
    case PhysicalType::Int16:
      return store<int16_t>(out, row, static_cast<int16_t>(std::atoi(text.c_str())));
    case PhysicalType::Int32:
      return store<int32_t>(out, row, static_cast<int32_t>(std::atoll(text.c_str())));
    case PhysicalType::Int64:
      return store<int64_t>(out, row, std::strtoll(text.c_str(), nullptr, 10));
    case PhysicalType::Float32:
      return store<float>(out, row, std::strtof(text.c_str(), nullptr));
    case PhysicalType::Float64:
      return store<double>(out, row, std::strtod(text.c_str(), nullptr));
    default:
      throw_unsupported("an example of this type");
  }
}

ColumnPtr parse_strings(const DataType& type, const std::vector<std::string>& texts, columns::FlatBuilder builder) {
  int64_t bytes = 0;
  for (const std::string& text : texts) bytes += static_cast<int64_t>(text.size());
  auto heap = memory::Buffer::allocate(bytes, memory::process_budget());
  int32_t used = 0;
  for (size_t row = 0; row < texts.size(); ++row) {
    types::StringView view{};
    const std::string& text = texts[row];
    view.length = static_cast<int32_t>(text.size());
    if (view.is_inline()) {
      std::memcpy(view.inlined, text.data(), text.size());
    } else {
      std::memcpy(view.ref.prefix, text.data(), 4);
      view.ref.buffer = 0;
      view.ref.offset = used;
      std::memcpy(heap->mutable_data() + used, text.data(), text.size());
      used += view.length;
    }
    builder.values<types::StringView>()[row] = view;
    if (text == "null") bits::clear(builder.validity(), static_cast<int64_t>(row));
  }
  builder.set_heap({heap});
  return builder.finish()->with_type(type);
}

/// Splits at those separators that stand in no brackets; nothing of an empty text.
std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  if (text.empty()) return parts;
  int depth = 0;
  parts.emplace_back();
  for (const char c : text) {
    depth += c == '[' || c == '{' || c == '(' || c == '<';
    depth -= c == ']' || c == '}' || c == ')' || c == '>';
    if (c == separator && depth == 0) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

std::string_view without_brackets(std::string_view text) { return text.substr(1, text.size() - 2); }

/// Returns what is in the brackets of a type that begins so, e.g. "array<"; nullopt where another one does.
std::optional<std::string_view> members_of(std::string_view type, std::string_view begin) {
  if (!type.starts_with(begin)) return std::nullopt;
  return type.substr(begin.size(), type.size() - begin.size() - 1);
}

DataType parse_struct(std::string_view members) {
  std::vector<types::Field> fields;
  for (const std::string& member : split(members, ',')) {
    const size_t colon = member.find(':');
    fields.push_back({member.substr(0, colon), parse_type(member.substr(colon + 1)), true});
  }
  return DataType::structure(std::move(fields));
}

ColumnPtr parse_values(const DataType& type, const std::vector<std::string>& texts, bool wide);

/// Returns a column of nested values with these children and, but for structs, offsets.
ColumnPtr nested(const DataType& type, const std::vector<std::string>& texts, std::shared_ptr<memory::Buffer> offsets,
                 std::vector<ColumnPtr> children) {
  const auto rows = static_cast<int64_t>(texts.size());
  auto validity = memory::Buffer::allocate(bits::bytes_for(rows), memory::process_budget());
  bits::fill(validity->mutable_data(), rows, true);
  for (int64_t row = 0; row < rows; ++row) {
    if (texts[static_cast<size_t>(row)] == "null") bits::clear(validity->mutable_data(), row);
  }
  return Column::flat(
      {type, type.physical(), rows, 0, std::move(offsets), std::move(validity), {}, std::move(children)});
}

ColumnPtr parse_structs(const DataType& type, const std::vector<std::string>& texts, bool wide) {
  std::vector<ColumnPtr> children;
  for (size_t member = 0; member < type.fields().size(); ++member) {
    std::vector<std::string> values;
    for (const std::string& text : texts) {
      values.push_back(text == "null" ? text : split(without_brackets(text), ',')[member]);
    }
    children.push_back(parse_values(type.fields()[member].type, values, wide));
  }
  return nested(type, texts, nullptr, std::move(children));
}

ColumnPtr parse_lists(const DataType& type, const std::vector<std::string>& texts, bool wide) {
  std::vector<std::vector<std::string>> values(type.fields().size());
  auto offsets = memory::Buffer::allocate((static_cast<int64_t>(texts.size()) + 1) * 4, memory::process_budget());
  offsets->mutable_as<int32_t>()[0] = 0;
  for (size_t row = 0; row < texts.size(); ++row) {
    const auto elements = texts[row] == "null" ? std::vector<std::string>() : split(without_brackets(texts[row]), ',');
    for (const std::string& element : elements) {
      const auto parts = values.size() == 1 ? std::vector{element} : split(element, ':');
      for (size_t child = 0; child < values.size(); ++child) values[child].push_back(parts[child]);
    }
    offsets->mutable_as<int32_t>()[row + 1] = static_cast<int32_t>(values.front().size());
  }
  std::vector<ColumnPtr> children;
  for (size_t child = 0; child < values.size(); ++child) {
    children.push_back(parse_values(type.fields()[child].type, values[child], wide));
  }
  return nested(type, texts, std::move(offsets), std::move(children));
}

std::string format_nested(const Column& flat, int64_t place);

std::string_view type_text(std::string_view example) { return example.substr(example.rfind(' ') + 1); }

}  // namespace

DataType parse_type(std::string_view text) {
  int precision = 0;
  int scale = 0;
  if (std::sscanf(std::string(text).c_str(), "decimal(%d,%d)", &precision, &scale) == 2) {
    return DataType::decimal(precision, scale);
  }
  if (text == "micros") return DataType::interval(TypeId::DayTimeInterval, 0, 3);
  if (text == "months") return DataType::interval(TypeId::YearMonthInterval, 0, 1);
  for (const auto& [name, id] : kTypes) {
    if (text == name) return DataType(id);
  }
  if (const auto element = members_of(text, "array<")) return DataType::array(parse_type(*element), true);
  if (const auto members = members_of(text, "struct<")) return parse_struct(*members);
  if (const auto both = members_of(text, "map<")) {
    const std::vector<std::string> types = split(*both, ',');
    return DataType::map(parse_type(types[0]), parse_type(types[1]), true);
  }
  throw_unsupported("type " + std::string(text) + " in an example");
}

DataType type_of_example(std::string_view example) { return parse_type(type_text(example)); }

namespace {

ColumnPtr parse_values(const DataType& type, const std::vector<std::string>& texts, bool wide) {
  if (type.is(TypeId::Struct)) return parse_structs(type, texts, wide);
  if (type.is_nested()) return parse_lists(type, texts, wide);
  const auto rows = static_cast<int64_t>(texts.size());
  PhysicalType physical = type.physical();
  if (type.is_decimal()) {
    physical = wide ? PhysicalType::Int128 : PhysicalType::Int64;
    for (const std::string& text : texts) {
      if (text == "null") continue;
      const __int128 value = unscaled_of(text, type.scale());
      if (value != static_cast<int64_t>(value)) physical = PhysicalType::Int128;
    }
  }
  columns::FlatBuilder builder(type, physical, rows, memory::process_budget());
  if (physical == PhysicalType::String) return parse_strings(type, texts, std::move(builder));
  uint8_t* out = builder.values<uint8_t>();
  std::memset(out, 0, static_cast<size_t>(rows * types::width_of(physical)));
  for (int64_t row = 0; row < rows; ++row) {
    const std::string& text = texts[static_cast<size_t>(row)];
    if (text == "null") {
      bits::clear(builder.validity(), row);
    } else if (physical == PhysicalType::Int128) {
      store(out, row, unscaled_of(text, type.scale()));
    } else if (type.is_decimal()) {
      store(out, row, static_cast<int64_t>(unscaled_of(text, type.scale())));
    } else if (type.is(TypeId::Date)) {
      store(out, row, static_cast<int32_t>(parse_time(text)));
    } else if (type.is(TypeId::Timestamp) || type.is(TypeId::TimestampNtz)) {
      store(out, row, parse_time(text));
    } else {
      store_number(physical, text, out, row);
    }
  }
  return builder.finish();
}

}  // namespace

ColumnPtr parse_column(std::string_view type_name, const std::vector<std::string>& texts, bool wide) {
  return parse_values(parse_type(type_name), texts, wide);
}

ColumnPtr parse_example(std::string_view example) {
  const std::string_view type = type_text(example);
  return parse_column(type, {std::string(example.substr(0, example.size() - type.size() - 1))});
}

std::string format_row(const Column& column, int64_t row) {
  if (column.is_null(row)) return "null";
  const Column& flat = stored_values(column);
  const int64_t place = column.is_constant() ? 0 : column.is_dictionary() ? column.indices()[row] : row;
  const DataType& type = column.type();
  char text[64];
  switch (flat.physical()) {
    case PhysicalType::Bool:
      return flat.values<uint8_t>()[place] ? "true" : "false";
    case PhysicalType::Int8:
      return std::to_string(flat.values<int8_t>()[place]);
    case PhysicalType::Int16:
      return std::to_string(flat.values<int16_t>()[place]);
    case PhysicalType::Int32:
      if (type.is(TypeId::Date)) return date_of(flat.values<int32_t>()[place]);
      return std::to_string(flat.values<int32_t>()[place]);
    case PhysicalType::Int64:
      if (type.is_decimal()) return decimal_text(flat.values<int64_t>()[place], type.scale());
      if (type.is(TypeId::Timestamp) || type.is(TypeId::TimestampNtz)) {
        return timestamp_of(flat.values<int64_t>()[place]);
      }
      return std::to_string(flat.values<int64_t>()[place]);
    case PhysicalType::Int128:
      return decimal_text(flat.values<__int128>()[place], type.scale());
    case PhysicalType::Float32:
      if (std::isnan(flat.values<float>()[place])) return "nan";
      std::snprintf(text, sizeof text, "%.9g", static_cast<double>(flat.values<float>()[place]));
      return text;
    case PhysicalType::Float64:
      if (std::isnan(flat.values<double>()[place])) return "nan";
      std::snprintf(text, sizeof text, "%.17g", flat.values<double>()[place]);
      return text;
    case PhysicalType::String: {
      const types::StringRef bytes = flat.string_at(place);
      return {bytes.data, static_cast<size_t>(bytes.length)};
    }
    default:
      return format_nested(flat, place);
  }
}

namespace {

/// Writes a value in brackets of its kind, e.g. "[1,null]", "{k:1}", "(1,x)".
std::string format_nested(const Column& flat, int64_t place) {
  std::string text;
  const auto add = [&](const std::string& part, const char* between) { text += (text.empty() ? "" : between) + part; };
  if (flat.physical() == PhysicalType::Struct) {
    for (const ColumnPtr& member : flat.children()) add(format_row(*member, flat.offset() + place), ",");
    return "(" + text + ")";
  }
  const int32_t* offsets = flat.values<int32_t>();
  for (int32_t element = offsets[place]; element < offsets[place + 1]; ++element) {
    std::string entry = format_row(*flat.children().front(), element);
    if (flat.children().size() > 1) entry += ":" + format_row(*flat.children().back(), element);
    add(entry, ",");
  }
  return flat.children().size() > 1 ? "{" + text + "}" : "[" + text + "]";
}

}  // namespace

namespace {

/// Returns the last Sunday of a month as days since 1970-01-01.
int64_t last_sunday(int year, int month) {
  const int64_t last = types::days_of_civil({year, month, types::days_in_month(year, month)});
  return last - (types::weekday_of_days(static_cast<int32_t>(last)) + 1) % 7;
}

}  // namespace

std::shared_ptr<const types::ZoneRules> zone_of_example(std::string_view name) {
  if (name == "UTC") return types::utc();
  ACC_CHECK(name == "Example");
  static const auto kExample = [] {
    std::vector<types::ZoneTransition> transitions = {{-2422054408, 3600}};
    for (int year = 1996; year < 2400; ++year) {
      transitions.push_back({last_sunday(year, 3) * 86400 + 3600, 7200});
      transitions.push_back({last_sunday(year, 10) * 86400 + 3600, 3600});
    }
    return std::make_shared<const types::ZoneRules>("Example", 3208, transitions, 1);
  }();
  return kExample;
}

}  // namespace accelerant::expressions
