#pragma once

#include "functions/aggregate/definition.h"
#include "functions/comparison/order.h"

namespace accelerant::functions {

/// Says whether a value is a better extreme than another one, of Combine::Least or Combine::Greatest.
template <Combine kWhich, class T>
ACC_HD ACC_INLINE bool goes_before(T lhs, T rhs) {
  if constexpr (kWhich == Combine::Greatest) {
    return less(rhs, lhs);
  } else {
    return less(lhs, rhs);
  }
}

/// State of Min and Max over fixed-width values: nothing, or the extreme in Spark's order. Among equal values the first
/// one stays.
template <class T, Combine kWhich>
struct Extreme {
  T value;
  bool any;

  using Columns = StateColumns<Column<&Extreme::value, kWhich>, Column<&Extreme::any, Combine::AnyRow>>;
  /// The extreme of a batch is found before it is compared with what was.
  using BatchState = Extreme;

  ACC_HD static Extreme init() { return {T(), false}; }

  ACC_HD ACC_INLINE void update(T candidate) {
    if (!any || goes_before<kWhich>(candidate, value)) value = candidate;
    any = true;
  }

  ACC_HD void update_times(T candidate, int64) { update(candidate); }

  ACC_HD void merge(const Extreme& other) {
    if (other.any) update(other.value);
  }
};

/// State of Min and Max over strings and binary values.
template <Combine kWhich>
struct ExtremeText {
  HeldText value;
  bool any;

  using Columns = StateColumns<Column<&ExtremeText::value>, Column<&ExtremeText::any>>;

  ACC_HD static ExtremeText init() { return {HeldText::init(), false}; }

  template <class Store>
  ACC_HD ACC_INLINE void update(types::StringRef candidate, Store& store) {
    if (any && !goes_before<kWhich>(candidate, value.view())) return;
    store.assign(value, candidate);
    any = true;
  }

  template <class Store>
  ACC_HD void update_times(types::StringRef candidate, int64, Store& store) {
    update(candidate, store);
  }

  template <class Store>
  ACC_HD void merge(const ExtremeText& other, Store& store) {
    if (other.any) update(other.value.view(), store);
  }
};

/// Stands for a state of Min, Max, MinBy and MaxBy whose ordering is nested: the host keeps rows (aggregates/
/// nested_extreme_accumulator.h).
template <Combine kWhich>
struct NestedExtreme {
  static constexpr bool kChooses = true;
  static constexpr bool kIsNested = true;
  static constexpr bool kIsGreatest = kWhich == Combine::Greatest;
};

/// The state of Min and Max over a type.
template <class T, Combine kWhich>
struct ExtremeOf {
  using State = Extreme<T, kWhich>;
};
template <Combine kWhich>
struct ExtremeOf<types::StringRef, kWhich> {
  using State = ExtremeText<kWhich>;
};
template <Combine kWhich>
struct ExtremeOf<types::AnyType::Physical, kWhich> {
  using State = NestedExtreme<kWhich>;
};

/// Null, or the extreme.
template <class T, Combine kWhich>
ACC_HD types::Nullable<T> extreme_value(const Extreme<T, kWhich>& state) {
  return {state.value, state.any};
}
template <Combine kWhich>
ACC_HD types::Nullable<types::StringRef> extreme_value(const ExtremeText<kWhich>& state) {
  return {state.value.view(), state.any};
}

/// What Min and Max take: whatever has an order, nested values at last.
using OrderedSame = UnarySame<types::BooleanType, types::ByteType, types::ShortType, types::IntType, types::LongType,
                              types::FloatType, types::DoubleType, types::DecimalType, types::StringType,
                              types::BinaryType, types::DateType, types::TimestampType, types::TimestampNtzType,
                              types::DayTimeIntervalType, types::YearMonthIntervalType, types::AnyType>;

}  // namespace accelerant::functions
