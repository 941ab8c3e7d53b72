#include "io/column_encoder.h"

#include "base/bits.h"
#include "base/error.h"
#include "io/julian_day.h"
#include "types/integers.h"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace accelerant::io {

using columns::Column;

namespace {

using Chunk = ColumnEncoder::Chunk;

constexpr int64_t kChunkRows = 4096;
constexpr int64_t kMaxValueBytes = 16;

constexpr int64_t kMicrosPerMilli = 1000;

template <class ParquetType>
void write_batch(const Chunk& chunk, const typename ParquetType::c_type* values, parquet::ColumnWriter& writer) {
  const bool is_nullable = writer.descr()->max_definition_level() > 0;
  const bool is_repeated = writer.descr()->max_repetition_level() > 0;
  ACC_CHECK(is_nullable || chunk.num_values == chunk.num_rows);
  static_cast<parquet::TypedColumnWriter<ParquetType>&>(writer).WriteBatch(
      chunk.num_rows, is_nullable ? chunk.levels : nullptr, is_repeated ? chunk.repetitions : nullptr, values);
}

/// Writes what `convert` makes of each value of type T.
template <class ParquetType, class T, class Convert>
void write_converted(const Chunk& chunk, parquet::ColumnWriter& writer, Convert convert) {
  const T* values = chunk.values.values<T>();
  auto* converted = reinterpret_cast<typename ParquetType::c_type*>(chunk.converted);
  for (int64_t i = 0; i < chunk.num_values; ++i) converted[i] = convert(values[chunk.positions[i]], i);
  write_batch<ParquetType>(chunk, converted, writer);
}

/// Writes values that have the writer's form.
template <class ParquetType>
void write_plain(const Chunk& chunk, parquet::ColumnWriter& writer) {
  using T = typename ParquetType::c_type;
  if (chunk.is_run && chunk.num_values > 0) {
    write_batch<ParquetType>(chunk, chunk.values.values<T>() + chunk.positions[0], writer);
  } else {
    write_converted<ParquetType, T>(chunk, writer, [](T value, int64_t) { return value; });
  }
}

/// Writes decimals, whichever width the batch has them in.
template <class ParquetType, class Convert>
void write_decimals(const Chunk& chunk, parquet::ColumnWriter& writer, Convert convert) {
  if (chunk.values.physical() == types::PhysicalType::Int64) {
    write_converted<ParquetType, int64_t>(chunk, writer, convert);
  } else {
    write_converted<ParquetType, int128>(chunk, writer, convert);
  }
}

void write_strings(const Chunk& chunk, parquet::ColumnWriter& writer) {
  auto* converted = reinterpret_cast<parquet::ByteArray*>(chunk.converted);
  for (int64_t i = 0; i < chunk.num_values; ++i) {
    const types::StringRef text = chunk.values.string_at(chunk.positions[i]);
    converted[i] = {static_cast<uint32_t>(text.length), reinterpret_cast<const uint8_t*>(text.data)};
  }
  write_batch<parquet::ByteArrayType>(chunk, converted, writer);
}

void write_decimal_bytes(const Chunk& chunk, parquet::ColumnWriter& writer) {
  const int num_bytes = writer.descr()->type_length();
  write_decimals<parquet::FLBAType>(chunk, writer, [&](int128 value, int64_t i) {
    uint8_t* bytes = chunk.bytes + i * kMaxValueBytes;
    for (int at = num_bytes - 1; at >= 0; --at, value >>= 8) bytes[at] = static_cast<uint8_t>(value);
    return parquet::FixedLenByteArray(bytes);
  });
}

/// As Spark's DateTimeUtils.toJulianDay: a day's number and nanoseconds of the day.
parquet::Int96 to_int96(int64_t micros) {
  const auto shifted =
      static_cast<int64_t>(static_cast<uint64_t>(micros) + static_cast<uint64_t>(kJulianDayOfEpoch * kMicrosPerDay));
  const int64_t nanos = shifted % kMicrosPerDay * 1000;
  parquet::Int96 result;
  std::memcpy(result.value.data(), &nanos, sizeof nanos);
  result.value[2] = static_cast<uint32_t>(shifted / kMicrosPerDay);
  return result;
}

int64_t to_millis(int64_t micros) { return micros / kMicrosPerMilli - (micros % kMicrosPerMilli < 0 ? 1 : 0); }

void write_chunk(const Chunk& chunk, ValueStorage storage, parquet::ColumnWriter& writer) {
  const auto widened = [](auto value, int64_t) { return static_cast<int32_t>(value); };
  switch (storage) {
    case ValueStorage::Boolean:
      return write_converted<parquet::BooleanType, uint8_t>(chunk, writer, [](uint8_t v, int64_t) { return v != 0; });
    case ValueStorage::Int8:
      return write_converted<parquet::Int32Type, int8_t>(chunk, writer, widened);
    case ValueStorage::Int16:
      return write_converted<parquet::Int32Type, int16_t>(chunk, writer, widened);
    case ValueStorage::Int32:
      return write_plain<parquet::Int32Type>(chunk, writer);
    case ValueStorage::Int64:
      return write_plain<parquet::Int64Type>(chunk, writer);
    case ValueStorage::Float:
      return write_plain<parquet::FloatType>(chunk, writer);
    case ValueStorage::Double:
      return write_plain<parquet::DoubleType>(chunk, writer);
    case ValueStorage::Bytes:
      return write_strings(chunk, writer);
    case ValueStorage::DecimalInt32:
      return write_decimals<parquet::Int32Type>(chunk, writer, widened);
    case ValueStorage::DecimalInt64:
      return write_decimals<parquet::Int64Type>(chunk, writer,
                                                [](auto value, int64_t) { return static_cast<int64_t>(value); });
    case ValueStorage::DecimalBytes:
      return write_decimal_bytes(chunk, writer);
    case ValueStorage::TimestampInt96:
      return write_converted<parquet::Int96Type, int64_t>(chunk, writer,
                                                          [](int64_t v, int64_t) { return to_int96(v); });
    case ValueStorage::TimestampMillis:
      return write_converted<parquet::Int64Type, int64_t>(chunk, writer,
                                                          [](int64_t v, int64_t) { return to_millis(v); });
  }
}

}  // namespace

