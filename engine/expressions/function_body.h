#pragma once

#include "base/macros.h"
#include "functions/definition.h"
#include "types/time_zone.h"

// Which body of a function is called, and how, whatever it takes and gives beside its arguments. Freestanding: the
// loops of the host and the kernels of a device call the same.

namespace accelerant::expressions::definition {

using types::DecimalContext;
using types::Nullable;

/// Which of a function's bodies a loop runs.
enum class Body { Plain, NullAware, Zoned, Narrow, Wide };

/// What bodies get beside their arguments.
struct BodyContext {
  DecimalContext decimal;
  types::TimeZone zone{};
};

template <bool kFirst, class First, class Second>
struct Either {
  using Type = First;
};
template <class First, class Second>
struct Either<false, First, Second> {
  using Type = Second;
};

/// The C++ type of a tag when decimals are `Decimal`.
template <class Tag, class Decimal>
using PhysicalOf = typename Either<Tag::kId == types::DecimalType::kId, Decimal, typename Tag::Physical>::Type;

template <class F, class R, class... A>
concept NullAware = requires(Nullable<A>... arguments) {
  F::call_nullable(arguments...);
};

template <class F, class R, class... A>
concept Zoned = requires(A... arguments, types::TimeZone zone, uint64 error) {
  F::call_zoned(arguments..., zone, error);
}
|| requires(A... arguments, types::TimeZone zone) { F::call_zoned(arguments..., zone); }
|| requires(A... arguments, types::TimeZone zone, uint64 error) {
  F::template call_zoned<R>(arguments..., zone, error);
}
|| requires(A... arguments, types::TimeZone zone) { F::template call_zoned<R>(arguments..., zone); };

template <class F, class R, class... A>
concept Contextual = requires(A... arguments, DecimalContext context, uint64 error) {
  F::call_wide(arguments..., context, error);
}
|| requires(A... arguments, DecimalContext context) { F::call_wide(arguments..., context); }
|| requires(A... arguments, DecimalContext context, uint64 error) {
  F::template call_wide<R>(arguments..., context, error);
}
|| requires(A... arguments, DecimalContext context) { F::template call_wide<R>(arguments..., context); };

/// Says whether a signature has decimals.
template <class Result, class... Tags>
inline constexpr bool kHasDecimal = ((Tags::kId == types::DecimalType::kId) || ...) || Result::kId
                                                                                           == types::DecimalType::kId;

/// The body of a function that builds no strings for a signature, where decimals are int128 if `kIsWide`, else int64.
template <class F, bool kIsWide, class Result, class... Tags>
inline constexpr Body kBodyOf =
    NullAware<F, typename Result::Physical, typename Tags::Physical...> ? Body::NullAware
    : Zoned<F, typename Result::Physical, typename Tags::Physical...>   ? Body::Zoned
    : !(kHasDecimal<Result, Tags...> && Contextual<F, typename Result::Physical, typename Tags::Physical...>)
        ? Body::Plain
    : kIsWide ? Body::Wide
              : Body::Narrow;

// Each finds the body by the arguments given, with the result type as template argument where it cannot be deduced.
#define ACC_CALL_BODY(name, R, ...)                                         \
  if constexpr (requires { F::name(__VA_ARGS__, error); })                  \
    return F::name(__VA_ARGS__, error);                                     \
  else if constexpr (requires { F::name(__VA_ARGS__); })                    \
    return F::name(__VA_ARGS__);                                            \
  else if constexpr (requires { F::template name<R>(__VA_ARGS__, error); }) \
    return F::template name<R>(__VA_ARGS__, error);                         \
  else                                                                      \
    return F::template name<R>(__VA_ARGS__)

template <class F, Body kBody, class R, class E, class... A>
ACC_HD ACC_INLINE auto invoke(const BodyContext& context, E& error, A... arguments) {
  if constexpr (kBody == Body::Plain) {
    ACC_CALL_BODY(call, R, arguments...);
  } else if constexpr (kBody == Body::NullAware) {
    ACC_CALL_BODY(call_nullable, R, arguments...);
  } else if constexpr (kBody == Body::Zoned) {
    ACC_CALL_BODY(call_zoned, R, arguments..., context.zone);
  } else if constexpr (kBody == Body::Narrow) {
    ACC_CALL_BODY(call_narrow, R, arguments..., context.decimal);
  } else {
    ACC_CALL_BODY(call_wide, R, arguments..., context.decimal);
  }
}
#undef ACC_CALL_BODY

template <class T>
struct IsNullable {
  static constexpr bool value = false;
  using Value = T;
};
template <class T>
struct IsNullable<Nullable<T>> {
  static constexpr bool value = true;
  using Value = T;
};

}  // namespace accelerant::expressions::definition
