#pragma once

#include "base/macros.h"
#include "types/integers.h"
#include "types/string_view.h"

namespace accelerant::functions {

/// How two states' values of a column become one, where it does not depend on the other columns.
enum class Combine : uint8 {
  Together,  ///< it does depend on them: `merge` says how
  Sum,       ///< integers, modulo their width
  And,
  Or,
  Xor,
  Least,  ///< in Spark's order: NaN is the greatest
  Greatest,
  NumRows,  ///< Sum, of how many rows counted: where no argument is null, all of the group
  AnyRow,   ///< Or, of whether a row counted: likewise
};

template <class Member>
struct MemberValue;
template <class State, class Value>
struct MemberValue<Value State::*> {
  using Type = Value;
};

/// A member of a state: a bool, a number, an array of numbers, text, or another state.
template <auto kMemberOf, Combine kCombineAs = Combine::Together>
struct Column {
  using Value = typename MemberValue<decltype(kMemberOf)>::Type;
  static constexpr auto kMember = kMemberOf;
  static constexpr Combine kCombine = kCombineAs;
};

/// All members of a state: its schema as columns.
template <class... Members>
struct StateColumns {};

/// Text that a state holds; the bytes belong to a TextStore.
struct HeldText {
  char* data;
  int32 length;
  int32 capacity;

  ACC_HD static HeldText init() { return {nullptr, 0, 0}; }
  ACC_HD types::StringRef view() const { return {data, length}; }
};

}  // namespace accelerant::functions
