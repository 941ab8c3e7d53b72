#include "io/value_decoder.h"

#include "base/bits.h"
#include "base/error.h"
#include "io/encoded_numbers.h"
#include "io/fail_damaged.h"
#include "io/julian_day.h"
#include "io/run_decoder.h"
#include "types/integers.h"

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>

namespace accelerant::io {

namespace {

using parquet::Encoding;

/// Converts `Stored` to `To`, by way of `Via` where the stored bits mean another type.
template <class From, class Via, class To>
struct Cast {
  using Stored = From;
  using Value = To;
  static constexpr bool kIsCopy = std::is_same_v<Stored, To>;
  static To convert(Stored value) { return static_cast<To>(static_cast<Via>(value)); }
};

struct MillisToMicros {
  using Stored = int64_t;
  using Value = int64_t;
  static constexpr bool kIsCopy = false;
  static int64_t convert(int64_t millis) {
    int64_t micros;
    if (__builtin_mul_overflow(millis, int64_t{1000}, &micros)) {
      throw Error(ErrorKind::Resource, "a timestamp in milliseconds is out of range: " + std::to_string(millis));
    }
    return micros;
  }
};

/// As Spark's DateTimeUtils.fromJulianDay; wraps as Java does.
struct JulianToMicros {
  using Stored = parquet::Int96;
  using Value = int64_t;
  static constexpr bool kIsCopy = false;
  static int64_t convert(const parquet::Int96& stored) {
    int64_t nanos_of_day;
    std::memcpy(&nanos_of_day, &stored.value[0], sizeof nanos_of_day);
    const auto day = static_cast<int32_t>(stored.value[2] - static_cast<uint32_t>(kJulianDayOfEpoch));
    const auto micros =
        static_cast<uint64_t>(int64_t{day}) * uint64_t{kMicrosPerDay} + static_cast<uint64_t>(nanos_of_day / 1000);
    return static_cast<int64_t>(micros);
  }
};

/// Values of a fixed width.
template <class Conversion>
class FixedDecoder final : public ValueDecoder {
 public:
  using Stored = typename Conversion::Stored;
  using Value = typename Conversion::Value;

  void start_page(Encoding::type encoding, const uint8_t* data, int64_t num_bytes) override {
    is_plain_ = encoding == Encoding::PLAIN;
    data_ = data;
    end_ = data + num_bytes;
    if (!is_plain_) encoded_.start(encoding, data, num_bytes);
  }

  void read(int64_t n, ValueTarget target) override {
    auto* to = reinterpret_cast<Value*>(target.values);
    if (is_plain_) return read_plain(n, to);
    encoded_.read(n, [&to](const Stored* values, int64_t count) {
      for (int64_t i = 0; i < count; ++i) *to++ = Conversion::convert(values[i]);
    });
  }

  void read_at(std::span<const int32_t> positions, int64_t n, ValueTarget target) override {
    auto* to = reinterpret_cast<Value*>(target.values);
    if (is_plain_) {
      const uint8_t* from = take(n);
      for (const int32_t position : positions) *to++ = load(from, position);
      return;
    }
    auto next = positions.begin();
    int64_t done = 0;
    encoded_.read(n, [&](const Stored* values, int64_t count) {
      for (; next != positions.end() && *next < done + count; ++next) *to++ = Conversion::convert(values[*next - done]);
      done += count;
    });
  }

  void skip(int64_t n) override {
    if (!is_plain_) return encoded_.skip(n);
    take(n);
  }

  int64_t least_plain_bytes(int64_t n) const override { return n * static_cast<int64_t>(sizeof(Stored)); }

 private:
  const uint8_t* take(int64_t n) {
    const int64_t num_bytes = least_plain_bytes(n);
    if (num_bytes > end_ - data_) fail_short_page();
    return std::exchange(data_, data_ + num_bytes);
  }

  void read_plain(int64_t n, Value* to) {
    const uint8_t* from = take(n);
    if constexpr (Conversion::kIsCopy) {
      // Of no values there may be no memory.
      if (n > 0) std::memcpy(to, from, static_cast<size_t>(least_plain_bytes(n)));
      return;
    }
    for (int64_t i = 0; i < n; ++i) to[i] = load(from, i);
  }

  static Value load(const uint8_t* from, int64_t position) {
    Stored stored;
    std::memcpy(&stored, from + position * static_cast<int64_t>(sizeof stored), sizeof stored);
    return Conversion::convert(stored);
  }

  EncodedNumbers<Stored> encoded_;
  const uint8_t* data_ = nullptr;
  const uint8_t* end_ = nullptr;
  bool is_plain_ = true;
};

/// Booleans: bits when plain, else runs behind their number of bytes; one byte each in the engine.
class BooleanDecoder final : public ValueDecoder {
 public:
  void start_page(Encoding::type encoding, const uint8_t* data, int64_t num_bytes) override {
    is_plain_ = encoding == Encoding::PLAIN;
    data_ = data;
    bits_left_ = num_bytes * 8;
    position_ = 0;
    if (!is_plain_) start_runs(encoding, num_bytes);
  }

