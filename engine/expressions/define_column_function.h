#pragma once

#include "expressions/column_function.h"
#include "expressions/function_call.h"
#include "expressions/kernel.h"
#include "expressions/registry.h"

// Makes the registry's entry from the header of a function over columns. Included by one generated source per function
// only.

namespace accelerant::expressions::definition {

template <class F>
const ColumnFunction& column_function_of() {
  static const auto* const kFunction = [] {
    auto* made = new ColumnFunction;
    for (const char* signature : F::kSignatures) made->signatures.emplace_back(signature);
    made->call = F::call;
    if constexpr (requires { F::kSeesNulls; }) made->sees_nulls = F::kSeesNulls;
    if constexpr (requires { F::kNumLambdas; }) made->num_lambdas = F::kNumLambdas;
    if constexpr (requires { F::supports({}, {}); }) made->supports = F::supports;
    if constexpr (requires { F::can_fail(true); }) made->can_fail = F::can_fail;
    return made;
  }();
  return *kFunction;
}

template <class F>
Function make_column_function() {
  Function made{&F::kDescription, {}, {}};
  if constexpr (requires { F::kExamples; }) made.examples = F::kExamples;
  made.columns = &column_function_of<F>();
  if constexpr (requires(FunctionCall & call) { F::bind(call); }) {
    made.bind = [](FunctionCall& call) -> Slot { return F::bind(call); };
  }
  return made;
}

}  // namespace accelerant::expressions::definition

/// Defines the registry's entry of a function over columns. `Struct` is its name in accelerant::column_functions.
#define ACC_DEFINE_COLUMN_FUNCTION(Struct)                                                                           \
  template <>                                                                                                        \
  const accelerant::expressions::Function&                                                                           \
  accelerant::expressions::function_of<accelerant::column_functions::Struct>() {                                     \
    static const auto* const kFunction = new Function(definition::make_column_function<column_functions::Struct>()); \
    return *kFunction;                                                                                               \
  }
