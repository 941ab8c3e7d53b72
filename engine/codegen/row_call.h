#pragma once

#include "codegen/row_values.h"
#include "expressions/eval_mode.h"
#include "expressions/function_body.h"
#include "functions/error_codes.h"

// Calls of functions in generated text. Freestanding.

namespace accelerant::codegen {

using expressions::EvalMode;
using types::DecimalContext;

namespace detail {

/// How far a call gets that is null where an argument is: Spark looks at one argument after the other, and at none
/// after a null.
struct Reach {
  bool valid = true;
  bool failed = false;

  template <class T>
  ACC_HD ACC_INLINE void look_at(const RowValue<T>& argument) {
    if (!valid) return;
    valid = argument.valid;
    failed = argument.failed;
  }
};

template <class T>
ACC_HD ACC_INLINE void look_backwards(Reach& reach, const RowValue<T>& argument) {
  reach.look_at(argument);
}
template <class T, class... Rest>
ACC_HD ACC_INLINE void look_backwards(Reach& reach, const RowValue<T>& first, const Rest&... rest) {
  look_backwards(reach, rest...);
  reach.look_at(first);
}

template <EvalMode kMode>
ACC_HD ACC_INLINE constexpr bool nulls_row(uint8 code) {
  if (code == 0 || (code & functions::kFailsAlways) != 0) return false;
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
  ACC_HD ACC_INLINE static RowValue<R> of(const DecimalContext& decimal, const RowValue<A>&... arguments) {
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
    const RowValue<R> result = run(decimal, code, arguments...);
    if (detail::fails_row<kMode>(code)) return failed_of<R>();
    if (detail::nulls_row<kMode>(code)) return null_of<R>();
    return result;
  }

 private:
  template <class... A>
  ACC_HD ACC_INLINE static RowValue<R> run(const DecimalContext& decimal, uint8& code,
                                           const RowValue<A>&... arguments) {
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
  ACC_HD ACC_INLINE static RowValue<R> after_failed(const DecimalContext& decimal, const RowValue<A>&... arguments) {
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
  ACC_HD ACC_INLINE static bool last_is_valid(const RowValue<T>& argument) {
    return argument.valid;
  }
  template <class T, class... Rest>
  ACC_HD ACC_INLINE static bool last_is_valid(const RowValue<T>&, const Rest&... rest) {
    return last_is_valid(rest...);
  }
};

}  // namespace accelerant::codegen
