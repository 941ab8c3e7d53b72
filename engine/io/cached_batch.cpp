// A column of a cached relation, as Spark's column builders (org.apache.spark.sql.execution.columnar) write it, in the
// machine's byte order: the number of nulls and their rows, ascending, then the values of the other rows. Binaries,
// nested values and decimals of more than 18 digits follow each other; all else has the number of a compression scheme
// first. Strings, binaries, nested values and long decimals have their size in bytes before them.

#include "io/cached_batch.h"

#include "base/bits.h"
#include "base/error.h"
#include "io/cached_scheme.h"
#include "io/spark_decimal.h"
#include "io/unsafe_values.h"
#include "types/string_view.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace accelerant::io {

namespace {

using types::PhysicalType;
using types::StringView;

using Scheme = CachedScheme;

[[noreturn]] void throw_damaged_cache(const std::string& what) {
  throw Error(ErrorKind::Internal, "a cached column of Spark's " + what);
}

/// Bytes that are taken from the front.
class Bytes {
 public:
  Bytes(const uint8_t* start, int64_t size) : at_(start), left_(size) {}

  const uint8_t* take(int64_t size) {
    if (size < 0 || size > left_) throw_damaged_cache("is cut off");
    left_ -= size;
    return std::exchange(at_, at_ + size);
  }
  template <class T>
  T take() {
    T value;
    std::memcpy(&value, take(sizeof value), sizeof value);
    return value;
  }
  /// Takes bytes that come after their size.
  types::StringRef take_sized() {
    const auto size = take<int32_t>();
    return {reinterpret_cast<const char*>(take(size)), size};
  }

 private:
  const uint8_t* at_;
  int64_t left_;
};

/// Moves values to their rows in place: before, they stand one after the other without those of the rows in `nulls`.
template <class T>
void spread_around_nulls(T* values, int64_t num_rows, const std::vector<int32_t>& nulls) {
  int64_t end = num_rows;  // of the rows whose values are still to be moved
  for (auto left = static_cast<int64_t>(nulls.size()); left > 0; --left) {
    const int64_t null = nulls[static_cast<size_t>(left - 1)];
    std::copy_backward(values + null + 1 - left, values + end - left, values + end);
    values[null] = T{};
    end = null;
  }
}

class CachedColumn {
 public:
  CachedColumn(Bytes bytes, const memory::BufferPtr& whole, int64_t num_rows, const types::DataType& type,
               const std::shared_ptr<memory::Budget>& budget)
      : bytes_(bytes), whole_(whole), num_rows_(num_rows), type_(type), budget_(budget) {}

  columns::ColumnPtr read() {
    take_nulls();
    switch (spark_physical(type_)) {
      case PhysicalType::Null:
        return columns::Column::nulls(type_, num_rows_, budget_);
      case PhysicalType::Bool:
      case PhysicalType::Int8:
        return read_flat<uint8_t>();
      case PhysicalType::Int16:
        return read_flat<int16_t>();
      case PhysicalType::Int32:
      case PhysicalType::Float32:
        return read_flat<int32_t>();
      case PhysicalType::Int64:
      case PhysicalType::Float64:
        return read_flat<int64_t>();
      case PhysicalType::Int128:
        return read_flat<__int128>();
      case PhysicalType::String:
        return read_flat<StringView>();
      case PhysicalType::Array:
      case PhysicalType::Map:
      case PhysicalType::Struct:
        break;
    }
    return read_nested();
  }

 private:
  void take_nulls() {
    const auto count = take_count(num_rows_);
    nulls_.resize(static_cast<size_t>(count));
    if (count > 0) std::memcpy(nulls_.data(), bytes_.take(count * 4), static_cast<size_t>(count) * 4);
    int64_t least = 0;
    for (const int32_t row : nulls_) {
      if (row < least || row >= num_rows_) throw_damaged_cache("has a null in row " + std::to_string(row));
      least = int64_t{row} + 1;
    }
    num_values_ = num_rows_ - count;
  }

