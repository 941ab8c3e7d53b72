#pragma once

#include "expressions/eval_mode.h"
#include "expressions/function_body.h"
#include "functions/comparison/order.h"
#include "functions/error_codes.h"
#include "types/string_view.h"

// What generated text computes with: the values of one row, and the meaning of every instruction of a program
// (expressions/instruction.h) for them. Freestanding. The evaluator of the host does the same for columns.

namespace accelerant::codegen {

using expressions::EvalMode;
using types::DecimalContext;
using types::StringRef;

/// What an instruction makes of a row: a value, null, or an error. Of the latter two, `value` is T{}.
template <class T>
struct Value {
  T value;
  bool valid;
  bool failed;  ///< then not valid
};

template <class T>
ACC_HD ACC_INLINE Value<T> value_of(T value) {
  return {value, true, false};
}
template <class T>
ACC_HD ACC_INLINE Value<T> null_of() {
  return {T{}, false, false};
}
template <class T>
ACC_HD ACC_INLINE Value<T> failed_of() {
  return {T{}, false, true};
}

ACC_HD ACC_INLINE bool is_true(Value<bool> value) { return value.valid && value.value; }
ACC_HD ACC_INLINE bool is_false(Value<bool> value) { return value.valid && !value.value; }

/// Returns a value in another physical type, which has room for it.
template <class To, class From>
ACC_HD ACC_INLINE To cast_to(const From& value) {
  if constexpr (requires { static_cast<To>(value); }) {
    return static_cast<To>(value);
  } else {
    return To{};  // of a type of which a body sees nothing but nullness
  }
}
template <class To, class From>
ACC_HD ACC_INLINE Value<To> cast_value(const Value<From>& value) {
  return {cast_to<To>(value.value), value.valid, value.failed};
}

namespace detail {

/// How far a call gets that is null where an argument is: Spark looks at one argument after the other, and at none
/// after a null.
struct Reach {
  bool valid = true;
  bool failed = false;

  template <class T>
  ACC_HD ACC_INLINE void look_at(const Value<T>& argument) {
    if (!valid) return;
    valid = argument.valid;
    failed = argument.failed;
  }
};

template <class T>
ACC_HD ACC_INLINE void look_backwards(Reach& reach, const Value<T>& argument) {
  reach.look_at(argument);
}
template <class T, class... Rest>
ACC_HD ACC_INLINE void look_backwards(Reach& reach, const Value<T>& first, const Rest&... rest) {
  look_backwards(reach, rest...);
  reach.look_at(first);
}

template <EvalMode kMode>
ACC_HD ACC_INLINE constexpr bool nulls_row(uint8 code) {
  if ((code & functions::kFailsAlways) != 0) return false;
  return kMode == EvalMode::Try || (kMode == EvalMode::Legacy && (code & functions::kNullInLegacy) != 0);
}
template <EvalMode kMode>
ACC_HD ACC_INLINE constexpr bool fails_row(uint8 code) {
  return (code & functions::kFailsAlways) != 0 || (kMode == EvalMode::Ansi && code != 0);
}

}  // namespace detail

/// A call of a function's body for one signature. Decimals are int128 if `kIsWide`, else int64.
template <class F, class Signature, EvalMode kMode, bool kIsWide>
struct Call;

template <class F, class Result, class... Tags, EvalMode kMode, bool kIsWide>
struct Call<F, functions::Signature<Result, Tags...>, kMode, kIsWide> {
  using Decimal = typename expressions::definition::Either<kIsWide, int128, int64>::Type;
  using R = expressions::definition::PhysicalOf<Result, Decimal>;
  using Body = expressions::definition::Body;
  static constexpr Body kBody = expressions::definition::kBodyOf<F, kIsWide, Result, Tags...>;

