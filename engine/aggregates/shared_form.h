#pragma once

#include "aggregates/function.h"
#include "functions/aggregate/shared_state.h"
#include "types/integers.h"

#include <string>
#include <string_view>
#include <type_traits>

// Says in a generated source how the state of an aggregate function lies on a device.

namespace accelerant::aggregates::definition {

template <class T>
const char* type_name() {
  if constexpr (std::is_same_v<T, bool>) {
    return "bool";
  } else if constexpr (std::is_same_v<T, float>) {
    return "float";
  } else if constexpr (std::is_same_v<T, double>) {
    return "double";
  } else {
    constexpr const char* kNames[] = {"int8", "int16", "int32", "int64", "int128"};
    return kNames[sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : sizeof(T) == 8 ? 3 : 4];
  }
}

template <class T>
constexpr types::PhysicalType physical_of() {
  using types::PhysicalType;
  if constexpr (std::is_same_v<T, bool>) {
    return PhysicalType::Bool;
  } else if constexpr (std::is_same_v<T, float>) {
    return PhysicalType::Float32;
  } else if constexpr (std::is_same_v<T, double>) {
    return PhysicalType::Float64;
  } else {
    return sizeof(T) == 1   ? PhysicalType::Int8
           : sizeof(T) == 2 ? PhysicalType::Int16
           : sizeof(T) == 4 ? PhysicalType::Int32
           : sizeof(T) == 8 ? PhysicalType::Int64
                            : PhysicalType::Int128;
  }
}

/// @param place of the function: its header and the name of its struct
template <class S, class... A>
SharedForm shared_form(std::string_view header, const std::string& name) {
  SharedForm form;
  if constexpr (functions::Shareable<S>) {
    using Shared = functions::SharedState<S>;
    form.num_words = Shared::kNumWords;
    form.rows_word = Shared::kRowsWord;
    form.header = header;
    form.name = "functions::SharedState<functions::" + name + "::State";
    std::string types;
    ((types += (types.empty() ? "" : ", ") + std::string(type_name<typename A::Type>())), ...);
    form.name += types.empty() ? ">" : "<" + types + ">>";
    form.arguments = {physical_of<typename A::Type>()...};
  }
  return form;
}

}  // namespace accelerant::aggregates::definition
