#pragma once

// One line a type of Spark's: its name here, the code that stands for it in plan messages (TypeEncoder.scala writes the
// same), the physical type that holds every value, its name in SQL and its format in Arrow's C data interface. To SQL's
// name of decimals, arrays, maps and structs and Arrow's of decimals their parameters are added (types/data_type.cpp).
#define ACC_TYPES_OF_VALUES(T)                                     \
  T(Null, 1, Null, "void", "n")                                    \
  T(Boolean, 2, Bool, "boolean", "b")                              \
  T(Byte, 3, Int8, "tinyint", "c")                                 \
  T(Short, 4, Int16, "smallint", "s")                              \
  T(Int, 5, Int32, "int", "i")                                     \
  T(Long, 6, Int64, "bigint", "l")                                 \
  T(Float, 7, Float32, "float", "f")                               \
  T(Double, 8, Float64, "double", "g")                             \
  T(Decimal, 9, Int128, "decimal", "d:")                           \
  T(String, 10, String, "string", "u")                             \
  T(Binary, 11, String, "binary", "z")                             \
  T(Date, 12, Int32, "date", "tdD")                                \
  T(Timestamp, 13, Int64, "timestamp", "tsu:UTC")                  \
  T(TimestampNtz, 14, Int64, "timestamp_ntz", "tsu:")              \
  T(DayTimeInterval, 15, Int64, "interval day to second", "tDu")   \
  T(YearMonthInterval, 16, Int32, "interval year to month", "tiM") \
  T(Array, 18, Array, "array", "+l")                               \
  T(Map, 19, Map, "map", "+m")                                     \
  T(Struct, 20, Struct, "struct", "+s")                            \
  T(Char, 21, String, "char", "u")                                 \
  T(Varchar, 22, String, "varchar", "u")

// Types whose values the engine does not hold: name, code, SQL's name. `Other` is known by its name only.
#define ACC_TYPES_WITHOUT_VALUES(T)   \
  T(CalendarInterval, 17, "interval") \
  T(Other, 23, "")
