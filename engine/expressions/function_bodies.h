#pragma once

#include "base/macros.h"
#include "expressions/kernel.h"
#include "functions/definition.h"

#include <algorithm>
#include <cstdint>
#include <type_traits>

// How the bodies of functions are called, whatever they take and give beside their arguments.

namespace accelerant::expressions::definition {

using types::DecimalContext;
using types::Nullable;

/// Which of a function's bodies a loop runs.
enum class Body { Plain, NullAware, Zoned, Narrow, Wide };

/// What bodies get beside their arguments.
struct BodyContext {
  explicit BodyContext(const KernelCall& call) {
    if (call.decimal) decimal = *call.decimal;
    if (call.zone) zone = *call.zone;
  }

  DecimalContext decimal;
  types::TimeZone zone{};
};

/// The unsigned integer that collects error bits beside values of some width, so that loops vectorise.
template <int kBytes>
using ErrorBits =
    std::conditional_t<kBytes == 1, uint8_t,
                       std::conditional_t<kBytes == 2, uint16_t, std::conditional_t<kBytes == 4, uint32_t, uint64_t>>>;

template <class R, class... A>
using ErrorBitsOf =
    ErrorBits<std::min<int>(8, std::max({static_cast<int>(sizeof(R)), static_cast<int>(sizeof(A))...}))>;

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
ACC_INLINE auto invoke(const BodyContext& context, E& error, A... arguments) {
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

template <class F, Body kBody, class R, class E, class... A>
constexpr bool can_fail(E error, DecimalContext context, A... arguments) {
  if constexpr (kBody == Body::Plain) {
    return requires { F::call(arguments..., error); }
    || requires { F::template call<R>(arguments..., error); };
  } else if constexpr (kBody == Body::NullAware) {
    return requires { F::call_nullable(arguments..., error); };
  } else if constexpr (kBody == Body::Zoned) {
    return requires(types::TimeZone zone) { F::call_zoned(arguments..., zone, error); }
    || requires(types::TimeZone zone) { F::template call_zoned<R>(arguments..., zone, error); };
  } else if constexpr (kBody == Body::Narrow) {
    return requires { F::call_narrow(arguments..., context, error); }
    || requires { F::template call_narrow<R>(arguments..., context, error); };
  } else {
    return requires { F::call_wide(arguments..., context, error); }
    || requires { F::template call_wide<R>(arguments..., context, error); };
  }
}

template <class T>
struct IsNullable : std::false_type {
  using Value = T;
};
template <class T>
struct IsNullable<Nullable<T>> : std::true_type {
  using Value = T;
};

}  // namespace accelerant::expressions::definition