ColumnEncoder::ColumnEncoder(const std::shared_ptr<memory::Budget>& budget)
    : positions_(memory::Buffer::allocate(kChunkRows * static_cast<int64_t>(sizeof(int32_t)), budget)),
      levels_(memory::Buffer::allocate(kChunkRows * static_cast<int64_t>(sizeof(int16_t)), budget)),
      budget_(budget) {
  reserve(kChunkRows);
}

void ColumnEncoder::reserve(int64_t num_values) {
  if (num_values <= capacity_) return;
  converted_ = memory::Buffer::allocate(num_values * kMaxValueBytes, budget_);
  bytes_ = memory::Buffer::allocate(num_values * kMaxValueBytes, budget_);
  capacity_ = num_values;
}

ColumnEncoder::Chunk ColumnEncoder::collect(const Column& column, int64_t offset, int64_t num_rows) {
  Chunk chunk{column.is_flat() ? column : *column.child_values()};
  auto* positions = positions_->mutable_as<int32_t>();
  auto* levels = levels_->mutable_as<int16_t>();
  chunk.num_rows = num_rows;
  const auto position_of = [&](int64_t row) -> int64_t {
    if (column.is_flat()) return row;
    return column.is_dictionary() ? column.indices()[row] : 0;
  };
  const bool may_have_nulls = column.may_have_nulls();
  for (int64_t i = 0; i < num_rows; ++i) {
    const bool has_value = !may_have_nulls || !column.is_null(offset + i);
    levels[i] = has_value;
    positions[chunk.num_values] = static_cast<int32_t>(position_of(offset + i));
    chunk.num_values += has_value;
  }
  chunk.positions = positions;
  chunk.levels = levels;
  chunk.converted = converted_->mutable_data();
  chunk.bytes = bytes_->mutable_data();
  chunk.is_run = column.is_flat() && chunk.num_values == num_rows;
  return chunk;
}

void ColumnEncoder::write(const Column& column, int64_t offset, int64_t length, ValueStorage storage,
                          parquet::ColumnWriter& writer) {
  for (int64_t begin = offset; begin < offset + length; begin += kChunkRows) {
    write_chunk(collect(column, begin, std::min(kChunkRows, offset + length - begin)), storage, writer);
  }
}

void ColumnEncoder::write(const Column& leaf, const LeafEntries& entries, ValueStorage storage,
                          parquet::ColumnWriter& writer) {
  Chunk chunk{leaf};
  chunk.num_rows = static_cast<int64_t>(entries.definitions.size());
  chunk.num_values = static_cast<int64_t>(entries.positions.size());
  reserve(chunk.num_values);
  chunk.positions = entries.positions.data();
  chunk.levels = entries.definitions.data();
  chunk.repetitions = entries.repetitions.data();
  chunk.converted = converted_->mutable_data();
  chunk.bytes = bytes_->mutable_data();
  write_chunk(chunk, storage, writer);
}

}  // namespace accelerant::io
