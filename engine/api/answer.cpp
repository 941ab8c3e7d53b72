#include "api/answer.h"

#include "base/error.h"
#include "columns/gather.h"
#include "functions/hash/xx_hash64.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

namespace accelerant::api {

using columns::Column;
using types::DataType;
using types::PhysicalType;
using types::TypeId;

namespace {

constexpr uint64_t kSeed = 42;

/// How far sums of floats may be apart, relative to the sum of magnitudes: they depend on the order of addition.
constexpr double kDoubleTolerance = 1e-9;
constexpr double kFloatTolerance = 1e-5;

bool is_hashed(const DataType& type) {
  switch (type.id()) {
    case TypeId::Float:
    case TypeId::Double:
    case TypeId::CalendarInterval:
    case TypeId::Map:
    case TypeId::Char:
    case TypeId::Varchar:
    case TypeId::Other:
      return false;
    case TypeId::Array:
    case TypeId::Struct:
      return std::all_of(type.fields().begin(), type.fields().end(),
                         [](const types::Field& field) { return is_hashed(field.type); });
    case TypeId::Null:
    case TypeId::Boolean:
    case TypeId::Byte:
    case TypeId::Short:
    case TypeId::Int:
    case TypeId::Long:
    case TypeId::Decimal:
    case TypeId::String:
    case TypeId::Binary:
    case TypeId::Date:
    case TypeId::Timestamp:
    case TypeId::TimestampNtz:
    case TypeId::DayTimeInterval:
    case TypeId::YearMonthInterval:
      break;
  }
  return true;
}

/// Replaces each row's hash by `hash(value, row's hash)` where the value is not null.
template <class T, class Hash>
void fold(const Column& column, std::vector<uint64_t>& hashes, Hash hash) {
  const T* values = column.values<T>();
  for (size_t row = 0; row < hashes.size(); ++row) {
    if (!column.is_null(static_cast<int64_t>(row))) hashes[row] = hash(values[row], hashes[row]);
  }
}

template <class T>
void fold_integers(const Column& column, std::vector<uint64_t>& hashes) {
  const DataType& type = column.type();
  if (type.is_decimal() && type.precision() > types::kMaxLongDecimalPrecision) {
    fold<T>(column, hashes, [](T value, uint64_t seed) { return functions::xx_hash64_wide_decimal(value, seed); });
  } else if (sizeof(T) >= 8) {
    fold<T>(column, hashes,
            [](T value, uint64_t seed) { return functions::xx_hash64_long(static_cast<int64_t>(value), seed); });
  } else {
    fold<T>(column, hashes,
            [](T value, uint64_t seed) { return functions::xx_hash64_int(static_cast<int32_t>(value), seed); });
  }
}

void fold_strings(const Column& column, std::vector<uint64_t>& hashes) {
  for (size_t row = 0; row < hashes.size(); ++row) {
    if (column.is_null(static_cast<int64_t>(row))) continue;
    const types::StringRef text = column.string_at(static_cast<int64_t>(row));
    hashes[row] = functions::xx_hash64_bytes(text.data, text.length, hashes[row]);
  }
}

void fold_column(const Column& column, std::vector<uint64_t>& hashes) {
  switch (column.physical()) {
    case PhysicalType::Null:
      return;
    case PhysicalType::Bool:
      return fold_integers<uint8_t>(column, hashes);
    case PhysicalType::Int8:
      return fold_integers<int8_t>(column, hashes);
    case PhysicalType::Int16:
      return fold_integers<int16_t>(column, hashes);
    case PhysicalType::Int32:
      return fold_integers<int32_t>(column, hashes);
    case PhysicalType::Int64:
      return fold_integers<int64_t>(column, hashes);
    case PhysicalType::Int128:
      return fold_integers<int128>(column, hashes);
    case PhysicalType::String:
      return fold_strings(column, hashes);
    case PhysicalType::Float32:
    case PhysicalType::Float64:
    case PhysicalType::Array:
    case PhysicalType::Map:
    case PhysicalType::Struct:
      break;
  }
  throw_unsupported("a checksum over " + column.type().to_string());
}

template <class T>
void add_floats(const Column& column, plan::FloatSums& sums) {
  const T* values = column.values<T>();
  for (int64_t row = 0; row < column.length(); ++row) {
    if (column.is_null(row)) continue;
    ++sums.count;
    const double value = values[row];
    if (std::isnan(value)) {
      ++sums.nans;
    } else if (std::isinf(value)) {
      ++(value > 0 ? sums.positive_infinities : sums.negative_infinities);
    } else {
      sums.sum += value;
      sums.magnitude += std::abs(value);
    }
  }
}

std::string hexadecimal(uint64_t value) {
  char text[17];
  std::snprintf(text, sizeof text, "%016lx", value);
  return text;
}

std::string exact(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

/// Notes numbers that differ.
class Differences {
 public:
  void compare(const std::string& what, int64_t expected, int64_t found) {
    if (expected != found) note(what, std::to_string(expected), std::to_string(found));
  }
  void note(const std::string& what, const std::string& expected, const std::string& found) {
    texts_.push_back(what + ": Spark " + expected + ", here " + found);
  }
  std::vector<std::string> take() { return std::move(texts_); }

 private:
  std::vector<std::string> texts_;
};

/// Says whether sums are equal but for rounding, or both beyond what a double holds in the same way.
bool are_close(double expected, double found, double magnitude, double tolerance) {
  if (std::isnan(expected) || std::isnan(found)) return std::isnan(expected) == std::isnan(found);
  if (std::isinf(expected) || std::isinf(found)) return expected == found;
  return std::abs(expected - found) <= tolerance * magnitude;
}

void compare_floats(int column, const DataType& type, const plan::FloatSums& expected, const plan::FloatSums& found,
                    Differences& differences) {
  const std::string name = "column " + std::to_string(column) + " ";
  differences.compare(name + "values", expected.count, found.count);
  differences.compare(name + "NaN", expected.nans, found.nans);
  differences.compare(name + "+infinity", expected.positive_infinities, found.positive_infinities);
  differences.compare(name + "-infinity", expected.negative_infinities, found.negative_infinities);
  const double tolerance = type.is(TypeId::Float) ? kFloatTolerance : kDoubleTolerance;
  const double magnitude = std::max(expected.magnitude, found.magnitude);
  if (!are_close(expected.sum, found.sum, magnitude, tolerance)) {
    differences.note(name + "sum", exact(expected.sum), exact(found.sum));
  }
  if (!are_close(expected.magnitude, found.magnitude, magnitude, tolerance)) {
    differences.note(name + "sum of magnitudes", exact(expected.magnitude), exact(found.magnitude));
  }
}

}  // namespace

AnswerSummary::AnswerSummary(std::vector<DataType> types)
    : types_(std::move(types)),
      budget_(
          std::make_shared<memory::Budget>("answer checksum", memory::Budget::kUnlimited, memory::process_budget())) {
  for (size_t i = 0; i < types_.size(); ++i) {
    const int column = static_cast<int>(i);
    if (types_[i].is_floating()) {
      answer_.floats[column];
    } else if (!is_hashed(types_[i])) {
      answer_.other_counts[column] = 0;
    }
  }
}

void AnswerSummary::add(const columns::Batch& batch) {
  ACC_CHECK(!batch.selection && batch.errors.empty());
  answer_.rows += batch.num_rows;
  row_hashes_.assign(static_cast<size_t>(batch.num_rows), kSeed);
  for (size_t i = 0; i < types_.size(); ++i) {
    const int column = static_cast<int>(i);
    const columns::ColumnPtr flat = columns::flatten(batch.columns.at(i), budget_);
    if (types_[i].is(TypeId::Double)) {
      add_floats<double>(*flat, answer_.floats[column]);
    } else if (types_[i].is(TypeId::Float)) {
      add_floats<float>(*flat, answer_.floats[column]);
    } else if (is_hashed(types_[i])) {
      fold_column(*flat, row_hashes_);
    } else {
      answer_.other_counts[column] += flat->length() - flat->count_nulls();
    }
  }
  for (const uint64_t hash : row_hashes_) answer_.hash += hash;
}

std::vector<std::string> AnswerSummary::differences_from(const plan::CapturedAnswer& expected) const {
  Differences differences;
  if (!expected.error_class.empty()) {
    differences.note("answer", "failed with " + expected.error_class + " " + expected.error_condition, "succeeded");
    return differences.take();
  }
  differences.compare("rows", expected.rows, answer_.rows);
  if (expected.hash != answer_.hash) differences.note("hash", hexadecimal(expected.hash), hexadecimal(answer_.hash));
  for (const auto& [column, found] : answer_.floats) {
    const auto known = expected.floats.find(column);
    if (known == expected.floats.end()) {
      differences.note("column " + std::to_string(column), "no float", "a float");
    } else {
      compare_floats(column, types_[static_cast<size_t>(column)], known->second, found, differences);
    }
  }
  for (const auto& [column, found] : answer_.other_counts) {
    const auto known = expected.other_counts.find(column);
    differences.compare("column " + std::to_string(column) + " values",
                        known == expected.other_counts.end() ? -1 : known->second, found);
  }
  return differences.take();
}

}  // namespace accelerant::api
