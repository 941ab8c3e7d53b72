#pragma once

#include "aggregates/choosing_accumulator.h"
#include "aggregates/collecting_accumulator.h"
#include "aggregates/collecting_each_accumulator.h"
#include "aggregates/few_rows_accumulator.h"
#include "aggregates/in_order_accumulator.h"
#include "aggregates/list_accumulator.h"
#include "aggregates/nested_extreme_accumulator.h"
#include "aggregates/placing_accumulator.h"
#include "aggregates/registry.h"
#include "aggregates/shared_form.h"
#include "aggregates/sorted_positions.h"
#include "aggregates/state_accumulator.h"

#include <memory>
#include <string>
#include <type_traits>
#include <vector>

// Makes the registry's entry from the header of an aggregate function. Included by one generated source per function
// only.

namespace accelerant::aggregates::definition {

using expressions::definition::PhysicalOf;

/// The state of a function over arguments of some physical types. An alias template takes no pack.
template <class F, class... T>
struct StateOf {
  using Type = typename F::State;
};
template <class F, class A>
struct StateOf<F, A> {
  using Type = typename F::template State<A>;
};
template <class F, class A, class B>
struct StateOf<F, A, B> {
  using Type = typename F::template State<A, B>;
};

/// Likewise the state of rows in order; void: the order does not show.
template <class F, class... T>
struct InOrderStateOf {
  using Type = void;
};
template <class F, class A>
requires requires { typename F::template InOrder<A>; }
struct InOrderStateOf<F, A> {
  using Type = typename F::template InOrder<A>;
};
template <class F, class A, class B>
requires requires { typename F::template InOrder<A, B>; }
struct InOrderStateOf<F, A, B> {
  using Type = typename F::template InOrder<A, B>;
};

template <class F>
concept Collects = F::kCollects;
template <class F>
concept Places = F::kPlaces;
template <class S>
concept Chooses = S::kChooses;
template <class S>
concept ChoosesByNested = S::kIsNested;
/// Says whether the result of a function that collects is its list.
template <class Result>
inline constexpr bool kIsList = std::is_same_v<Result, types::ArrayType>;

/// Says whether it is a list of results, one for each element of the last argument.
template <class Result>
inline constexpr bool kIsEach = false;
template <class Element>
inline constexpr bool kIsEach<functions::EachOf<Element>> = true;

template <class Made>
std::unique_ptr<Accumulator> make(const Call& call, const execution::OperatorContext& ctx) {
  return std::make_unique<Made>(call, ctx);
}

template <class F, class S, class Result, class... A>
std::unique_ptr<FrameAccumulator> make_in_order(const Call& call, const execution::OperatorContext& ctx) {
  return std::make_unique<InOrderAccumulator<F, S, Result, A...>>(call, ctx);
}

template <class OfFew, class OfMany>
std::unique_ptr<Accumulator> make_of_few(const Call& call, const execution::OperatorContext& ctx) {
  return std::make_unique<OfFew>(call, ctx, std::make_unique<OfMany>(call, ctx));
}

template <ChoosesByNested S>
std::unique_ptr<Accumulator> make_nested(const Call& call, const execution::OperatorContext& ctx) {
  return std::make_unique<NestedExtremeAccumulator>(call, ctx, S::kIsGreatest);
}

/// A state's columns, and the chosen value.
template <class S>
std::vector<types::DataType> types_of_choice(const Call& call) {
  std::vector<types::DataType> types = state_types<S>();
  types.push_back(call.result_type);
  return types;
}

/// What is made of a function whose arguments are A.
template <class F, class Result, class... A>
struct VariantOf {
  static Variant of(std::string_view header, const std::string& name) {
    using S = typename StateOf<F, typename A::Type...>::Type;
    using InOrder = typename InOrderStateOf<F, typename A::Type...>::Type;
    Variant variant{make<StateAccumulator<F, S, Result, A...>>, [](const Call&) { return state_types<S>(); },
                    shared_form<S, A...>(header, name)};
    // Decimals and intervals, which lie in memory as integers do, are added up exactly.
    if constexpr (!std::is_void_v<InOrder> && std::is_same_v<Result, types::DoubleType>) {
      // Sums of integers are exact, so that rows can leave a frame.
      if constexpr ((std::is_floating_point_v<typename A::Type> && ...)) {
        variant.make_in_order = make_in_order<F, InOrder, Result, A...>;
      }
      variant.make_of_few =
          make_of_few<FewRowsAccumulator<F, InOrder, Result, A...>, StateAccumulator<F, S, Result, A...>>;
    }
    return variant;
  }
};
/// What is made of a function that chooses or collects values of its first argument.
template <class F, class Result, class First, class... Rest>
requires(
    Collects<F> || Places<F> ||
    Chooses<typename StateOf<F, typename First::Type, typename Rest::Type...>::Type>) struct VariantOf<F, Result, First,
                                                                                                       Rest...> {
  static Variant of(std::string_view, const std::string&) {
    if constexpr (Places<F>) {
      return {make<PlacingAccumulator>, placed_state_types, {}};
    } else if constexpr (!Collects<F>) {
      using S = typename StateOf<F, typename First::Type, typename Rest::Type...>::Type;
      if constexpr (ChoosesByNested<S>) {
        return {make_nested<S>, nested_extreme_state_types, {}};
      } else {
        return {make<ChoosingAccumulator<S, Rest...>>, types_of_choice<S>, {}};
      }
    } else if constexpr (kIsList<Result>) {
      return {make<ListAccumulator>, list_state_types, {}};
    } else if constexpr (kIsEach<Result>) {
      return {make<CollectingEachAccumulator<F, typename Result::Result, First>>, list_state_types, {}};
    } else {
      // What is none of a function's types holds texts and their order.
      using Read = std::conditional_t<std::is_empty_v<typename First::Type>, OrderedText, First>;
      return {make<CollectingAccumulator<F, Result, Read, Rest...>>, list_state_types, {}};
    }
  }
};

template <class F, class Result, class... Tags>
Overload make_overload(functions::Signature<Result, Tags...>, std::string_view header, const std::string& name) {
  using types::TypeId;
  Overload overload;
  overload.arguments = {static_cast<TypeId>(Tags::kId)...};
  overload.result = static_cast<TypeId>(Result::kId);
  constexpr bool kSupports = requires(types::DecimalContext context) { F::supports(context); };
  constexpr bool kIsParameterised = Result::kId == types::DecimalType::kId ||
                                    Result::kId == types::DayTimeIntervalType::kId ||
                                    Result::kId == types::YearMonthIntervalType::kId;
  if constexpr (kIsList<Result>) {
    overload.rule = ResultRule::ListOfFirstArgument;
  } else if constexpr (kIsEach<Result>) {
    overload.rule = ResultRule::ListOfItself;
    overload.result = static_cast<TypeId>(Result::Result::kId);
  } else if constexpr (Result::kId == types::AnyType::kId || (kIsParameterised && !kSupports)) {
    overload.rule = ResultRule::FirstArgument;
  }
  constexpr bool kHasDecimal = expressions::definition::kHasDecimal<Result, Tags...>;
  if constexpr (kSupports && kHasDecimal) overload.supports = F::supports;
  if constexpr (requires(types::DecimalContext context) { F::can_fail(uint8{0}, context); }) {
    overload.can_fail = F::can_fail;
  }
  overload.collects = Collects<F>;
  overload.narrow = VariantOf<F, Result, Argument<Tags, PhysicalOf<Tags, int64>>...>::of(header, name);
  if constexpr (((Tags::kId == types::DecimalType::kId) || ...)) {
    overload.wide = VariantOf<F, Result, Argument<Tags, PhysicalOf<Tags, int128>>...>::of(header, name);
  }
  return overload;
}

template <class F, class... Signatures>
Function make_function(functions::SignatureList<Signatures...>, std::string_view header, const std::string& name) {
  Function function{&F::kDescription, F::kExamples, {}, {}};
  if constexpr (requires { F::kFlags; }) function.flags = F::kFlags;
  (function.overloads.push_back(make_overload<F>(Signatures{}, header, name)), ...);
  return function;
}

}  // namespace accelerant::aggregates::definition

/// Defines the registry's entry of an aggregate function. `Struct` is its name in accelerant::functions.
#define ACC_DEFINE_AGGREGATE(header, Struct)                                                                          \
  template <>                                                                                                         \
  const accelerant::aggregates::Function& accelerant::aggregates::function_of<accelerant::functions::Struct>() {      \
    static const auto* const kFunction =                                                                              \
        new Function(definition::make_function<functions::Struct>(functions::Struct::Signatures{}, header, #Struct)); \
    return *kFunction;                                                                                                \
  }
