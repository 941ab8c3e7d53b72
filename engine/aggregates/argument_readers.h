#pragma once

#include "aggregates/grouped_rows.h"
#include "columns/column.h"
#include "expressions/function_body.h"

#include <cstdint>
#include <type_traits>

namespace accelerant::aggregates {

/// An argument of a variant: the logical type that `Tag` names, whose values are `T`.
template <class Tag, class T>
struct Argument {
  using Type = T;
  static constexpr bool kIsDecimal = Tag::kId == types::DecimalType::kId;
};

/// Values as they lie in a column.
template <class T>
struct FlatReader {
  const T* values;
  T operator()(int64_t row) const { return values[row]; }
};

/// Decimals that lie in another width.
template <class T, class Stored>
struct CastReader {
  const Stored* values;
  T operator()(int64_t row) const { return static_cast<T>(values[row]); }
};

struct TextReader {
  const types::StringView* views;
  const char* const* heap;
  types::StringRef operator()(int64_t row) const { return types::resolve(views[row], heap); }
};

/// Calls `body` with a reader of an argument's column. Decimals of 64 bits are read as such, whatever the argument's
/// type.
template <class A, class Body>
void with_reader(const columns::Column& column, Body body) {
  using T = typename A::Type;
  if constexpr (std::is_same_v<T, types::StringRef>) {
    body(TextReader{column.values<types::StringView>(), column.heap_addresses()});
  } else if constexpr (A::kIsDecimal) {
    if (column.physical() == types::PhysicalType::Int64) return body(FlatReader<int64>{column.values<int64>()});
    if constexpr (std::is_same_v<T, int128>) {
      body(FlatReader<int128>{column.values<int128>()});
    } else {
      body(CastReader<T, int128>{column.values<int128>()});
    }
  } else {
    body(FlatReader<T>{column.values<T>()});
  }
}

/// Calls `body` with the readers of arguments A, one after the other.
template <class... A>
struct Readers {
  template <class Body>
  static void with(Arguments, Body body) {
    body();
  }
};
template <class A, class... Rest>
struct Readers<A, Rest...> {
  template <class Body>
  static void with(Arguments columns, Body body) {
    with_reader<A>(*columns.front(), [&](auto first) {
      Readers<Rest...>::with(columns.subspan(1), [&](auto... rest) { body(first, rest...); });
    });
  }
};

}  // namespace accelerant::aggregates