  int64_t take_count(int64_t most) {
    const auto count = bytes_.take<int32_t>();
    if (count < 0 || count > most) throw_damaged_cache("has a count of " + std::to_string(count));
    return count;
  }

  columns::ColumnPtr read_nested() {
    UnsafeBodies bodies(num_rows_, budget_);
    auto null = nulls_.begin();
    for (int64_t row = 0; row < num_rows_; ++row) {
      const bool is_null = null != nulls_.end() && *null == row;
      bodies[row] = is_null ? types::StringRef{nullptr, 0} : bytes_.take_sized();
      null += is_null;
    }
    return read_unsafe_values(bodies, type_, whole_, budget_);
  }

  template <class T>
  columns::ColumnPtr read_flat() {
    constexpr bool kIsString = std::is_same_v<T, StringView>;
    const bool has_scheme = !std::is_same_v<T, __int128> && type_.id() != types::TypeId::Binary;
    const Scheme scheme = has_scheme ? bytes_.take<Scheme>() : Scheme::PassThrough;
    if constexpr (kIsString) {
      if (scheme == Scheme::Dictionary && num_values_ > 0) return read_dictionary();
    }
    columns::FlatBuilder builder(type_, spark_physical(type_), num_rows_, budget_);
    T* values = builder.values<T>();
    read_values(scheme, values);
    spread_around_nulls(values, num_rows_, nulls_);
    for (const int32_t row : nulls_) bits::clear(builder.validity(), row);
    if (kIsString) builder.set_heap({whole_});
    return builder.finish();
  }

  /// Writes the values of all rows that are not null, one after the other.
  template <class T>
  void read_values(Scheme scheme, T* values) {
    switch (scheme) {
      case Scheme::PassThrough:
        return read_plain(values);
      case Scheme::RunLengths:
        return read_runs(values);
      case Scheme::Dictionary:
        if constexpr (std::is_same_v<T, int32_t> || std::is_same_v<T, int64_t>) return read_coded(values);
        break;
      case Scheme::Bits:
        if constexpr (std::is_same_v<T, uint8_t>) return read_bits(values);
        break;
      case Scheme::IntDeltas:
        if constexpr (std::is_same_v<T, int32_t>) return read_deltas(values);
        break;
      case Scheme::LongDeltas:
        if constexpr (std::is_same_v<T, int64_t>) return read_deltas(values);
        break;
    }
    throw_damaged_cache("of type " + type_.to_string() + " has the compression scheme " +
                        std::to_string(static_cast<int32_t>(scheme)));
  }

  template <class T>
  T take_value() {
    if constexpr (std::is_same_v<T, StringView>) {
      const types::StringRef text = bytes_.take_sized();
      if (text.length <= StringView::kMaxInlineBytes) return types::inline_view(text);
      return types::heap_view(text, 0, static_cast<int32_t>(text.data - reinterpret_cast<const char*>(whole_->data())));
    } else if constexpr (std::is_same_v<T, __int128>) {
      return read_unscaled(bytes_.take_sized());
    } else {
      return bytes_.take<T>();
    }
  }

  template <class T>
  void read_plain(T* values) {
    if constexpr (std::is_same_v<T, StringView> || std::is_same_v<T, __int128>) {
      for (int64_t i = 0; i < num_values_; ++i) values[i] = take_value<T>();
    } else {
      const int64_t size = num_values_ * static_cast<int64_t>(sizeof(T));
      if (size > 0) std::memcpy(values, bytes_.take(size), static_cast<size_t>(size));
    }
  }

  template <class T>
  void read_runs(T* values) {
    for (int64_t done = 0; done < num_values_;) {
      const T value = take_value<T>();
      const int64_t length = take_count(num_values_ - done);
      std::fill_n(values + done, length, value);
      done += length;
    }
  }

  template <class T>
  void read_coded(T* values) {
    std::vector<T> dictionary(static_cast<size_t>(take_count(kMostCachedDistinct)));
    for (T& value : dictionary) value = take_value<T>();
    take_codes(dictionary.size(), [&](int64_t i, size_t code) { values[i] = dictionary[code]; });
  }

