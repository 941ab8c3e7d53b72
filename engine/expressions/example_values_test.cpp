#include "expressions/example_values.h"

#include "base/error.h"
#include "expressions/operands.h"
#include "types/decimal.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

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

/// Days since 1970-01-01 of a proleptic Gregorian date (H. Hinnant's algorithm).
int32_t days_of(int year, int month, int day) {
  year -= month <= 2;
  const int era = (year >= 0 ? year : year - 399) / 400;
  const int year_of_era = year - era * 400;
  const int day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  return era * 146097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719468;
}

std::string date_of(int64_t days) {
  days += 719468;
  const int64_t era = (days >= 0 ? days : days - 146096) / 146097;
  const int64_t day_of_era = days - era * 146097;
  const int64_t year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  const int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const int64_t shifted = (5 * day_of_year + 2) / 153;
  const int64_t month = shifted < 10 ? shifted + 3 : shifted - 9;
  char text[40];
  std::snprintf(text, sizeof text, "%04ld-%02ld-%02ld", static_cast<long>(year_of_era + era * 400 + (month <= 2)),
                static_cast<long>(month), static_cast<long>(day_of_year - (153 * shifted + 2) / 5 + 1));
  return text;
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

std::string_view type_text(std::string_view example) { return example.substr(example.rfind(' ') + 1); }

}  // namespace

DataType parse_type(std::string_view text) {
  int precision = 0;
  int scale = 0;
  if (std::sscanf(std::string(text).c_str(), "decimal(%d,%d)", &precision, &scale) == 2) {
    return DataType::decimal(precision, scale);
  }
  for (const auto& [name, id] : kTypes) {
    if (text == name) return DataType(id);
  }
  throw_unsupported("type " + std::string(text) + " in an example");
}

DataType type_of_example(std::string_view example) { return parse_type(type_text(example)); }

ColumnPtr parse_column(std::string_view type_name, const std::vector<std::string>& texts, bool wide) {
  const DataType type = parse_type(type_name);
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
    int year, month, day;
    if (text == "null") {
      bits::clear(builder.validity(), row);
    } else if (physical == PhysicalType::Int128) {
      store(out, row, unscaled_of(text, type.scale()));
    } else if (type.is_decimal()) {
      store(out, row, static_cast<int64_t>(unscaled_of(text, type.scale())));
    } else if (type.is(TypeId::Date) && std::sscanf(text.c_str(), "%d-%d-%d", &year, &month, &day) == 3) {
      store(out, row, days_of(year, month, day));
    } else {
      store_number(physical, text, out, row);
    }
  }
  return builder.finish();
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
      throw_unsupported("an example of type " + type.to_string());
  }
}

}  // namespace accelerant::expressions
