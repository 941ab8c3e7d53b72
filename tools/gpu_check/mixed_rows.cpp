#include "mixed_rows.h"

#include "base/bits.h"
#include "columns/string_heap.h"
#include "device/primitives/generate.h"
#include "types/integers.h"

#include <cmath>
#include <limits>
#include <string>

namespace accelerant::gpu_check {

using columns::ColumnPtr;
using columns::FlatBuilder;
using device::RandomColumn;
using types::DataType;
using types::TypeId;

namespace {

const DataType kTypes[] = {DataType(TypeId::Int),    DataType(TypeId::Long),   DataType::decimal(9, 2),
                           DataType::decimal(38, 4), DataType(TypeId::Double), DataType(TypeId::Boolean),
                           DataType(TypeId::Date),   DataType(TypeId::String), DataType(TypeId::String)};
const char* const kEntries[] = {"A", "N", "", "an entry of more than twelve bytes", "R"};

/// One row in nine is null.
bool is_null(MixedColumn column, int64_t row) {
  return column != kDay && RandomColumn{100 + static_cast<uint64_t>(column), 0, 9}.at(row) == 0;
}

void clear_nulls(MixedColumn column, int64_t num_rows, uint8_t* validity) {
  for (int64_t row = 0; row < num_rows; ++row) {
    if (is_null(column, row)) bits::clear(validity, row);
  }
}

/// Makes a column of values of rows, with its nulls.
template <class Value, class Make>
ColumnPtr make_fixed(MixedColumn column, int64_t num_rows, Make make) {
  FlatBuilder builder(kTypes[column], kTypes[column].physical(), num_rows, memory::process_budget());
  for (int64_t row = 0; row < num_rows; ++row) builder.values<Value>()[row] = static_cast<Value>(make(row));
  if (column != kDay) clear_nulls(column, num_rows, builder.validity());
  return builder.finish();
}

double double_of(int64_t row) {
  constexpr double kSpecial[] = {0.0, -0.0, std::numeric_limits<double>::infinity(),
                                 -std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()};
  const auto number = RandomColumn{111, -1'000'000, 2'000'001}.at(row);
  if (number % 50 == 0) return kSpecial[static_cast<uint64_t>(row) % std::size(kSpecial)];
  return std::ldexp(static_cast<double>(number), static_cast<int>(number % 200));
}

std::string text_of(int64_t row) {
  constexpr const char* kLetters[] = {"a", "b", "Z", " ", "7", "é", "字"};
  const RandomColumn letters{112 + static_cast<uint64_t>(row), 0, std::size(kLetters)};
  std::string text;
  const int64_t length = RandomColumn{113, -3, 17}.at(row);
  for (int64_t i = 0; i < length; ++i) text += kLetters[letters.at(i)];
  return text;
}

ColumnPtr make_text(int64_t num_rows) {
  std::vector<std::string> texts;
  for (int64_t row = 0; row < num_rows; ++row) texts.push_back(text_of(row));
  columns::FlatParts parts = make_strings(texts)->parts();
  const auto validity = memory::Buffer::allocate((num_rows + 63) / 64 * 8, memory::process_budget());
  std::fill_n(validity->mutable_as<uint8_t>(), (num_rows + 7) / 8, uint8_t{0xff});
  clear_nulls(kText, num_rows, validity->mutable_as<uint8_t>());
  parts.validity = validity;
  return columns::Column::flat(std::move(parts));
}

ColumnPtr make_codes(int64_t num_rows) {
  const std::vector<std::string> entries(std::begin(kEntries), std::end(kEntries));
  const ColumnPtr codes = make_fixed<int32_t>(kInt, num_rows, [](int64_t row) {
    return RandomColumn{114, 0, std::size(kEntries)}.at(row);
  });
  return columns::Column::dictionary(make_strings(entries), codes->parts().values, num_rows, codes->parts().validity);
}

}  // namespace

ColumnPtr make_strings(const std::vector<std::string>& strings) {
  int64_t long_bytes = 0;
  for (const std::string& text : strings) {
    if (text.size() > types::StringView::kMaxInlineBytes) long_bytes += std::ssize(text);
  }
  columns::StringHeap heap(long_bytes, memory::process_budget());
  FlatBuilder builder(DataType(TypeId::String), types::PhysicalType::String, std::ssize(strings),
                      memory::process_budget());
  for (size_t i = 0; i < strings.size(); ++i) {
    const types::StringRef text = {strings[i].data(), static_cast<int32_t>(strings[i].size())};
    const bool is_short = text.length <= types::StringView::kMaxInlineBytes;
    builder.values<types::StringView>()[i] = is_short ? types::inline_view(text) : heap.add(text);
  }
  builder.set_heap(heap.finish());
  return builder.finish();
}

std::vector<codegen::InputColumn> mixed_inputs() {
  std::vector<codegen::InputColumn> inputs;
  for (int i = 0; i < static_cast<int>(std::size(kTypes)); ++i) {
    const auto layout = i == kText   ? device::ColumnLayout::Strings
                        : i == kCode ? device::ColumnLayout::Codes
                                     : device::ColumnLayout::Fixed;
    inputs.push_back({kTypes[i], i != kDay, layout});
  }
  return inputs;
}

columns::Batch make_mixed_rows(int64_t num_rows) {
  const auto integers = [](uint64_t seed, int64_t lowest, uint64_t num_values) {
    return [=](int64_t row) { return RandomColumn{seed, lowest, num_values}.at(row); };
  };
  const auto wide = [](int64_t row) {
    constexpr int128 kScale = 10'000'000'000'000'000'000u;
    return RandomColumn{104, -4'000'000'000'000'000'000, 8'000'000'000'000'000'001}.at(row) * kScale + row;
  };
  columns::Batch batch;
  batch.num_rows = num_rows;
  batch.columns = {make_fixed<int32_t>(kInt, num_rows, integers(101, -50, 101)),
                   make_fixed<int64_t>(kLong, num_rows, integers(102, -500'000'000'000, 1'000'000'000'001)),
                   make_fixed<int64_t>(kMoney, num_rows, integers(103, -999'999'999, 1'999'999'999)),
                   make_fixed<int128>(kWide, num_rows, wide),
                   make_fixed<double>(kDouble, num_rows, double_of),
                   make_fixed<uint8_t>(kFlag, num_rows, integers(105, 0, 2)),
                   make_fixed<int32_t>(kDay, num_rows, integers(106, 8'036, 2'526)),
                   make_text(num_rows),
                   make_codes(num_rows)};
  return batch;
}

}  // namespace accelerant::gpu_check
