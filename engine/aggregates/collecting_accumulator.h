#pragma once

#include "aggregates/argument_readers.h"
#include "aggregates/list_accumulator.h"
#include "aggregates/result_column.h"
#include "aggregates/sorted_positions.h"
#include "aggregates/text_store.h"
#include "memory/array.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <type_traits>
#include <utility>
#include <vector>

namespace accelerant::aggregates {

/// Collects a group's values of the first argument, A, and reads them: OrderedText as the texts in their order.
template <class A>
class ReadingAccumulator : public ListAccumulator {
 public:
  using ListAccumulator::ListAccumulator;

 protected:
  /// A vector of bool has no array.
  using T = std::conditional_t<std::is_same_v<typename A::Type, bool>, uint8, typename A::Type>;

  /// Makes room for the values of the largest group.
  void make_room(int64_t first, int64_t length, memory::Array<T>& values_of_group) const {
    int64_t most = 0;
    for (int64_t group = first; values() && group < first + length; ++group) {
      most = std::max<int64_t>(most, std::ssize(positions_of(group)));
    }
    values_of_group.reserve(most);
  }

  int64_t num_values(int64_t group) const { return values() ? static_cast<int64_t>(positions_of(group).size()) : 0; }

  void read(int64_t group, memory::Array<T>& values_of_group) const {
    values_of_group.clear();
    if (!values()) return;
    if constexpr (std::is_same_v<A, OrderedText>) {
      const columns::Column& texts = *values()->children().front();
      for (const int32_t position : sorted_positions(*values(), positions_of(group), call_.orders)) {
        values_of_group.push_back(texts.string_at(values()->offset() + position));
      }
    } else {
      with_reader<A>(*values(), [&](auto read) {
        for (const int32_t position : positions_of(group)) values_of_group.push_back(read(position));
      });
    }
  }
};

/// Lets F make a group's result of its values of the first argument, A, and of constants C.
template <class F, class Result, class A, class... C>
class CollectingAccumulator final : public ReadingAccumulator<A> {
 public:
  using ReadingAccumulator<A>::ReadingAccumulator;

  columns::ColumnPtr finish(int64_t first, int64_t length, std::vector<columns::RowError>& errors) const override {
    return finish(first, length, errors, std::index_sequence_for<C...>{});
  }

 private:
  using Base = ReadingAccumulator<A>;
  using T = typename Base::T;
  using Base::budget_;
  using Base::call_;
  using Base::constants;
  using Base::plan_node_;

  /// A text that is built of a list.
  struct BuiltText {
    functions::HeldText text;
    bool valid;
  };
  /// Stands for F where it builds texts.
  struct Built {
    static types::Nullable<types::StringRef> finish(const BuiltText& built, const functions::AggregateContext&) {
      return {built.text.view(), built.valid};
    }
  };
  static constexpr bool kBuilds = requires { &F::size; };

  template <size_t... kIndex>
  columns::ColumnPtr finish(int64_t first, int64_t length, std::vector<columns::RowError>& errors,
                            std::index_sequence<kIndex...>) const {
    ResultColumn<std::conditional_t<kBuilds, Built, F>, Result> results(call_, plan_node_, length, budget_, errors);
    TextStore store(budget_);
    memory::Array<T> values(budget_);
    this->make_room(first, length, values);
    for (int64_t group = first; group < first + length; ++group) {
      this->read(group, values);
      const functions::List<T> list{values.data(), static_cast<int64>(values.size())};
      if constexpr (kBuilds) {
        BuiltText built{functions::HeldText::init(), false};
        const int64_t bytes = F::size(list, constant<C>(kIndex)..., call_.context());
        if (bytes >= 0) {
          built.valid = true;
          store.reserve(built.text, bytes);
          F::write(list, constant<C>(kIndex)..., built.text.data);
        }
        results.add(built);
      } else {
        results.add(list, constant<C>(kIndex)...);
      }
    }
    return results.done();
  }

  /// Returns a constant; null as long as no row counted.
  template <class Constant>
  auto constant(size_t index) const {
    if constexpr (std::is_empty_v<typename Constant::Type>) {
      return types::Nullable<types::StringRef>{{"", 0}, false};  // of NullType
    } else {
      types::Nullable<typename Constant::Type> constant{};
      if (constants().empty() || constants()[index]->is_null(0)) return constant;
      with_reader<Constant>(*constants()[index], [&](auto read) { constant = {read(0), true}; });
      return constant;
    }
  }
};

}  // namespace accelerant::aggregates
