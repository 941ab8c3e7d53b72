// A reader of values is a source of values without nulls, which decodes them one after the other, and puts them where
// rows have some.
#include "base/error.h"
#include "io/fail_damaged.h"
#include "io/hybrid_calendar.h"
#include "io/orc_column_reader.h"
#include "io/orc_streams.h"
#include "types/decimal.h"
#include "types/varint.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace accelerant::io {

using columns::ColumnPtr;
using types::PhysicalType;

namespace {

/// Values are decoded in blocks that stay in the first-level cache.
constexpr int64_t kValueBlock = 1024;
constexpr int64_t kMicros = 1'000'000;

int64_t floor_of(int64_t value, int64_t by) { return value / by - (value % by < 0); }

class IntegerSource {
 public:
  explicit IntegerSource(OrcIntegers values) : values_(std::move(values)) {}

  template <class T>
  void read(int64_t n, T* to) {
    int64_t block[kValueBlock];
    for (int64_t count; n > 0; n -= count) {
      count = std::min(n, kValueBlock);
      values_.read(count, block);
      to = std::transform(block, block + count, to, [](int64_t value) { return static_cast<T>(value); });
    }
  }
  void read(int64_t n, int64_t* to) { values_.read(n, to); }

 private:
  OrcIntegers values_;
};

class ByteSource {
 public:
  explicit ByteSource(OrcBytes bytes) : values_(std::move(bytes)) {}

  template <class T>
  void read(int64_t n, T* to) {
    uint8_t block[kValueBlock];
    for (int64_t count; n > 0; n -= count) {
      count = std::min(n, kValueBlock);
      values_.read(count, block);
      to = std::transform(block, block + count, to,
                          [](uint8_t byte) { return static_cast<T>(static_cast<int8_t>(byte)); });
    }
  }

 private:
  OrcByteRuns values_;
};

class FloatingSource {
 public:
  explicit FloatingSource(OrcBytes bytes) : bytes_(std::move(bytes)) {}

  template <class T>
  void read(int64_t n, T* to) {
    bytes_.copy(n * static_cast<int64_t>(sizeof(T)), reinterpret_cast<uint8_t*>(to));
  }

 private:
  OrcBytes bytes_;
};

class DateSource {
 public:
  DateSource(OrcIntegers days, bool has_old_calendar) : days_(std::move(days)), has_old_calendar_(has_old_calendar) {}

  void read(int64_t n, int32_t* to) {
    days_.read(n, to);
    if (!has_old_calendar_) return;
    const int32_t first = n > 0 ? *std::min_element(to, to + n) : 0;
    if (first >= kFirstGregorianDay) return;
    for (int64_t i = 0; i < n; ++i) to[i] = static_cast<int32_t>(day_of_hybrid(to[i]));
  }

 private:
  IntegerSource days_;
  const bool has_old_calendar_;
};

/// Seconds from an epoch of the writer's zone on, without their fraction, and nanoseconds, as ORC's own reader puts
/// them together (TreeReaderFactory.TimestampTreeReader) and Spark reads them (DateTimeUtils.fromJavaTimestamp).
class TimestampSource {
 public:
  TimestampSource(OrcIntegers seconds, OrcIntegers nanos, const OrcTimes& times)
      : seconds_(std::move(seconds)), nanos_(std::move(nanos)), times_(times) {}

  void read(int64_t n, int64_t* to) {
    int64_t nanos[kValueBlock];
    for (int64_t count; n > 0; n -= count, to += count) {
      count = std::min(n, kValueBlock);
      seconds_.read(count, to);
      nanos_.read(count, nanos);
      for (int64_t i = 0; i < count; ++i) to[i] = micros_of(to[i], nanos_of(nanos[i]));
    }
  }

