// See cached_batch.cpp for the layout. A scheme is chosen by the bytes that it takes for those that are not null,
// beside what they take plainly: the least share, of several the first scheme, where that is below four fifths.

#include "io/cached_column_writer.h"

#include "base/error.h"
#include "base/mix_bits.h"
#include "io/cached_scheme.h"
#include "io/spark_decimal.h"
#include "types/string_view.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

namespace accelerant::io {

namespace {

using columns::Column;
using types::PhysicalType;
using types::StringRef;
using types::TypeId;
using Out = std::vector<uint8_t>;

constexpr int64_t kNullBytes = 4;  ///< of a null's row
constexpr int64_t kCountBytes = 4;

template <class T>
constexpr bool kIsText = std::is_same_v<T, StringRef>;

void put_bytes(const void* from, size_t size, Out& out) {
  const auto* bytes = static_cast<const uint8_t*>(from);
  out.insert(out.end(), bytes, bytes + size);
}

template <class T>
void put(T value, Out& out) {
  put_bytes(&value, sizeof value, out);
}

/// Texts and bytes have their size before them.
void put(StringRef value, Out& out) {
  put(value.length, out);
  put_bytes(value.data, static_cast<size_t>(value.length), out);
}

template <class T>
int64_t size_of(const T& value) {
  if constexpr (kIsText<T>) return kCountBytes + value.length;
  return sizeof(T);
}

template <class T>
bool are_same(const T& lhs, const T& rhs) {
  if constexpr (kIsText<T>) {
    return lhs.length == rhs.length && std::memcmp(lhs.data, rhs.data, static_cast<size_t>(lhs.length)) == 0;
  } else {
    return lhs == rhs;
  }
}

bool is_less(StringRef lhs, StringRef rhs) {
  const int order = std::memcmp(lhs.data, rhs.data, static_cast<size_t>(std::min(lhs.length, rhs.length)));
  return order != 0 ? order < 0 : lhs.length < rhs.length;
}

template <class T>
bool is_less(T lhs, T rhs) {
  return lhs < rhs;
}

template <class T>
CachedStatistics::Bound bound_of(const T& value) {
  if constexpr (kIsText<T>) {
    return {CachedStatistics::Bound::Kind::Bytes, 0, std::string(value.data, static_cast<size_t>(value.length))};
  } else if constexpr (std::is_same_v<T, __int128>) {
    return {CachedStatistics::Bound::Kind::Bytes, 0, unscaled_bytes(value)};
  } else {
    CachedStatistics::Bound bound{CachedStatistics::Bound::Kind::Slot, 0, {}};
    std::memcpy(&bound.slot, &value, sizeof value);
    return bound;
  }
}

uint64_t hash_of(StringRef text) {
  auto hash = static_cast<uint64_t>(text.length);
  for (int32_t at = 0; at < text.length; at += 8) {
    uint64_t word = 0;
    std::memcpy(&word, text.data + at, static_cast<size_t>(std::min(8, text.length - at)));
    hash = mix_bits(hash ^ word);
  }
  return hash;
}

template <class T>
uint64_t hash_of(T number) {
  return mix_bits(static_cast<uint64_t>(number));
}

/// Numbers the different values by their first appearance, unless these are more than a dictionary holds.
template <class T>
class DistinctValues {
 public:
  explicit DistinctValues(std::span<const T> values) : slots_(kLeastSlots) {
    codes_.reserve(values.size());
    for (const T& value : values) {
      of_bytes_ += size_of(value);
      if (!add(value)) {
        is_full_ = true;
        return;
      }
    }
  }

  /// The bytes of the values that were looked at.
  int64_t of_bytes() const { return of_bytes_; }
  int64_t size_bytes() const {
    if (is_full_) return std::numeric_limits<int32_t>::max();
    int64_t bytes = kCountBytes + 2 * std::ssize(codes_);
    for (const T& value : distinct_) bytes += size_of(value);
    return bytes;
  }
  void write(Out& out) const {
    put(static_cast<int32_t>(distinct_.size()), out);
    for (const T& value : distinct_) put(value, out);
    put_bytes(codes_.data(), codes_.size() * sizeof codes_[0], out);
  }

 private:
  static constexpr size_t kLeastSlots = 256;

