#pragma once

#include "expressions/function_bodies.h"
#include "expressions/kernel.h"
#include "expressions/operand_reader.h"
#include "expressions/string_results.h"
#include "functions/definition.h"

#include <algorithm>
#include <tuple>
#include <type_traits>
#include <utility>

// The loops around the bodies of functions. Instantiated per physical type; whether an operand is flat or constant is
// looked at once per call.

namespace accelerant::expressions::definition {

/// Says whether a function makes something of the arguments after the first that serves many rows.
template <class F, class First, class... Rest>
constexpr bool can_prepare(First, Rest... rest) {
  return requires { F::prepare(rest...); };
}

/// Refers to what was made once, as bodies take it, so that no row copies it.
template <class T>
struct Shared {
  const T* value;
  ACC_INLINE operator const T&() const { return *value; }  // NOLINT(google-explicit-constructor)
};

/// Reads a value made once for all rows.
template <class T>
struct SameForAll {
  explicit SameForAll(const T& made) : shared{&made} {}
  Shared<T> shared;
  ACC_INLINE Shared<T> operator[](int64_t) const { return shared; }
};

/// The loops of one body over physical argument types A and result type R.
template <class F, Body kBody, class R, class... A>
struct Loops {
  using E = ErrorBitsOf<R, A...>;
  static constexpr bool kCanFail = can_fail<F, kBody, R>(E{}, DecimalContext{}, A{}...);
  static constexpr bool kPrepares = (kBody == Body::Plain || kBody == Body::Zoned) && can_prepare<F>(A{}...);
  static constexpr bool kReadsStrings = (std::is_same_v<A, StringRef> || ...);
  using Given = decltype(invoke<F, kBody, R>(std::declval<const BodyContext&>(), std::declval<E&>(), A{}...));
  using Result = typename IsNullable<Given>::Value;
  static constexpr bool kGivesNullable = IsNullable<Given>::value;

  template <class... Readers>
  static uint64_t run(const KernelCall& call, Stored<R>* __restrict out, Readers... readers) {
    const BodyContext context = context_of(call);
    E error = 0;
    for (int64_t i = 0; i < call.num_rows; ++i) {
      if constexpr (kReadsStrings && kBody != Body::NullAware) {
        if (is_unseen(call, i)) {
          out[i] = Stored<R>{};
          if constexpr (kGivesNullable) call.result_valid[i] = 0;
          continue;
        }
      }
      const auto value = invoke<F, kBody, R>(context, error, readers[i]...);
      if constexpr (kGivesNullable) {
        out[i] = stored(call, value.value, i, readers...);
        call.result_valid[i] = value.valid;
      } else {
        out[i] = stored(call, value, i, readers...);
      }
    }
    return error;
  }

  static uint64_t compute(const KernelCall& call) {
    auto* out = static_cast<Stored<R>*>(call.result);
    if constexpr (kPrepares) {
      if (rest_is_constant(call)) {
        return with_prepared(call, std::index_sequence_for<A...>{},
                             [&](auto... readers) { return run(call, out, readers...); });
      }
    }
    if constexpr (sizeof...(A) == 1 && kBody != Body::NullAware) {
      return run(call, out, FlatReader<A>(call.operands[0])...);
    } else if constexpr (sizeof...(A) == 2 && kBody != Body::NullAware) {
      return compute_binary<A...>(call, out);
    } else {
      return with_any_readers(call, std::index_sequence_for<A...>{},
                              [&](auto... readers) { return run(call, out, readers...); });
    }
  }

  static bool rest_is_constant(const KernelCall& call) {
    for (size_t i = 1; i < sizeof...(A); ++i) {
      if (!call.operands[i].is_constant) return false;
    }
    return true;
  }

  /// Calls with readers of the first argument and of what is prepared of the others, which are constant.
  template <size_t kFirst, size_t... kRest>
  static auto with_prepared(const KernelCall& call, std::index_sequence<kFirst, kRest...>, auto&& function) {
    using Types = std::tuple<A...>;
    const auto prepared = F::prepare(ConstantReader<std::tuple_element_t<kRest, Types>>(call.operands[kRest]).value...);
    return function(FlatReader<std::tuple_element_t<0, Types>>(call.operands[0]), SameForAll(prepared));
  }

  template <class L, class Q>
  static uint64_t compute_binary(const KernelCall& call, Stored<R>* out) {
    const Operand& left = call.operands[0];
    const Operand& right = call.operands[1];
    if (left.is_constant) return run(call, out, ConstantReader<L>(left), FlatReader<Q>(right));
    if (right.is_constant) return run(call, out, FlatReader<L>(left), ConstantReader<Q>(right));
    return run(call, out, FlatReader<L>(left), FlatReader<Q>(right));
  }

  template <size_t... kIndex>
  static auto with_any_readers(const KernelCall& call, std::index_sequence<kIndex...>, auto&& function) {
    return function(AnyReader<A>(call.operands[kIndex])...);
  }

  template <class... Readers>
  static uint64_t find_codes(const KernelCall& call, Readers... readers) {
    const BodyContext context = context_of(call);
    for (int64_t i = 0; i < call.num_rows; ++i) {
      E error = 0;
      if (!kReadsStrings || !call.rows_seen || call.rows_seen[i]) {
        static_cast<void>(invoke<F, kBody, R>(context, error, readers[i]...));
      }
      call.codes[i] = static_cast<uint8_t>(error);
    }
    return 0;
  }

  static void codes(const KernelCall& call) {
    const auto find = [&](auto... readers) { return find_codes(call, readers...); };
    if constexpr (kPrepares) {
      if (rest_is_constant(call)) {
        with_prepared(call, std::index_sequence_for<A...>{}, find);
        return;
      }
    }
    with_any_readers(call, std::index_sequence_for<A...>{}, find);
  }

  static Kernel kernel() { return {&compute, nullptr, kCanFail ? &codes : nullptr}; }
};

}  // namespace accelerant::expressions::definition