  columns::ColumnPtr read_dictionary() {
    const int64_t num_distinct = take_count(kMostCachedDistinct);
    columns::FlatBuilder distinct(type_, PhysicalType::String, num_distinct, budget_);
    for (int64_t i = 0; i < num_distinct; ++i) distinct.values<StringView>()[i] = take_value<StringView>();
    distinct.set_heap({whole_});

    const auto indices = memory::Buffer::allocate(num_rows_ * 4, budget_);
    auto* index = indices->mutable_as<int32_t>();
    take_codes(static_cast<size_t>(num_distinct),
               [&](int64_t i, size_t code) { index[i] = static_cast<int32_t>(code); });
    spread_around_nulls(index, num_rows_, nulls_);
    std::shared_ptr<memory::Buffer> validity;
    if (!nulls_.empty()) {
      validity = memory::Buffer::allocate(bits::bytes_for(num_rows_), budget_);
      std::memset(validity->mutable_data(), 0xff, static_cast<size_t>(validity->size_bytes()));
      for (const int32_t row : nulls_) bits::clear(validity->mutable_data(), row);
    }
    return columns::Column::dictionary(distinct.finish(), indices, num_rows_, validity);
  }

  /// Takes a code for each value, each below `num_distinct`.
  template <class Visit>
  void take_codes(size_t num_distinct, Visit&& visit) {
    const uint8_t* codes = bytes_.take(num_values_ * 2);
    for (int64_t i = 0; i < num_values_; ++i) {
      uint16_t code;
      std::memcpy(&code, codes + 2 * i, sizeof code);
      if (code >= num_distinct) throw_damaged_cache("has the code " + std::to_string(code));
      visit(i, code);
    }
  }

  void read_bits(uint8_t* values) {
    if (take_count(num_values_) != num_values_) throw_damaged_cache("has too few bits");
    constexpr int64_t kWordBits = 64;
    for (int64_t i = 0; i < num_values_; i += kWordBits) {
      const auto word = bytes_.take<uint64_t>();
      for (int64_t bit = 0; bit < std::min(kWordBits, num_values_ - i); ++bit) values[i + bit] = word >> bit & 1U;
    }
  }

  /// A value is a byte, its distance from the one before, or the least byte, after which it stands itself.
  template <class T>
  void read_deltas(T* values) {
    std::make_unsigned_t<T> value = 0;
    for (int64_t i = 0; i < num_values_; ++i) {
      const auto delta = bytes_.take<int8_t>();
      if (delta == std::numeric_limits<int8_t>::min()) {
        value = bytes_.take<std::make_unsigned_t<T>>();
      } else {
        value += static_cast<std::make_unsigned_t<T>>(delta);
      }
      values[i] = static_cast<T>(value);
    }
  }

  Bytes bytes_;
  const memory::BufferPtr& whole_;
  const int64_t num_rows_;
  const types::DataType& type_;
  const std::shared_ptr<memory::Budget>& budget_;
  std::vector<int32_t> nulls_;
  int64_t num_values_ = 0;
};

}  // namespace

columns::Batch read_cached_batch(const memory::BufferPtr& bytes, const types::DataType& type,
                                 const std::shared_ptr<memory::Budget>& budget) {
  if (bytes->size_bytes() > std::numeric_limits<int32_t>::max()) throw_damaged_cache("has too many bytes");
  Bytes rest(bytes->data(), bytes->size_bytes());
  columns::Batch batch;
  batch.num_rows = rest.take<int32_t>();
  std::vector<int32_t> sizes;
  for (size_t i = 0; i < type.fields().size(); ++i) sizes.push_back(rest.take<int32_t>());
  for (size_t i = 0; i < sizes.size(); ++i) {
    const Bytes column(rest.take(sizes[i]), sizes[i]);
    batch.columns.push_back(CachedColumn(column, bytes, batch.num_rows, type.fields()[i].type, budget).read());
  }
  return batch;
}

}  // namespace accelerant::io