  void read(int64_t n, ValueTarget target) override {
    uint8_t* to = target.values;
    if (is_plain_) return bits::unpack(data_, take(n), n, to);
    uint32_t values[kBlock];
    for (int64_t count; n > 0; n -= count) {
      count = std::min(n, kBlock);
      runs_.read(count, values);
      for (int64_t i = 0; i < count; ++i) *to++ = static_cast<uint8_t>(values[i] & 1);
    }
  }

  void read_at(std::span<const int32_t> positions, int64_t n, ValueTarget target) override {
    uint8_t* to = target.values;
    if (is_plain_) {
      const int64_t first = take(n);
      for (const int32_t position : positions) *to++ = bits::get(data_, first + position);
      return;
    }
    int64_t done = 0;
    for (const int32_t position : positions) {
      uint32_t value;
      runs_.skip(position - done);
      runs_.read(1, &value);
      *to++ = static_cast<uint8_t>(value & 1);
      done = position + 1;
    }
    runs_.skip(n - done);
  }

  void skip(int64_t n) override {
    if (!is_plain_) return runs_.skip(n);
    take(n);
  }

  int64_t least_plain_bytes(int64_t n) const override { return bits::bytes_for(n); }

 private:
  static constexpr int64_t kBlock = 256;

  void start_runs(Encoding::type encoding, int64_t num_bytes) {
    if (encoding != Encoding::RLE) throw_unsupported("a page of booleans in encoding " + EncodingToString(encoding));
    uint32_t run_bytes;
    const auto length_bytes = static_cast<int64_t>(sizeof run_bytes);
    if (num_bytes < length_bytes) fail_short_page();
    std::memcpy(&run_bytes, data_, sizeof run_bytes);
    if (run_bytes > num_bytes - length_bytes) fail_short_page();
    runs_.reset(data_ + length_bytes, run_bytes, 1);
  }

  int64_t take(int64_t n) {
    if (n > bits_left_) fail_short_page();
    bits_left_ -= n;
    return std::exchange(position_, position_ + n);
  }

  RunDecoder runs_;
  const uint8_t* data_ = nullptr;
  int64_t bits_left_ = 0;
  int64_t position_ = 0;
  bool is_plain_ = true;
};

}  // namespace

std::unique_ptr<ValueDecoder> make_value_decoder(const FileColumn& column,
                                                 const std::shared_ptr<memory::Budget>& budget) {
  const auto make = [&]<class Conversion>(Conversion) -> std::unique_ptr<ValueDecoder> {
    return std::make_unique<FixedDecoder<Conversion>>();
  };
  switch (column.kind) {
    case ValueKind::Boolean:
      return std::make_unique<BooleanDecoder>();
    case ValueKind::Int32ToInt8:
      return make(Cast<int32_t, int32_t, int8_t>());
    case ValueKind::Int32ToInt16:
      return make(Cast<int32_t, int32_t, int16_t>());
    case ValueKind::Int32ToInt32:
      return make(Cast<int32_t, int32_t, int32_t>());
    case ValueKind::Int32ToInt64:
      return make(Cast<int32_t, int32_t, int64_t>());
    case ValueKind::Int32ToInt128:
      return make(Cast<int32_t, int32_t, int128>());
    case ValueKind::Int32ToDouble:
      return make(Cast<int32_t, int32_t, double>());
    case ValueKind::UInt32ToInt64:
      return make(Cast<int32_t, uint32_t, int64_t>());
    case ValueKind::Int64ToInt64:
      return make(Cast<int64_t, int64_t, int64_t>());
    case ValueKind::Int64ToInt128:
      return make(Cast<int64_t, int64_t, int128>());
    case ValueKind::Int64MillisToMicros:
      return make(MillisToMicros());
    case ValueKind::UInt64ToInt128:
      return make(Cast<int64_t, uint64_t, int128>());
    case ValueKind::Int96ToMicros:
      return make(JulianToMicros());
    case ValueKind::Float:
      return make(Cast<float, float, float>());
    case ValueKind::FloatToDouble:
      return make(Cast<float, float, double>());
    case ValueKind::Double:
      return make(Cast<double, double, double>());
    case ValueKind::Bytes:
    case ValueKind::BytesToInt128:
    case ValueKind::FixedBytes:
    case ValueKind::FixedBytesToInt64:
    case ValueKind::FixedBytesToInt128:
      break;
  }
  return make_bytes_decoder(column, budget);
}

}  // namespace accelerant::io
