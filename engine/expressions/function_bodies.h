#pragma once

#include "expressions/function_body.h"
#include "expressions/kernel.h"

#include <algorithm>
#include <cstdint>
#include <type_traits>

// What the loops of the host have to know of the bodies of functions.

namespace accelerant::expressions::definition {

/// Returns what a call gives to bodies.
inline BodyContext context_of(const KernelCall& call) {
  BodyContext context;
  if (call.decimal) context.decimal = *call.decimal;
  if (call.zone) context.zone = *call.zone;
  return context;
}

/// The unsigned integer that collects error bits beside values of some width, so that loops vectorise.
template <int kBytes>
using ErrorBits =
    std::conditional_t<kBytes == 1, uint8_t,
                       std::conditional_t<kBytes == 2, uint16_t, std::conditional_t<kBytes == 4, uint32_t, uint64_t>>>;

template <class R, class... A>
using ErrorBitsOf =
    ErrorBits<std::min<int>(8, std::max({static_cast<int>(sizeof(R)), static_cast<int>(sizeof(A))...}))>;

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

}  // namespace accelerant::expressions::definition