  bool add(const T& value) {
    size_t at = hash_of(value) & (slots_.size() - 1);
    while (slots_[at] != 0 && !are_same(distinct_[slots_[at] - size_t{1}], value)) at = (at + 1) & (slots_.size() - 1);
    if (slots_[at] == 0) {
      if (std::ssize(distinct_) == kMostCachedDistinct) return false;
      distinct_.push_back(value);
      slots_[at] = static_cast<uint16_t>(distinct_.size());
      codes_.push_back(static_cast<uint16_t>(distinct_.size() - 1));
      if (distinct_.size() * 2 > slots_.size()) grow();
      return true;
    }
    codes_.push_back(static_cast<uint16_t>(slots_[at] - 1));
    return true;
  }

  void grow() {
    slots_.assign(slots_.size() * 4, 0);
    for (size_t i = 0; i < distinct_.size(); ++i) {
      size_t at = hash_of(distinct_[i]) & (slots_.size() - 1);
      while (slots_[at] != 0) at = (at + 1) & (slots_.size() - 1);
      slots_[at] = static_cast<uint16_t>(i + 1);
    }
  }

  std::vector<T> distinct_;
  std::vector<uint16_t> codes_;
  std::vector<uint16_t> slots_;  ///< one more than a code; 0: free
  int64_t of_bytes_ = 0;
  bool is_full_ = false;
};

/// Calls back with each value that differs from the one before, and how often it is there.
template <class T, class Visit>
void visit_runs(std::span<const T> values, const Visit& visit) {
  for (size_t start = 0; start < values.size();) {
    size_t end = start + 1;
    while (end < values.size() && are_same(values[end], values[start])) ++end;
    visit(values[start], static_cast<int32_t>(end - start));
    start = end;
  }
}

/// Says whether a value is stored as its distance from the one before.
template <class T>
bool is_near(T value, T before, int8_t& delta) {
  using Unsigned = std::make_unsigned_t<T>;
  const auto distance = static_cast<T>(static_cast<Unsigned>(value) - static_cast<Unsigned>(before));
  delta = static_cast<int8_t>(distance);
  return distance > std::numeric_limits<int8_t>::min() && distance <= std::numeric_limits<int8_t>::max();
}

template <class T>
int64_t delta_bytes(std::span<const T> values) {
  int64_t bytes = std::ssize(values);
  int8_t delta;
  for (size_t i = 0; i < values.size(); ++i) {
    if (i == 0 || !is_near(values[i], values[i - 1], delta)) bytes += sizeof(T);
  }
  return bytes;
}

template <class T>
void put_deltas(std::span<const T> values, Out& out) {
  int8_t delta;
  for (size_t i = 0; i < values.size(); ++i) {
    if (i > 0 && is_near(values[i], values[i - 1], delta)) {
      put(delta, out);
    } else {
      put(std::numeric_limits<int8_t>::min(), out);
      put(values[i], out);
    }
  }
}

void put_bits(std::span<const uint8_t> values, Out& out) {
  constexpr size_t kWordBits = 64;
  put(static_cast<int32_t>(values.size()), out);
  for (size_t i = 0; i < values.size(); i += kWordBits) {
    uint64_t word = 0;
    for (size_t bit = 0; bit < std::min(kWordBits, values.size() - i); ++bit) word |= uint64_t{values[i + bit]} << bit;
    put(word, out);
  }
}

/// The scheme that takes the least share, so far.
class Choice {
 public:
  void offer(CachedScheme scheme, int64_t bytes, int64_t of_bytes) {
    const double share = of_bytes > 0 ? static_cast<double>(bytes) / static_cast<double>(of_bytes) : 1;
    if (share >= share_) return;
    share_ = share;
    scheme_ = scheme;
  }
  CachedScheme scheme() const { return share_ < kMostShare ? scheme_ : CachedScheme::PassThrough; }

 private:
  static constexpr double kMostShare = 0.8;

