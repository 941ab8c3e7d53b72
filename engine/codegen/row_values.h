#pragma once

#include "functions/comparison/order.h"
#include "types/string_view.h"

// What generated text computes with: the values of one row, and the meaning of every instruction of a program
// (expressions/instruction.h) for them. Freestanding. The evaluator of the host does the same for columns.

namespace accelerant::codegen {

using types::StringRef;

/// What an instruction makes of a row: a value, null, or an error. Of the latter two, `value` is T{}.
template <class T>
struct RowValue {
  T value;
  bool valid;
  bool failed;  ///< then not valid
};

template <class T>
ACC_HD ACC_INLINE RowValue<T> value_of(T value) {
  return {value, true, false};
}
template <class T>
ACC_HD ACC_INLINE RowValue<T> null_of() {
  return {T{}, false, false};
}
template <class T>
ACC_HD ACC_INLINE RowValue<T> failed_of() {
  return {T{}, false, true};
}

ACC_HD ACC_INLINE bool is_true(RowValue<bool> value) { return value.valid && value.value; }
ACC_HD ACC_INLINE bool is_false(RowValue<bool> value) { return value.valid && !value.value; }

/// Returns a value in another physical type, which has room for it.
template <class To, class From>
ACC_HD ACC_INLINE To cast_to(const From& value) {
  if constexpr (__is_empty(To)) {
    return To{};  // of a type of which a body sees nothing but nullness
  } else {
    return static_cast<To>(value);
  }
}
template <class To, class From>
ACC_HD ACC_INLINE RowValue<To> cast_value(const RowValue<From>& value) {
  return {cast_to<To>(value.value), value.valid, value.failed};
}

/// Three-valued AND and OR: the right operand's error counts only where the left one does not decide.
ACC_HD ACC_INLINE RowValue<bool> conjunction(RowValue<bool> left, RowValue<bool> right) {
  if (left.failed || is_false(left)) return left;
  if (right.failed || is_false(right)) return right;
  return left.valid ? right : left;
}
ACC_HD ACC_INLINE RowValue<bool> disjunction(RowValue<bool> left, RowValue<bool> right) {
  if (left.failed || is_true(left)) return left;
  if (right.failed || is_true(right)) return right;
  return left.valid ? right : left;
}

/// A branch of CASE WHEN, and what comes after it.
template <class T>
ACC_HD ACC_INLINE RowValue<T> choose(RowValue<bool> condition, const RowValue<T>& value, const RowValue<T>& otherwise) {
  if (condition.failed) return failed_of<T>();
  return is_true(condition) ? value : otherwise;
}

/// An operand of COALESCE, and what comes after it.
template <class T>
ACC_HD ACC_INLINE RowValue<T> first_of(const RowValue<T>& value, const RowValue<T>& rest) {
  return value.failed || value.valid ? value : rest;
}

/// `value IN (list)`; `kHasNull` says that there is a null beside the list's values.
template <bool kHasNull, class T>
ACC_HD ACC_INLINE RowValue<bool> is_in(const RowValue<T>& value, const T* list, int64 length) {
  if (!value.valid) return {false, false, value.failed};
  for (int64 i = 0; i < length; ++i) {
    if (functions::equals(value.value, list[i])) return value_of(true);
  }
  return kHasNull ? null_of<bool>() : value_of(false);
}

}  // namespace accelerant::codegen