 private:
  /// The lowest three bits say how many zeros were taken away: one less, but for none.
  static int64_t nanos_of(int64_t stored) {
    constexpr int64_t kScale[] = {1, 100, 1'000, 10'000, 100'000, 1'000'000, 10'000'000, 100'000'000};
    const int64_t digits = static_cast<int64_t>(static_cast<uint64_t>(stored) >> 3);
    if (digits >= 1'000'000'000) fail_damaged("a timestamp's fraction is corrupt");
    const int64_t nanos = digits * kScale[stored & 7];
    if (nanos >= 1'000'000'000) fail_damaged("a timestamp's fraction is corrupt");
    return nanos;
  }

  int64_t micros_of(int64_t stored_seconds, int64_t nanos) const {
    int64_t millis;
    const bool is_wide = __builtin_add_overflow(stored_seconds, times_.zone_epoch, &millis) ||
                         __builtin_mul_overflow(millis, 1000, &millis) ||
                         __builtin_add_overflow(millis, nanos / 1'000'000, &millis);
    if (is_wide) fail_damaged("a timestamp is out of range");
    // What lies between two seconds before 1970 was cut off towards 1970; ORC does not notice in the last second.
    if (millis < 0 && nanos > 999'999) millis -= 1000;
    int64_t micros;
    if (__builtin_mul_overflow(floor_of(millis, 1000), kMicros, &micros)) fail_damaged("a timestamp is out of range");
    micros += nanos / 1000;
    return micros < kFirstSafeMicros ? of_old_calendar(micros) : micros;
  }

  int64_t of_old_calendar(int64_t micros) const {
    constexpr int64_t kDay = 86'400 * kMicros;
    if (!times_.has_old_calendar) fail_damaged("a timestamp is before those that its file speaks of");
    const int64_t day = floor_of(micros, kDay);
    return day_of_hybrid(day) * kDay + (micros - day * kDay);
  }

  OrcIntegers seconds_;
  OrcIntegers nanos_;
  const OrcTimes times_;
};

/// Unscaled values of any length, each with a scale of its own, from which Spark rounds to the type's (Decimal.set).
class DecimalSource {
 public:
  DecimalSource(OrcBytes values, OrcIntegers scales, const types::DataType& type)
      : values_(std::move(values)),
        scales_(std::move(scales)),
        scale_(type.scale()),
        bound_(types::power_of_ten(type.precision())) {}

  template <class T>
  void read(int64_t n, T* to) {
    int64_t scales[kValueBlock];
    for (int64_t count; n > 0; n -= count, to += count) {
      count = std::min(n, kValueBlock);
      scales_.read(count, scales);
      for (int64_t i = 0; i < count; ++i) to[i] = static_cast<T>(rescaled(read_unscaled(), scales[i]));
    }
  }

 private:
  __int128 read_unscaled() {
    constexpr int kMostBytes = 19;
    values_.ensure(kMostBytes);
    const uint8_t* data = values_.data();
    unsigned __int128 value = 0;
    for (int shift = 0; shift < kMostBytes * 7 && data < values_.end(); shift += 7) {
      const uint8_t byte = *data++;
      const auto bits = static_cast<unsigned __int128>(byte & 0x7f);
      value |= bits << shift;
      if (value >> shift != bits) break;
      if (byte & 0x80) continue;
      values_.pass_to(data);
      return static_cast<__int128>(value >> 1) ^ -static_cast<__int128>(value & 1);
    }
    fail_damaged("a decimal is corrupt");
  }

  __int128 rescaled(__int128 value, int64_t scale) const {
    if (scale != scale_) value = to_scale_of_type(value, scale);
    if (value >= bound_ || value <= -bound_) fail_damaged("a decimal has more digits than its type");
    return value;
  }

  __int128 to_scale_of_type(__int128 value, int64_t scale) const {
    constexpr int32_t kMostDigits = 38;  // beyond which ORC's reader rounds by itself, or makes nulls
    const bool is_decimal = scale >= 0 && scale <= kMostDigits &&
                            types::magnitude(value) < types::magnitude(types::power_of_ten(kMostDigits));
    if (!is_decimal) fail_damaged("a decimal has more than 38 digits");
    if (scale > scale_) return types::divide_power_of_ten_half_up(value, static_cast<int32_t>(scale - scale_));
    if (__builtin_mul_overflow(value, types::power_of_ten(static_cast<int32_t>(scale_ - scale)), &value)) {
      fail_damaged("a decimal has more digits than its type");
    }
    return value;
  }

  OrcBytes values_;
  OrcIntegers scales_;
  const int64_t scale_;
  const __int128 bound_;
};

template <class T, class Source>
class ValueReader final : public OrcColumnReader {
 public:
  ValueReader(const types::DataType& type, OrcPresence presence, Source source, std::shared_ptr<memory::Budget> budget)
      : type_(type), presence_(std::move(presence)), source_(std::move(source)), budget_(std::move(budget)) {}

  ColumnPtr read(int64_t n) override {
    const OrcRows rows = presence_.read(n);
    columns::FlatBuilder builder(type_, type_.physical(), n, budget_);
    T* values = builder.values<T>();
    source_.read(rows.num_values, values);
    rows.spread(values);
    if (rows.validity) builder.set_validity(rows.validity);
    return builder.finish();
  }

 private:
  const types::DataType type_;
  OrcPresence presence_;
  Source source_;
  const std::shared_ptr<memory::Budget> budget_;
};

template <class T, class Source>
std::unique_ptr<OrcColumnReader> make_reader(const OrcField& field, const OrcStripeData& data, Source source) {
  return std::make_unique<ValueReader<T, Source>>(field.type, orc_presence(field, data), std::move(source),
                                                  data.budget());
}

template <class Source>
std::unique_ptr<OrcColumnReader> make_integer_reader(const OrcField& field, const OrcStripeData& data, Source source) {
  const PhysicalType physical = field.type.physical();
  if (physical == PhysicalType::Int8) return make_reader<int8_t>(field, data, std::move(source));
  if (physical == PhysicalType::Int16) return make_reader<int16_t>(field, data, std::move(source));
  if (physical == PhysicalType::Int32) return make_reader<int32_t>(field, data, std::move(source));
  ACC_CHECK(physical == PhysicalType::Int64);
  return make_reader<int64_t>(field, data, std::move(source));
}

std::unique_ptr<OrcColumnReader> make_decimal_reader(const OrcField& field, const OrcStripeData& data) {
  DecimalSource source(data.bytes(field, OrcStreamKind::Data),
                       orc_integers(field, data, OrcStreamKind::Secondary, true), field.type);
  if (field.type.physical() == PhysicalType::Int64) return make_reader<int64_t>(field, data, std::move(source));
  return make_reader<__int128>(field, data, std::move(source));
}

}  // namespace

std::unique_ptr<OrcColumnReader> make_orc_value_reader(const OrcField& field, const OrcStripeData& data,
                                                       const OrcTimes& times) {
  const auto signed_integers = [&] { return orc_integers(field, data, OrcStreamKind::Data, true); };
  switch (field.kind) {
    case OrcKind::Boolean:
      return make_reader<uint8_t>(field, data, OrcBits(data.bytes(field, OrcStreamKind::Data)));
    case OrcKind::Byte:
      return make_integer_reader(field, data, ByteSource(data.bytes(field, OrcStreamKind::Data)));
    case OrcKind::Short:
    case OrcKind::Int:
    case OrcKind::Long:
      return make_integer_reader(field, data, IntegerSource(signed_integers()));
    case OrcKind::Date:
      return make_reader<int32_t>(field, data, DateSource(signed_integers(), times.has_old_calendar));
    case OrcKind::Float:
      return make_reader<float>(field, data, FloatingSource(data.bytes(field, OrcStreamKind::Data)));
    case OrcKind::Double:
      return make_reader<double>(field, data, FloatingSource(data.bytes(field, OrcStreamKind::Data)));
    case OrcKind::Timestamp:
      return make_reader<int64_t>(
          field, data,
          TimestampSource(signed_integers(), orc_integers(field, data, OrcStreamKind::Secondary, false), times));
    case OrcKind::Decimal:
      return make_decimal_reader(field, data);
    case OrcKind::String:
    case OrcKind::Binary:
    case OrcKind::List:
    case OrcKind::Map:
    case OrcKind::Struct:
    case OrcKind::Union:
    case OrcKind::Varchar:
    case OrcKind::Char:
    case OrcKind::TimestampInstant:
      break;
  }
  throw Error(ErrorKind::Internal, "no reader for an ORC type");
}

}  // namespace accelerant::io
