#pragma once

#include "base/error.h"
#include "columns/column.h"
#include "types/integers.h"

#include <string_view>
#include <type_traits>

namespace accelerant::columns {

/// Reads the values of a flat column as T: fixed-width values as their type has them (a decimal's width may change from
/// batch to batch), strings as std::string_view.
template <class T>
class ValueReader {
 public:
  explicit ValueReader(const Column& column) : column_(column), physical_(column.physical()) {}

  T operator()(int64_t row) const {
    if constexpr (std::is_same_v<T, std::string_view>) {
      const types::StringRef text = column_.string_at(row);
      return {text.data, static_cast<size_t>(text.length)};
    } else {
      if constexpr (std::is_same_v<T, int128>) {
        if (physical_ == types::PhysicalType::Int64) return column_.values<int64_t>()[row];
      }
      if constexpr (std::is_same_v<T, int64_t>) {
        if (physical_ == types::PhysicalType::Int128) return static_cast<int64_t>(column_.values<int128>()[row]);
      }
      return column_.values<T>()[row];
    }
  }

 private:
  const Column& column_;
  const types::PhysicalType physical_;
};

/// Calls `visit` with a value of the type that holds values of `physical`: int8_t for booleans, std::string_view for
/// strings. Returns what it returns, or a default for nested types.
template <class Visit>
auto visit_physical(types::PhysicalType physical, Visit visit) -> decltype(visit(int8_t{})) {
  using types::PhysicalType;
  switch (physical) {
    case PhysicalType::Bool:
    case PhysicalType::Int8:
      return visit(int8_t{});
    case PhysicalType::Int16:
      return visit(int16_t{});
    case PhysicalType::Int32:
      return visit(int32_t{});
    case PhysicalType::Int64:
      return visit(int64_t{});
    case PhysicalType::Int128:
      return visit(int128{});
    case PhysicalType::Float32:
      return visit(float{});
    case PhysicalType::Float64:
      return visit(double{});
    case PhysicalType::String:
      return visit(std::string_view{});
    case PhysicalType::Null:
    case PhysicalType::Array:
    case PhysicalType::Map:
    case PhysicalType::Struct:
      break;
  }
  return {};
}

}  // namespace accelerant::columns
