#pragma once

#include "column_functions/definition.h"
#include "column_functions/spread_elements.h"

#include <utility>
#include <vector>

namespace accelerant::column_functions {

/// Binds a call whose fields are a collection, `argument`, and what a lambda does with its elements, `function`.
template <class Call>
auto bind_lambda(Call& call) {
  const auto collection = call.argument("argument");
  const auto lambda = call.lambda("function");
  call.finish();
  return call.call_with({collection}, {lambda});
}

/// Binds a call whose fields are two collections and what a lambda does with the elements of both.
template <class Call>
auto bind_lambda_of_two(Call& call) {
  const auto left = call.argument("left");
  const auto right = call.argument("right");
  const auto lambda = call.lambda("function");
  call.finish();
  return call.call_with({left, right}, {lambda});
}

/// Runs the lambda of a call over an array's elements, and their positions where it takes them.
inline columns::ColumnPtr run_on_elements(ColumnCall& call, const SpreadElements& elements, columns::ColumnPtr values) {
  std::vector<columns::ColumnPtr> arguments{std::move(values)};
  if (call.lambda(0).lambda->num_arguments() > 1) arguments.push_back(elements.positions());
  return elements.run(call, call.lambda(0), std::move(arguments));
}

}  // namespace accelerant::column_functions
