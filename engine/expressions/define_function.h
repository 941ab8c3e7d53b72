#pragma once

#include "expressions/function_call.h"
#include "expressions/function_loops.h"
#include "expressions/kernel.h"
#include "expressions/registry.h"
#include "functions/definition.h"

#include <type_traits>
#include <utility>
#include <vector>

// Makes the registry's entry from the header of a function. Included by one generated source per function only.

namespace accelerant::expressions::definition {

template <class F, size_t... kIndex>
types::DecimalRange call_range(const types::DecimalRange* arguments, const DecimalContext& context,
                               std::index_sequence<kIndex...>) {
  return F::range(arguments[kIndex]..., context);
}

/// Takes over how a body gives strings.
template <class L>
Kernel kernel_of(Overload& overload) {
  overload.gives_slices = std::is_same_v<typename L::Result, StringRef>;
  overload.max_text_bytes = kTextBytes<typename L::Result>;
  return L::kernel();
}

template <class T>
using Same = T;

/// Sets the loops of a body that sees each argument as `Seen<its C++ type>`.
template <class F, Body kBody, class Result, bool kDecimals, template <class> class Seen, class... Tags>
void set_kernels(Overload& overload) {
  using Narrow = Loops<F, kBody, PhysicalOf<Result, int64>, Seen<PhysicalOf<Tags, int64>>...>;
  overload.kernel = kernel_of<Narrow>(overload);
  overload.gives_nullable = Narrow::kGivesNullable;
  if constexpr (kDecimals) {
    overload.wide = kernel_of<Loops<F, kBody, PhysicalOf<Result, int128>, Seen<PhysicalOf<Tags, int128>>...>>(overload);
  }
}

template <class F, class Result, class... Tags>
Overload make_overload(functions::Signature<Result, Tags...>) {
  using R = typename Result::Physical;
  Overload overload;
  overload.arguments = {static_cast<types::TypeId>(Tags::kId)...};
  overload.result = static_cast<types::TypeId>(Result::kId);
  overload.reads_values = !(std::is_same_v<Tags, types::AnyType> && ...);
  constexpr bool kDecimals = kHasDecimal<Result, Tags...>;
  overload.has_decimal = kDecimals;
  if constexpr (requires(DecimalContext context) { F::supports(Result::kId, context, true); }) {
    overload.supports = [](const DecimalContext& context, bool ansi) {
      return F::supports(Result::kId, context, ansi);
    };
  }
  if constexpr (NullAware<F, R, typename Tags::Physical...>) {
    overload.sees_nulls = true;
    set_kernels<F, Body::NullAware, Result, kDecimals, Nullable, Tags...>(overload);
  } else if constexpr (Zoned<F, R, typename Tags::Physical...>) {
    overload.uses_zone = true;
    set_kernels<F, Body::Zoned, Result, kDecimals, Same, Tags...>(overload);
  } else if constexpr (BuildsStrings<F, typename Tags::Physical...>) {
    overload.kernel = BuildingLoops<F, typename Tags::Physical...>::kernel();
  } else if constexpr (kDecimals && Contextual<F, R, typename Tags::Physical...>) {
    overload.uses_context = true;
    overload.kernel =
        kernel_of<Loops<F, Body::Narrow, PhysicalOf<Result, int64>, PhysicalOf<Tags, int64>...>>(overload);
    overload.wide = kernel_of<Loops<F, Body::Wide, PhysicalOf<Result, int128>, PhysicalOf<Tags, int128>...>>(overload);
    if constexpr (Result::kId == types::DecimalType::kId) {
      overload.range = [](const types::DecimalRange* arguments, const DecimalContext& context) {
        return call_range<F>(arguments, context, std::make_index_sequence<sizeof...(Tags)>{});
      };
    }
  } else {
    set_kernels<F, Body::Plain, Result, kDecimals, Same, Tags...>(overload);
  }
  return overload;
}

template <class F, class... Signatures>
std::vector<Overload> make_overloads(functions::SignatureList<Signatures...>) {
  return {make_overload<F>(Signatures{})...};
}

template <class F>
Function make_function() {
  Function made{&F::kDescription, F::kExamples, make_overloads<F>(typename F::Signatures{})};
  if constexpr (requires(FunctionCall & call) { F::bind(call); }) {
    made.bind = [](FunctionCall& call) -> Slot { return F::bind(call); };
  }
  return made;
}

}  // namespace accelerant::expressions::definition

/// Defines the registry's entry of a function. `Struct` is its name in accelerant::functions.
#define ACC_DEFINE_FUNCTION(Struct)                                                                                \
  template <>                                                                                                      \
  const accelerant::expressions::Function& accelerant::expressions::function_of<accelerant::functions::Struct>() { \
    static const auto* const kFunction = new Function(definition::make_function<functions::Struct>());             \
    return *kFunction;                                                                                             \
  }
