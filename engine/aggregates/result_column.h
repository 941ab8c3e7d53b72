#pragma once

#include "aggregates/function.h"
#include "aggregates/text_columns.h"
#include "columns/column.h"
#include "expressions/function_body.h"

#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

namespace accelerant::aggregates {

/// The results of `finish` for some groups, as a column; and their errors.
template <class F, class Result>
class ResultColumn {
 public:
  using R = expressions::definition::PhysicalOf<Result, int128>;

  ResultColumn(const Call& call, int plan_node, int64_t length, const std::shared_ptr<memory::Budget>& budget,
               std::vector<columns::RowError>& errors)
      : ResultColumn(call, call.result_type, plan_node, length, budget, errors) {}

  /// @param type of the column, where the call gives lists of it
  ResultColumn(const Call& call, const types::DataType& type, int plan_node, int64_t length,
               const std::shared_ptr<memory::Budget>& budget, std::vector<columns::RowError>& errors)
      : call_(call),
        context_(call.context()),
        plan_node_(plan_node),
        budget_(budget),
        errors_(errors),
        is_narrow_(type.physical() == types::PhysicalType::Int64),
        builder_(type, type.physical(), length, budget) {
    if constexpr (kIsText) texts_.reserve(static_cast<size_t>(length));
  }

  /// Adds the result of the next group, which F makes of some parts: its state, or its list and constants.
  template <class... Parts>
  void add(const Parts&... parts) {
    uint8 error = 0;
    auto result = finish(error, parts...);
    if (error != 0 && call_.mode == expressions::EvalMode::Ansi) {
      errors_.push_back({static_cast<int32_t>(next_), error, plan_node_, call_.expression, nullptr});
    }
    if (error != 0 && call_.mode == expressions::EvalMode::Try) result.valid = false;
    if (!result.valid) bits::clear(builder_.validity(), next_);
    put(result.valid ? result.value : decltype(result.value){});
    ++next_;
  }

  columns::ColumnPtr done() {
    if constexpr (kIsText) {
      put_texts(builder_, next_, budget_, [this](int64_t i) { return texts_[static_cast<size_t>(i)]; });
    }
    return builder_.finish();
  }

 private:
  static constexpr bool kIsText = std::is_same_v<R, types::StringRef>;

  template <class... Parts>
  auto finish(uint8& error, const Parts&... parts) const {
    if constexpr (requires { F::template finish<R>(parts..., context_, error); }) {
      return F::template finish<R>(parts..., context_, error);
    } else if constexpr (requires { F::finish(parts..., context_, error); }) {
      return F::finish(parts..., context_, error);
    } else {
      return F::finish(parts..., context_);
    }
  }

  template <class Value>
  void put(Value value) {
    if constexpr (kIsText) {
      texts_.push_back(value);
    } else if constexpr (Result::kId == types::DecimalType::kId) {
      if (is_narrow_) {
        builder_.template values<int64>()[next_] = static_cast<int64>(value);
      } else {
        builder_.template values<int128>()[next_] = value;
      }
    } else {
      builder_.template values<R>()[next_] = value;
    }
  }

  const Call& call_;
  const functions::AggregateContext context_;
  const int plan_node_;
  const std::shared_ptr<memory::Budget>& budget_;
  std::vector<columns::RowError>& errors_;
  const bool is_narrow_;  ///< a decimal as int64
  columns::FlatBuilder builder_;
  std::vector<types::StringRef> texts_;  ///< kIsText
  int64_t next_ = 0;
};

}  // namespace accelerant::aggregates