  CachedScheme scheme_ = CachedScheme::PassThrough;
  double share_ = 1;
};

/// Whole numbers of four and eight bytes alone may be distances, and they and texts a dictionary's.
template <class T>
constexpr bool kHasDeltas = std::is_same_v<T, int32_t> || std::is_same_v<T, int64_t>;

template <class T>
void put_plain(std::span<const T> values, Out& out) {
  if constexpr (kIsText<T>) {
    for (const T& value : values) put(value, out);
  } else {
    put_bytes(values.data(), values.size_bytes(), out);
  }
}

/// Appends values of a type with schemes, in the best one.
template <class T>
void put_compressed(std::span<const T> values, Out& out) {
  int64_t bytes = 0;
  for (const T& value : values) bytes += size_of(value);
  int64_t run_bytes = 0;
  visit_runs(values, [&](const T& value, int32_t) { run_bytes += size_of(value) + kCountBytes; });
  Choice choice;
  choice.offer(CachedScheme::RunLengths, run_bytes, bytes);
  std::optional<DistinctValues<T>> distinct;
  if constexpr (kIsText<T> || kHasDeltas<T>) {
    distinct.emplace(values);
    choice.offer(CachedScheme::Dictionary, distinct->size_bytes(), distinct->of_bytes());
  }
  constexpr CachedScheme kDeltas = sizeof(T) == sizeof(int32_t) ? CachedScheme::IntDeltas : CachedScheme::LongDeltas;
  if constexpr (kHasDeltas<T>) choice.offer(kDeltas, delta_bytes(values), bytes);
  put(choice.scheme(), out);
  switch (choice.scheme()) {
    case CachedScheme::RunLengths:
      return visit_runs(values, [&](const T& value, int32_t length) {
        put(value, out);
        put(length, out);
      });
    case CachedScheme::Dictionary:
      return distinct->write(out);
    case CachedScheme::IntDeltas:
    case CachedScheme::LongDeltas:
      if constexpr (kHasDeltas<T>) return put_deltas(values, out);
      break;
    case CachedScheme::Bits:
    case CachedScheme::PassThrough:
      break;
  }
  put_plain(values, out);
}

void put_compressed(std::span<const uint8_t> values, Out& out) {
  const auto bytes = std::ssize(values);
  int64_t num_runs = 0;
  visit_runs(values, [&](uint8_t, int32_t) { ++num_runs; });
  Choice choice;
  choice.offer(CachedScheme::RunLengths, num_runs * (1 + kCountBytes), bytes);
  choice.offer(CachedScheme::Bits, (bytes + 63) / 64 * 8 + kCountBytes, bytes);
  put(choice.scheme(), out);
  if (choice.scheme() == CachedScheme::Bits) return put_bits(values, out);
  if (choice.scheme() == CachedScheme::PassThrough) return put_plain(values, out);
  visit_runs(values, [&](uint8_t value, int32_t length) {
    put(value, out);
    put(length, out);
  });
}

/// Writes one column.
class CachedColumnWriter {
 public:
  CachedColumnWriter(const Column& column, bool is_compressed, Out& out)
      : column_(column), is_compressed_(is_compressed), out_(out) {}

  CachedStatistics write() {
    put_nulls();
    switch (spark_physical(column_.type())) {
      case PhysicalType::Bool:
        write_numbers<uint8_t>(0, 1, true);
        break;
      case PhysicalType::Int8:
        write_integers<int8_t>();
        break;
      case PhysicalType::Int16:
        write_integers<int16_t>();
        break;
      case PhysicalType::Int32:
        write_integers<int32_t>();
        break;
      case PhysicalType::Int64:
        column_.type().is_decimal() ? write_short_decimals() : write_integers<int64_t>();
        break;
      case PhysicalType::Float32:
        write_floats<float>();
        break;
      case PhysicalType::Float64:
        write_floats<double>();
        break;
      case PhysicalType::Int128:
        write_long_decimals();
        break;
      case PhysicalType::String:
        write_texts();
        break;
      case PhysicalType::Null:
      case PhysicalType::Array:
      case PhysicalType::Map:
      case PhysicalType::Struct:
        throw Error(ErrorKind::Internal, "no column of a cache: " + column_.type().to_string());
    }
    return std::move(statistics_);
  }

 private:
  void put_nulls() {
    statistics_.num_rows = static_cast<int32_t>(column_.length());
    statistics_.num_nulls = static_cast<int32_t>(column_.count_nulls());
    statistics_.size_bytes = statistics_.num_nulls * kNullBytes;
    put(statistics_.num_nulls, out_);
    if (statistics_.num_nulls == 0) return;
    for (int64_t row = 0; row < column_.length(); ++row) {
      if (column_.is_null(row)) put(static_cast<int32_t>(row), out_);
    }
  }

  /// Returns the values of the rows that are not null.
  template <class T, class At>
  std::vector<T> present(const At& at) const {
    std::vector<T> values;
    values.reserve(static_cast<size_t>(column_.length() - statistics_.num_nulls));
    for (int64_t row = 0; row < column_.length(); ++row) {
      if (statistics_.num_nulls == 0 || !column_.is_null(row)) values.push_back(at(row));
    }
    return values;
  }

  template <class T>
  void widen(std::span<const T> values, T& lower, T& upper) {
    for (const T& value : values) {
      if (is_less(upper, value)) upper = value;
      if (is_less(value, lower)) lower = value;
    }
  }

