#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace accelerant::plan {

/// What a window computes of each row.
enum class WindowKind : uint8_t {
  RowNumber,
  Rank,
  DenseRank,
  PercentRank,
  CumeDist,
  NTile,
  Shift,      ///< the value of a row that stands a number of rows behind it, or before it
  NthValue,   ///< the value of a row of its frame, counted from the first
  LastValue,  ///< the value of the last row of its frame
  Aggregate,  ///< an aggregate function over its frame
};

/// A function of Spark's that only windows have, for people and for the binder. Signatures of values of any type say
/// `any`.
struct WindowFunction {
  WindowKind kind;
  std::string_view spark_class;
  std::string_view sql;
  std::string_view arguments;  ///< their types in SQL, separated by commas
  std::string_view result;     ///< its type in SQL
  std::string_view text;       ///< one line for the reference page
};

/// Returns all of them.
std::span<const WindowFunction> window_functions();

/// Returns the one of a class; nullptr: there is none.
const WindowFunction* find_window_function(std::string_view spark_class);

}  // namespace accelerant::plan
