#include "io/csv_values.h"

#include "base/bits.h"
#include "base/error.h"
#include "functions/cast/number_text.h"
#include "functions/datetime/parse_time.h"
#include "io/csv_numbers.h"
#include "memory/budget_ptr.h"
#include "types/utf8.h"

#include <concepts>
#include <limits>
#include <optional>

namespace accelerant::io {

using columns::ColumnPtr;
using memory::BudgetPtr;
using types::DataType;
using types::PhysicalType;
using types::StringRef;
using types::StringView;
using types::TypeId;

namespace {

/// Writes which rows have a value, a byte each, as a column's validity.
void set_validity(columns::FlatBuilder& builder, std::span<const StringRef> tokens, const BudgetPtr& budget) {
  const auto num_rows = static_cast<int64_t>(tokens.size());
  auto bytes = memory::Buffer::allocate(num_rows, budget);
  uint8_t* valid = bytes->mutable_data();
  for (const StringRef& token : tokens) *valid++ = token.data != nullptr;
  auto validity = memory::Buffer::allocate(bits::bytes_for(num_rows), budget);
  bits::pack(bytes->data(), num_rows, validity->mutable_data());
  builder.set_validity(std::move(validity));
}

/// Makes a column of what `parse` makes of each text, which is an optional.
template <class T, class Parse>
ColumnPtr make_column(const DataType& type, PhysicalType physical, const CsvValues& values, std::span<uint8_t> is_odd,
                      const BudgetPtr& budget, Parse parse) {
  columns::FlatBuilder builder(type, physical, static_cast<int64_t>(values.tokens.size()), budget);
  T* out = builder.values<T>();
  bool has_nulls = false;
  for (size_t i = 0; i < values.tokens.size(); ++i) {
    const StringRef token = values.tokens[i];
    has_nulls |= token.data == nullptr;
    const auto value = token.data ? parse(token) : std::nullopt;
    is_odd[i] |= token.data != nullptr && !value;
    out[i] = value ? static_cast<T>(*value) : T{};
  }
  if (has_nulls) set_validity(builder, values.tokens, budget);
  return builder.finish();
}

template <std::integral T>
ColumnPtr make_integers(const DataType& type, const CsvValues& values, std::span<uint8_t> is_odd,
                        const BudgetPtr& budget) {
  return make_column<T>(type, type.physical(), values, is_odd, budget, [](StringRef token) -> std::optional<T> {
    const std::optional<int64_t> value = read_plain_integer(token);
    const bool fits = value && *value >= std::numeric_limits<T>::min() && *value <= std::numeric_limits<T>::max();
    return fits ? std::optional(static_cast<T>(*value)) : std::nullopt;
  });
}

ColumnPtr make_decimals(const DataType& type, const CsvValues& values, std::span<uint8_t> is_odd,
                        const BudgetPtr& budget) {
  const auto parse = [&type](StringRef token) { return read_plain_decimal(token, type.precision(), type.scale()); };
  return type.physical() == PhysicalType::Int64
             ? make_column<int64_t>(type, PhysicalType::Int64, values, is_odd, budget, parse)
             : make_column<int128>(type, PhysicalType::Int128, values, is_odd, budget, parse);
}

std::optional<uint8_t> parse_boolean(StringRef token) {
  if (functions::is_word(token, "true")) return uint8_t{1};
  return functions::is_word(token, "false") ? std::optional(uint8_t{0}) : std::nullopt;
}

/// Reads digits at fixed places; -1 where there are others.
int32_t digits_at(StringRef token, int32_t at, int32_t count) {
  int32_t value = 0;
  for (int32_t i = at; i < at + count; ++i) {
    if (!types::is_digit(token.data[i])) return -1;
    value = value * 10 + (token.data[i] - '0');
  }
  return value;
}

/// Reads yyyy-MM-dd.
std::optional<int32_t> parse_plain_date(StringRef token) {
  if (token.length != 10 || token.data[4] != '-' || token.data[7] != '-') return std::nullopt;
  const types::CivilDate date = {digits_at(token, 0, 4), digits_at(token, 5, 2), digits_at(token, 8, 2)};
  if (date.year < 1 || date.month < 0 || date.day < 0 || !functions::is_date(date)) return std::nullopt;
  return static_cast<int32_t>(types::days_of_civil(date));
}

/// Reads a timestamp that says its date, and no zone by name.
std::optional<int64_t> parse_plain_timestamp(StringRef token, const types::TimeZone* zone) {
  using Kind = functions::ParsedTime::Kind;
  const functions::ParsedTime time = functions::parse_timestamp(token);
  const bool is_at_offset = time.kind == Kind::AtOffset;
  if (!time.has_date || !(is_at_offset || (time.kind == Kind::Local && zone))) return std::nullopt;
  const int64_t second =
      is_at_offset ? time.local.second - time.offset : types::second_of_local(*zone, time.local.second);
  uint8_t error = 0;
  const int64_t micros = functions::micros_of(functions::Moment{second, time.local.micro}, error);
  return error ? std::nullopt : std::optional(micros);
}

std::optional<int64_t> parse_local_timestamp(StringRef token) {
  const functions::ParsedTime time = functions::parse_timestamp(token);
  if (!time.has_date || time.kind != functions::ParsedTime::Kind::Local) return std::nullopt;
  uint8_t error = 0;
  const int64_t micros = functions::micros_of(time.local, error);
  return error ? std::nullopt : std::optional(micros);
}

/// Makes a column of texts that lie in the bytes of the lines, but for short ones and what an option says for "".
ColumnPtr make_texts(const DataType& type, const CsvValues& values, const BudgetPtr& budget) {
  columns::FlatBuilder builder(type, PhysicalType::String, static_cast<int64_t>(values.tokens.size()), budget);
  auto* out = builder.values<StringView>();
  const char* begin = values.bytes ? reinterpret_cast<const char*>(values.bytes->data()) : nullptr;
  bool has_nulls = false;
  for (const StringRef& token : values.tokens) {
    has_nulls |= token.data == nullptr;
    *out++ = token.length <= StringView::kMaxInlineBytes
                 ? types::inline_view(token)
                 : types::heap_view(token, 0, static_cast<int32_t>(token.data - begin));
  }
  if (has_nulls) set_validity(builder, values.tokens, budget);
  if (values.bytes) builder.set_heap({values.bytes});
  return builder.finish();
}

/// Makes a column of bytes: those of a text in the encoding that Java takes for its own, which is sure of ASCII alone.
ColumnPtr make_bytes(const DataType& type, const CsvValues& values, std::span<uint8_t> is_odd,
                     const BudgetPtr& budget) {
  for (size_t i = 0; i < values.tokens.size(); ++i) is_odd[i] |= !types::is_ascii(values.tokens[i]);
  return make_texts(type, values, budget);
}

ColumnPtr make_timestamps(const DataType& type, const CsvValues& values, std::span<uint8_t> is_odd,
                          const BudgetPtr& budget) {
  if (type.is(TypeId::TimestampNtz)) {
    return make_column<int64_t>(type, type.physical(), values, is_odd, budget, parse_local_timestamp);
  }
  const std::optional<types::TimeZone> zone = values.zone ? std::optional(values.zone->view()) : std::nullopt;
  return make_column<int64_t>(type, type.physical(), values, is_odd, budget, [&zone](StringRef token) {
    return parse_plain_timestamp(token, zone ? &*zone : nullptr);
  });
}

}  // namespace

bool has_csv_values(const DataType& type, const CsvOptions& options) {
  switch (type.id()) {
    case TypeId::Boolean:
    case TypeId::Byte:
    case TypeId::Short:
    case TypeId::Int:
    case TypeId::Long:
    case TypeId::Float:
    case TypeId::Double:
    case TypeId::Decimal:
      return true;
    case TypeId::String:
    case TypeId::Binary:
      return options.empty_value.size() <= static_cast<size_t>(StringView::kMaxInlineBytes);
    case TypeId::Date:
      return options.has_plain_dates;
    case TypeId::Timestamp:
      return options.has_plain_timestamps;
    case TypeId::TimestampNtz:
      return options.has_plain_local_timestamps;
    case TypeId::Null:
    case TypeId::DayTimeInterval:
    case TypeId::YearMonthInterval:
    case TypeId::Array:
    case TypeId::Map:
    case TypeId::Struct:
    case TypeId::Char:
    case TypeId::Varchar:
    case TypeId::CalendarInterval:
    case TypeId::Other:
      return false;
  }
  return false;
}

ColumnPtr read_csv_values(const DataType& type, const CsvValues& values, std::span<uint8_t> is_odd,
                          const BudgetPtr& budget) {
  switch (type.id()) {
    case TypeId::Boolean:
      return make_column<uint8_t>(type, type.physical(), values, is_odd, budget, parse_boolean);
    case TypeId::Byte:
      return make_integers<int8_t>(type, values, is_odd, budget);
    case TypeId::Short:
      return make_integers<int16_t>(type, values, is_odd, budget);
    case TypeId::Int:
      return make_integers<int32_t>(type, values, is_odd, budget);
    case TypeId::Long:
      return make_integers<int64_t>(type, values, is_odd, budget);
    case TypeId::Float:
      return make_column<float>(type, type.physical(), values, is_odd, budget, read_plain_float);
    case TypeId::Double:
      return make_column<double>(type, type.physical(), values, is_odd, budget, read_plain_double);
    case TypeId::Decimal:
      return make_decimals(type, values, is_odd, budget);
    case TypeId::Date:
      return make_column<int32_t>(type, type.physical(), values, is_odd, budget, parse_plain_date);
    case TypeId::Timestamp:
    case TypeId::TimestampNtz:
      return make_timestamps(type, values, is_odd, budget);
    case TypeId::Binary:
      return make_bytes(type, values, is_odd, budget);
    case TypeId::String:
      return make_texts(type, values, budget);
    case TypeId::Null:
    case TypeId::DayTimeInterval:
    case TypeId::YearMonthInterval:
    case TypeId::Array:
    case TypeId::Map:
    case TypeId::Struct:
    case TypeId::Char:
    case TypeId::Varchar:
    case TypeId::CalendarInterval:
    case TypeId::Other:
      break;
  }
  throw Error(ErrorKind::Internal, "no values of " + type.to_string() + " in CSV");
}

}  // namespace accelerant::io
