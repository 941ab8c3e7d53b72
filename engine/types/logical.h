#pragma once

#include "base/macros.h"
#include "types/integers.h"
#include "types/string_view.h"

namespace accelerant::types {

/// Tags that name Spark's types in the signatures of functions, for code that also compiles for devices. `kId` is the
/// TypeId, `Physical` what a body sees.
struct AnyType {  ///< matches every type; the body learns nothing but nullness
  static constexpr uint8 kId = 0;
  struct Physical {};
};
struct NullType {  ///< no value but null
  static constexpr uint8 kId = 1;
  struct Physical {};
};
struct BooleanType {
  static constexpr uint8 kId = 2;
  using Physical = bool;
};
struct ByteType {
  static constexpr uint8 kId = 3;
  using Physical = int8;
};
struct ShortType {
  static constexpr uint8 kId = 4;
  using Physical = int16;
};
struct IntType {
  static constexpr uint8 kId = 5;
  using Physical = int32;
};
struct LongType {
  static constexpr uint8 kId = 6;
  using Physical = int64;
};
struct FloatType {
  static constexpr uint8 kId = 7;
  using Physical = float;
};
struct DoubleType {
  static constexpr uint8 kId = 8;
  using Physical = double;
};
/// Bodies on decimals exist for int64 (narrow) and int128 (wide); this names the wide one.
struct DecimalType {
  static constexpr uint8 kId = 9;
  using Physical = int128;
};
struct StringType {
  static constexpr uint8 kId = 10;
  using Physical = StringRef;
};
struct BinaryType {
  static constexpr uint8 kId = 11;
  using Physical = StringRef;
};
struct DateType {
  static constexpr uint8 kId = 12;
  using Physical = int32;
};
struct TimestampType {
  static constexpr uint8 kId = 13;
  using Physical = int64;
};
struct TimestampNtzType {
  static constexpr uint8 kId = 14;
  using Physical = int64;
};
struct DayTimeIntervalType {
  static constexpr uint8 kId = 15;
  using Physical = int64;
};
struct YearMonthIntervalType {
  static constexpr uint8 kId = 16;
  using Physical = int32;
};

/// An array, whose element has the type of an aggregate's first argument.
struct ArrayType {
  static constexpr uint8 kId = 18;
  struct Physical {};
};

/// A value that may be null, as bodies named `call_nullable` see it. Under null, `value` is unspecified.
template <class T>
struct Nullable {
  T value;
  bool valid;
};

}  // namespace accelerant::types
