#pragma once

#include "expressions/kernel.h"
#include "expressions/operand_reader.h"
#include "expressions/registry.h"
#include "functions/definition.h"

#include <algorithm>
#include <type_traits>

// Makes kernels and the registry's entry from the header of a function. Included by one generated source per function
// only. Every loop is instantiated per physical type; whether an operand is flat or constant is looked at once per
// call.

namespace accelerant::expressions::definition {

using types::DecimalContext;
using types::Nullable;
using types::StringRef;

/// Which of a function's bodies a loop runs.
enum class Body { Plain, NullAware, Narrow, Wide };

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
ACC_INLINE auto invoke(const DecimalContext& context, E& error, A... arguments) {
  if constexpr (kBody == Body::Plain) {
    ACC_CALL_BODY(call, R, arguments...);
  } else if constexpr (kBody == Body::NullAware) {
    ACC_CALL_BODY(call_nullable, R, arguments...);
  } else if constexpr (kBody == Body::Narrow) {
    ACC_CALL_BODY(call_narrow, R, arguments..., context);
  } else {
    ACC_CALL_BODY(call_wide, R, arguments..., context);
  }
}

template <class F, Body kBody, class R, class E, class... A>
constexpr bool can_fail(E error, DecimalContext context, A... arguments) {
  if constexpr (kBody == Body::Plain) {
    return requires { F::call(arguments..., error); }
    || requires { F::template call<R>(arguments..., error); };
  } else if constexpr (kBody == Body::NullAware) {
    return requires { F::call_nullable(arguments..., error); };
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

/// The loops of one body over physical argument types A and result type R.
template <class F, Body kBody, class R, class... A>
struct Loops {
  using E = ErrorBitsOf<R, A...>;
  static constexpr bool kCanFail = can_fail<F, kBody, R>(E{}, DecimalContext{}, A{}...);
  static constexpr bool kReadsStrings = (std::is_same_v<A, StringRef> || ...);

  template <class... Readers>
  static uint64_t run(const KernelCall& call, R* __restrict out, Readers... readers) {
    const DecimalContext context = call.decimal ? *call.decimal : DecimalContext{};
    E error = 0;
    for (int64_t i = 0; i < call.num_rows; ++i) {
      if constexpr (kReadsStrings && kBody == Body::Plain) {
        if (call.rows_valid && !call.rows_valid[i]) {
          out[i] = R{};
          continue;
        }
      }
      const auto value = invoke<F, kBody, R>(context, error, readers[i]...);
      if constexpr (IsNullable<std::remove_cv_t<decltype(value)>>::value) {
        out[i] = value.value;
        call.result_valid[i] = value.valid;
      } else {
        out[i] = value;
      }
    }
    return error;
  }

  static uint64_t compute(const KernelCall& call) {
    R* out = static_cast<R*>(call.result);
    if constexpr (sizeof...(A) == 1 && kBody != Body::NullAware) {
      return run(call, out, FlatReader<A>(call.operands[0])...);
    } else if constexpr (sizeof...(A) == 2 && kBody != Body::NullAware) {
      return compute_binary<A...>(call, out);
    } else {
      return with_any_readers(call, std::index_sequence_for<A...>{},
                              [&](auto... readers) { return run(call, out, readers...); });
    }
  }

  template <class L, class Q>
  static uint64_t compute_binary(const KernelCall& call, R* out) {
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

  static void codes(const KernelCall& call) {
    const DecimalContext context = call.decimal ? *call.decimal : DecimalContext{};
    with_any_readers(call, std::index_sequence_for<A...>{}, [&](auto... readers) {
      for (int64_t i = 0; i < call.num_rows; ++i) {
        E error = 0;
        if (!kReadsStrings || !call.rows_valid || call.rows_valid[i]) {
          static_cast<void>(invoke<F, kBody, R>(context, error, readers[i]...));
        }
        call.codes[i] = static_cast<uint8_t>(error);
      }
      return 0;
    });
  }

  static Kernel kernel() { return {&compute, kCanFail ? &codes : nullptr}; }
};

/// The C++ type of a tag when decimals are `Decimal`.
template <class Tag, class Decimal>
using PhysicalOf = std::conditional_t<std::is_same_v<Tag, types::DecimalType>, Decimal, typename Tag::Physical>;

template <class F, class R, class... A>
concept NullAware = requires(Nullable<A>... arguments) {
  F::call_nullable(arguments...);
};

template <class F, class R, class... A>
concept Contextual = requires(A... arguments, DecimalContext context, uint64_t error) {
  F::call_wide(arguments..., context, error);
}
|| requires(A... arguments, DecimalContext context) { F::call_wide(arguments..., context); }
|| requires(A... arguments, DecimalContext context, uint64_t error) {
  F::template call_wide<R>(arguments..., context, error);
}
|| requires(A... arguments, DecimalContext context) { F::template call_wide<R>(arguments..., context); };

template <class F, size_t... kIndex>
types::DecimalRange call_range(const types::DecimalRange* arguments, const DecimalContext& context,
                               std::index_sequence<kIndex...>) {
  return F::range(arguments[kIndex]..., context);
}

template <class F, class Result, class... Tags>
Overload make_overload(functions::Signature<Result, Tags...>) {
  using R = typename Result::Physical;
  Overload overload;
  overload.arguments = {static_cast<types::TypeId>(Tags::kId)...};
  overload.result = static_cast<types::TypeId>(Result::kId);
  overload.reads_values = !(std::is_same_v<Tags, types::AnyType> && ...);
  constexpr bool kHasDecimal =
      ((Tags::kId == types::DecimalType::kId) || ...) || Result::kId == types::DecimalType::kId;
  overload.has_decimal = kHasDecimal;
  if constexpr (requires(DecimalContext context) { F::supports(Result::kId, context, true); }) {
    overload.supports = [](const DecimalContext& context, bool ansi) {
      return F::supports(Result::kId, context, ansi);
    };
  }
  if constexpr (NullAware<F, R, typename Tags::Physical...>) {
    overload.sees_nulls = true;
    overload.gives_nullable = IsNullable<decltype(F::call_nullable(Nullable<typename Tags::Physical>{}...))>::value;
    overload.kernel =
        Loops<F, Body::NullAware, PhysicalOf<Result, int64>, Nullable<PhysicalOf<Tags, int64>>...>::kernel();
    if constexpr (kHasDecimal) {
      overload.wide =
          Loops<F, Body::NullAware, PhysicalOf<Result, int128>, Nullable<PhysicalOf<Tags, int128>>...>::kernel();
    }
  } else if constexpr (kHasDecimal && Contextual<F, R, typename Tags::Physical...>) {
    overload.uses_context = true;
    overload.kernel = Loops<F, Body::Narrow, PhysicalOf<Result, int64>, PhysicalOf<Tags, int64>...>::kernel();
    overload.wide = Loops<F, Body::Wide, PhysicalOf<Result, int128>, PhysicalOf<Tags, int128>...>::kernel();
    if constexpr (Result::kId == types::DecimalType::kId) {
      overload.range = [](const types::DecimalRange* arguments, const DecimalContext& context) {
        return call_range<F>(arguments, context, std::make_index_sequence<sizeof...(Tags)>{});
      };
    }
  } else {
    overload.kernel = Loops<F, Body::Plain, PhysicalOf<Result, int64>, PhysicalOf<Tags, int64>...>::kernel();
    if constexpr (kHasDecimal) {
      overload.wide = Loops<F, Body::Plain, PhysicalOf<Result, int128>, PhysicalOf<Tags, int128>...>::kernel();
    }
  }
  return overload;
}

template <class F, class... Signatures>
std::vector<Overload> make_overloads(functions::SignatureList<Signatures...>) {
  return {make_overload<F>(Signatures{})...};
}

template <class F>
Function make_function() {
  return {&F::kDescription, F::kExamples, make_overloads<F>(typename F::Signatures{})};
}

}  // namespace accelerant::expressions::definition

/// Defines the registry's entry of a function. `Struct` is its name in accelerant::functions.
#define ACC_DEFINE_FUNCTION(Struct)                                                                                \
  template <>                                                                                                      \
  const accelerant::expressions::Function& accelerant::expressions::function_of<accelerant::functions::Struct>() { \
    static const Function kFunction = definition::make_function<functions::Struct>();                              \
    return kFunction;                                                                                              \
  }
