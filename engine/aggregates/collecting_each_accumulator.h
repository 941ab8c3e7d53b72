#pragma once

#include "aggregates/collecting_accumulator.h"
#include "memory/buffer.h"

#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

namespace accelerant::aggregates {

/// Lets F make a list of a group's values of the first argument, A: a result of type Element for each number in the
/// last argument, which is a constant array. Of no values or no numbers the result is null.
template <class F, class Element, class A>
class CollectingEachAccumulator final : public ReadingAccumulator<A> {
 public:
  using ReadingAccumulator<A>::ReadingAccumulator;

  columns::ColumnPtr finish(int64_t first, int64_t length, std::vector<columns::RowError>& errors) const override {
    const std::vector<types::Nullable<double>> numbers = constant_numbers();
    auto offsets = memory::Buffer::allocate((length + 1) * static_cast<int64_t>(sizeof(int32_t)), budget_);
    auto validity = memory::Buffer::allocate(bits::bytes_for(length), budget_);
    std::memset(validity->mutable_data(), 0xff, static_cast<size_t>(bits::bytes_for(length)));
    int32_t end = 0;
    offsets->template mutable_as<int32_t>()[0] = 0;
    for (int64_t i = 0; i < length; ++i) {
      const bool any = this->num_values(first + i) > 0 && !numbers.empty();
      if (!any) bits::clear(validity->mutable_data(), i);
      end += any ? static_cast<int32_t>(numbers.size()) : 0;
      offsets->template mutable_as<int32_t>()[i + 1] = end;
    }
    columns::FlatParts parts{call_.result_type,  types::PhysicalType::Array, length, 0,
                             std::move(offsets), std::move(validity),        {},     {}};
    parts.children.push_back(elements(first, length, end, numbers, errors));
    return columns::Column::flat(std::move(parts));
  }

 private:
  using Base = ReadingAccumulator<A>;
  using Base::budget_;
  using Base::call_;

  columns::ColumnPtr elements(int64_t first, int64_t length, int64_t count,
                              const std::vector<types::Nullable<double>>& numbers,
                              std::vector<columns::RowError>& errors) const {
    const types::DataType& type = call_.result_type.fields().front().type;
    ResultColumn<F, Element> results(call_, type, this->plan_node_, count, budget_, errors);
    memory::Array<typename Base::T> values(budget_);
    this->make_room(first, length, values);
    for (int64_t group = first; group < first + length; ++group) {
      if (this->num_values(group) == 0) continue;
      this->read(group, values);
      const functions::List<typename Base::T> list{values.data(), static_cast<int64>(values.size())};
      for (const types::Nullable<double>& number : numbers) results.add(list, number);
    }
    return results.done();
  }

  /// Returns the elements of the array; none as long as no row counted.
  std::vector<types::Nullable<double>> constant_numbers() const {
    std::vector<types::Nullable<double>> numbers;
    if (this->constants().empty() || this->constants().back()->is_null(0)) return numbers;
    const columns::Column& array = *this->constants().back();
    const columns::Column& elements = *array.children()[0];
    const auto* offsets = array.values<int32_t>();
    for (int32_t i = offsets[0]; i < offsets[1]; ++i) {
      numbers.push_back({elements.values<double>()[i], !elements.is_null(i)});
    }
    return numbers;
  }
};

}  // namespace accelerant::aggregates