  template <class... A>
  ACC_HD ACC_INLINE static Value<R> of(const DecimalContext& decimal, const Value<A>&... arguments) {
    if constexpr (kBody == Body::NullAware) {
      if ((arguments.failed || ...)) return failed_of<R>();
    } else {
      detail::Reach reach;
      if constexpr (F::kDescription.right_first) {
        detail::look_backwards(reach, arguments...);
      } else {
        (reach.look_at(arguments), ...);
      }
      if (reach.failed) return after_failed<A...>(decimal, arguments...);
      if (!reach.valid) return null_of<R>();
    }
    uint8 code = 0;
    const Value<R> result = run(decimal, code, arguments...);
    if (detail::fails_row<kMode>(code)) return failed_of<R>();
    if (detail::nulls_row<kMode>(code)) return null_of<R>();
    return result;
  }

 private:
  template <class... A>
  ACC_HD ACC_INLINE static Value<R> run(const DecimalContext& decimal, uint8& code, const Value<A>&... arguments) {
    namespace definition = expressions::definition;
    definition::BodyContext context;
    context.decimal = decimal;
    uint64 error = 0;
    auto given = [&] {
      if constexpr (kBody == Body::NullAware) {
        return definition::invoke<F, kBody, R>(
            context, error,
            types::Nullable<definition::PhysicalOf<Tags, Decimal>>{
                cast_to<definition::PhysicalOf<Tags, Decimal>>(arguments.value), arguments.valid}...);
      } else {
        return definition::invoke<F, kBody, R>(context, error,
                                               cast_to<definition::PhysicalOf<Tags, Decimal>>(arguments.value)...);
      }
    }();
    code = static_cast<uint8>(error);
    if constexpr (definition::IsNullable<decltype(given)>::value) {
      return given.valid ? value_of<R>(given.value) : null_of<R>();
    } else {
      return value_of<R>(given);
    }
  }

  /// Some argument failed. A zero divisor gives null before the dividend, which may have failed, is looked at.
  template <class... A>
  ACC_HD ACC_INLINE static Value<R> after_failed(const DecimalContext& decimal, const Value<A>&... arguments) {
    if constexpr (F::kDescription.right_first && kMode != EvalMode::Ansi) {
      if (last_is_valid(arguments...)) {
        uint8 code = 0;
        static_cast<void>(run(decimal, code, arguments...));
        if ((code & functions::kDivideByZero) != 0 && detail::nulls_row<kMode>(code)) return null_of<R>();
      }
    }
    return failed_of<R>();
  }

  template <class T>
  ACC_HD ACC_INLINE static bool last_is_valid(const Value<T>& argument) {
    return argument.valid;
  }
  template <class T, class... Rest>
  ACC_HD ACC_INLINE static bool last_is_valid(const Value<T>&, const Rest&... rest) {
    return last_is_valid(rest...);
  }
};

/// Three-valued AND and OR: the right operand's error counts only where the left one does not decide.
ACC_HD ACC_INLINE Value<bool> conjunction(Value<bool> left, Value<bool> right) {
  if (left.failed || is_false(left)) return left;
  if (right.failed || is_false(right)) return right;
  return left.valid ? right : left;
}
ACC_HD ACC_INLINE Value<bool> disjunction(Value<bool> left, Value<bool> right) {
  if (left.failed || is_true(left)) return left;
  if (right.failed || is_true(right)) return right;
  return left.valid ? right : left;
}

/// A branch of CASE WHEN, and what comes after it.
template <class T>
ACC_HD ACC_INLINE Value<T> choose(Value<bool> condition, const Value<T>& value, const Value<T>& otherwise) {
  if (condition.failed) return failed_of<T>();
  return is_true(condition) ? value : otherwise;
}

/// An operand of COALESCE, and what comes after it.
template <class T>
ACC_HD ACC_INLINE Value<T> first_of(const Value<T>& value, const Value<T>& rest) {
  return value.failed || value.valid ? value : rest;
}

/// `value IN (list)`; `kHasNull` says that there is a null beside the list's values.
template <bool kHasNull, class T>
ACC_HD ACC_INLINE Value<bool> is_in(const Value<T>& value, const T* list, int64 length) {
  if (!value.valid) return {false, false, value.failed};
  for (int64 i = 0; i < length; ++i) {
    if (functions::equals(value.value, list[i])) return value_of(true);
  }
  return kHasNull ? null_of<bool>() : value_of(false);
}

}  // namespace accelerant::codegen
