#pragma once

#include "aggregates/grouped_rows.h"
#include "aggregates/text_columns.h"
#include "columns/column.h"
#include "functions/aggregate/state_columns.h"
#include "types/integers.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

// States of aggregates as columns, by the members that they list (functions/aggregate/state_columns.h).

namespace accelerant::aggregates {

namespace schema_detail {

/// Calls `visit.template operator()<V>(get)` for each column of a value, where `get(state)` is its part of a state.
template <class Value, class Get, class Visit>
void visit_columns(Get get, Visit& visit);

template <class Value, class... C, class Get, class Visit>
void visit_members(functions::StateColumns<C...>, Get get, Visit& visit) {
  (visit_columns<typename C::Value>(
       [get](auto& state) -> auto& { return get(state).*C::kMember; }, visit),
   ...);
}

template <class Value, class Get, class Visit>
void visit_columns(Get get, Visit& visit) {
  if constexpr (requires { typename Value::Columns; }) {
    visit_members<Value>(typename Value::Columns{}, get, visit);
  } else {
    visit.template operator()<Value>(get);
  }
}

/// Returns the type of a column of values.
template <class Value>
types::DataType type_of() {
  using types::TypeId;
  if constexpr (std::is_same_v<Value, bool>) {
    return types::DataType(TypeId::Boolean);
  } else if constexpr (std::is_same_v<Value, float>) {
    return types::DataType(TypeId::Float);
  } else if constexpr (std::is_same_v<Value, double>) {
    return types::DataType(TypeId::Double);
  } else if constexpr (std::is_same_v<Value, functions::HeldText>) {
    return types::DataType(TypeId::Binary);
  } else if constexpr (sizeof(Value) == sizeof(int128)) {
    return types::DataType::decimal(types::kMaxDecimalPrecision, 0);
  } else {
    static_assert(std::is_integral_v<Value>);
    constexpr TypeId kIds[] = {TypeId::Byte, TypeId::Short, TypeId::Int, TypeId::Long};
    return types::DataType(kIds[sizeof(Value) == 8 ? 3 : sizeof(Value) / 2]);
  }
}

}  // namespace schema_detail

/// Returns the types of a state's columns.
template <class S>
std::vector<types::DataType> state_types() {
  std::vector<types::DataType> types;
  auto add = [&]<class Value>(auto) {
    using Element = std::remove_all_extents_t<Value>;
    for (size_t i = 0; i < sizeof(Value) / sizeof(Element); ++i) types.push_back(schema_detail::type_of<Element>());
  };
  schema_detail::visit_columns<S>(
      [](auto& state) -> auto& { return state; }, add);
  return types;
}

/// Makes columns of states.
template <class S>
class StateWriter {
 public:
  StateWriter(std::span<const S> states, const std::shared_ptr<memory::Budget>& budget)
      : states_(states), budget_(budget) {}

  std::vector<columns::ColumnPtr> columns() {
    auto write = [this]<class Value>(auto get) {
      if constexpr (std::is_array_v<Value>) {
        for (size_t i = 0; i < std::extent_v<Value>; ++i) {
          add<std::remove_extent_t<Value>>([get, i](const S& state) { return get(state)[i]; });
        }
      } else {
        add<Value>(get);
      }
    };
    schema_detail::visit_columns<S>(
        [](auto& state) -> auto& { return state; }, write);
    return std::move(columns_);
  }

 private:
  template <class Value, class Get>
  void add(Get get) {
    const auto length = static_cast<int64_t>(states_.size());
    const types::DataType type = schema_detail::type_of<Value>();
    columns::FlatBuilder builder(type, type.physical(), length, budget_);
    if constexpr (std::is_same_v<Value, functions::HeldText>) {
      put_texts(builder, length, budget_, [&](int64_t i) { return get(states_[static_cast<size_t>(i)]).view(); });
    } else {
      auto* values = builder.values<Value>();
      for (const S& state : states_) *values++ = get(state);
    }
    columns_.push_back(builder.finish());
  }

  const std::span<const S> states_;
  const std::shared_ptr<memory::Budget>& budget_;
  std::vector<columns::ColumnPtr> columns_;
};

/// Makes states of flat columns. Texts of the states are the columns' own.
/// @param columns at least those of the state
template <class S>
std::vector<S> read_states(Arguments columns) {
  std::vector<S> states(static_cast<size_t>(columns.front()->length()), S::init());
  size_t next = 0;
  const auto read_into = [&]<class Value>(auto set) {
    const columns::Column& column = *columns[next++];
    for (size_t i = 0; i < states.size(); ++i) {
      if constexpr (std::is_same_v<Value, functions::HeldText>) {
        const types::StringRef text = column.string_at(static_cast<int64_t>(i));
        set(states[i]) = {const_cast<char*>(text.data), text.length, 0};
      } else {
        set(states[i]) = column.values<Value>()[i];
      }
    }
  };
  auto read = [&]<class Value>(auto get) {
    if constexpr (std::is_array_v<Value>) {
      for (size_t i = 0; i < std::extent_v<Value>; ++i) {
        read_into.template operator()<std::remove_extent_t<Value>>(
            [ get, i ](S & state) -> auto& { return get(state)[i]; });
      }
    } else {
      read_into.template operator()<Value>(get);
    }
  };
  schema_detail::visit_columns<S>(
      [](auto& state) -> auto& { return state; }, read);
  return states;
}

}  // namespace accelerant::aggregates
