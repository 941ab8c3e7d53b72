#pragma once

#include "functions/definition.h"
#include "types/time_zone.h"

/// Calls every body of a function for every signature, so that a device compiler instantiates them all.
namespace accelerant::device_test {

using types::DecimalContext;
using types::DecimalRange;
using types::Nullable;

/// Where arguments come from and results go, so that nothing is optimised away.
struct Memory {
  const char* in;
  char* out;

  template <class T>
  __device__ T load() const {
    return *reinterpret_cast<const T*>(in);
  }
  template <class T>
  __device__ void store(const T& value) const {
    *reinterpret_cast<T*>(out) = value;
  }
};

template <class T>
inline constexpr bool is_int128 = false;
template <>
inline constexpr bool is_int128<int128> = true;

/// What a narrow body sees in place of a wide decimal.
template <class T>
struct NarrowOf {
  using Type = T;
};
template <>
struct NarrowOf<int128> {
  using Type = int64;
};
template <class T>
using Narrow = typename NarrowOf<T>::Type;

/// The bounds of an argument, whatever its type.
template <class T>
using Range = DecimalRange;

// A body may take an error lane, and its result type as template argument.
#define ACC_TOUCH_BODY(name, R, ...)                                        \
  if constexpr (requires { F::name(__VA_ARGS__, error); })                  \
    memory.store(F::name(__VA_ARGS__, error));                              \
  else if constexpr (requires { F::name(__VA_ARGS__); })                    \
    memory.store(F::name(__VA_ARGS__));                                     \
  else if constexpr (requires { F::template name<R>(__VA_ARGS__, error); }) \
    memory.store(F::template name<R>(__VA_ARGS__, error));                  \
  else                                                                      \
    memory.store(F::template name<R>(__VA_ARGS__))

/// A function with bodies of its own for decimals.
template <class F, class R, class... A>
concept Contextual = requires(A... a, DecimalContext context, uint64 error) {
  F::call_wide(a..., context, error);
}
|| requires(A... a, DecimalContext context) { F::call_wide(a..., context); }
|| requires(A... a, DecimalContext context, uint64 error) { F::template call_wide<R>(a..., context, error); }
|| requires(A... a, DecimalContext context) { F::template call_wide<R>(a..., context); };

/// A function that depends on the time zone.
template <class F, class R, class... A>
concept Zoned = requires(A... a, types::TimeZone zone, uint64 error) {
  F::call_zoned(a..., zone, error);
}
|| requires(A... a, types::TimeZone zone) { F::call_zoned(a..., zone); }
|| requires(A... a, types::TimeZone zone, uint64 error) { F::template call_zoned<R>(a..., zone, error); }
|| requires(A... a, types::TimeZone zone) { F::template call_zoned<R>(a..., zone); };

/// Calls the bodies that take values of types A: the one that sees nulls, else those that build a string, else the one
/// in a time zone, else those on decimals, else the plain one.
template <class F, class R, class... A>
__device__ void touch(const Memory& memory) {
  const auto context = memory.load<DecimalContext>();
  uint64 error = 0;
  if constexpr (requires { F::call_nullable(memory.load<Nullable<A>>()...); }) {
    memory.store(F::call_nullable(memory.load<Nullable<A>>()...));
  } else if constexpr (requires(char* out) { F::write(memory.load<A>()..., out); }) {
    if constexpr (requires { F::size(memory.load<A>()..., error); }) {
      memory.store(F::size(memory.load<A>()..., error));
    } else {
      memory.store(F::size(memory.load<A>()...));
    }
    F::write(memory.load<A>()..., memory.out);
  } else if constexpr (Zoned<F, R, A...>) {
    ACC_TOUCH_BODY(call_zoned, Narrow<R>, memory.load<A>()..., memory.load<types::TimeZone>());
  } else if constexpr ((is_int128<A> || ... || is_int128<R>)&&Contextual<F, R, A...>) {
    if constexpr (is_int128<R>) memory.store(F::range(memory.load<Range<A>>()..., context));
    ACC_TOUCH_BODY(call_wide, R, memory.load<A>()..., context);
    ACC_TOUCH_BODY(call_narrow, Narrow<R>, memory.load<Narrow<A>>()..., context);
  } else {
    ACC_TOUCH_BODY(call, R, memory.load<A>()...);
    ACC_TOUCH_BODY(call, Narrow<R>, memory.load<Narrow<A>>()...);
  }
  memory.store(error);
}

template <class F, class Result, class... Tags>
__device__ void touch_signature(const Memory& memory, functions::Signature<Result, Tags...>) {
  touch<F, typename Result::Physical, typename Tags::Physical...>(memory);
}

template <class F, class... Signatures>
__device__ void touch_all(const Memory& memory, functions::SignatureList<Signatures...>) {
  (touch_signature<F>(memory, Signatures{}), ...);
}

}  // namespace accelerant::device_test