  template <class T>
  void set_bounds(const T& lower, const T& upper) {
    statistics_.lower = bound_of(lower);
    statistics_.upper = bound_of(upper);
  }

  /// @param least, most what the bounds are where there is no value: upper and lower
  template <class T>
  void write_numbers(T least, T most, bool has_schemes) {
    std::vector<T> copied;
    std::span<const T> values(column_.values<T>(), static_cast<size_t>(column_.length()));
    if (statistics_.num_nulls > 0) {
      copied = present<T>([&](int64_t row) { return column_.values<T>()[row]; });
      values = copied;
    }
    T lower = most, upper = least;
    widen(values, lower, upper);
    set_bounds(lower, upper);
    statistics_.size_bytes += static_cast<int64_t>(values.size_bytes());
    if constexpr (!std::is_floating_point_v<T>) {
      if (has_schemes && is_compressed_) return put_compressed(values, out_);
    }
    put(CachedScheme::PassThrough, out_);
    put_plain(values, out_);
  }

  template <class T>
  void write_integers() {
    write_numbers<T>(std::numeric_limits<T>::min(), std::numeric_limits<T>::max(), true);
  }

  template <class T>
  void write_floats() {
    write_numbers<T>(std::numeric_limits<T>::lowest(), std::numeric_limits<T>::max(), false);
  }

  __int128 decimal_at(int64_t row) const {
    return column_.physical() == PhysicalType::Int64 ? column_.values<int64_t>()[row] : column_.values<__int128>()[row];
  }

  template <class T>
  std::vector<T> take_decimals() {
    std::vector<T> values = present<T>([&](int64_t row) { return static_cast<T>(decimal_at(row)); });
    statistics_.size_bytes += std::ssize(values) * static_cast<int64_t>(sizeof(int64_t));
    take_bounds<T>(values);
    return values;
  }

  /// Bounds of what has none without a value.
  template <class T>
  void take_bounds(std::span<const T> values) {
    if (values.empty()) return;
    T lower = values.front(), upper = values.front();
    widen(values, lower, upper);
    set_bounds(lower, upper);
  }

  void write_short_decimals() {
    const std::vector<int64_t> values = take_decimals<int64_t>();
    put(CachedScheme::PassThrough, out_);
    put_plain<int64_t>(values, out_);
  }

  void write_long_decimals() {
    for (const __int128 value : take_decimals<__int128>()) {
      const std::string bytes = unscaled_bytes(value);
      put(StringRef{bytes.data(), static_cast<int32_t>(bytes.size())}, out_);
    }
  }

  void write_texts() {
    const std::vector<StringRef> values = present<StringRef>([&](int64_t row) { return column_.string_at(row); });
    for (const StringRef& value : values) statistics_.size_bytes += size_of(value);
    const bool is_binary = column_.type().id() == TypeId::Binary;
    if (!is_binary) take_bounds<StringRef>(values);
    if (!is_binary && is_compressed_) return put_compressed<StringRef>(values, out_);
    if (!is_binary) put(CachedScheme::PassThrough, out_);
    put_plain<StringRef>(values, out_);
  }

  const Column& column_;
  const bool is_compressed_;
  Out& out_;
  CachedStatistics statistics_;
};

}  // namespace

bool can_cache(const types::DataType& type) {
  return !type.is_nested() && !type.is(TypeId::Null) && !type.is(TypeId::CalendarInterval) && !type.is(TypeId::Other) &&
         !type.is(TypeId::Char) && !type.is(TypeId::Varchar);
}

CachedStatistics write_cached_column(const Column& column, bool is_compressed, Out& out) {
  return CachedColumnWriter(column, is_compressed, out).write();
}

int64_t cached_bytes(const Column& column, int64_t first, int64_t num_rows) {
  const Column& values = column.is_flat() ? column : *column.child_values();
  const bool is_text = values.physical() == PhysicalType::String;
  const int64_t width = column.type().is_decimal() ? sizeof(int64_t) : types::width_of(values.physical());
  if (!is_text && !column.may_have_nulls()) return num_rows * width;
  const auto* texts = is_text ? values.values<types::StringView>() : nullptr;
  int64_t bytes = 0;
  for (int64_t row = first; row < first + num_rows; ++row) {
    if (column.may_have_nulls() && column.is_null(row)) {
      bytes += kNullBytes;
    } else {
      const int64_t value = column.is_flat() ? row : column.is_constant() ? 0 : column.indices()[row];
      bytes += is_text ? kCountBytes + texts[value].length : width;
    }
  }
  return bytes;
}

}  // namespace accelerant::io
