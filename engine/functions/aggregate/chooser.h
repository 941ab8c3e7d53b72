#pragma once

#include "functions/aggregate/extreme.h"

namespace accelerant::functions {

/// Which row First and Last choose.
enum class End : uint8 { First, Last };

/// State of First and Last: nothing, or the place of the row that comes first or last in the query's order, so that the
/// number of workers and the size of batches do not matter.
template <End kEnd>
struct EndPlace {
  static constexpr bool kChooses = true;
  /// The last row of a batch is met first, so that the others are not chosen.
  static constexpr bool kBackwards = kEnd == End::Last;

  RowPosition place;

  using Columns = StateColumns<Column<&EndPlace::place>>;

  ACC_HD static EndPlace init() { return {{-1, -1}}; }

  ACC_HD ACC_INLINE bool takes(RowPosition candidate) const {
    return place.batch < 0 || (kEnd == End::Last ? place < candidate : candidate < place);
  }
  ACC_HD ACC_INLINE bool update(RowPosition candidate) {
    if (!takes(candidate)) return false;
    place = candidate;
    return true;
  }

  ACC_HD bool merge(const EndPlace& other) { return other.place.batch >= 0 && update(other.place); }
};

/// State of MaxBy and MinBy: nothing, or the ordering of the chosen row and its place. Among equal orderings the last
/// row is chosen, as Spark has it.
template <class T, Combine kWhich>
struct ExtremeRow {
  static constexpr bool kChooses = true;

  T ordering;
  RowPosition place;
  bool any;

  using Columns = StateColumns<Column<&ExtremeRow::ordering>, Column<&ExtremeRow::place>, Column<&ExtremeRow::any>>;

  ACC_HD static ExtremeRow init() { return {T(), {0, 0}, false}; }

  ACC_HD ACC_INLINE bool update(T candidate, RowPosition candidate_place) {
    if (any && !goes_before<kWhich>(candidate, ordering)) {
      if (goes_before<kWhich>(ordering, candidate) || candidate_place < place) return false;
    }
    ordering = candidate;
    place = candidate_place;
    any = true;
    return true;
  }

  ACC_HD bool merge(const ExtremeRow& other) { return other.any && update(other.ordering, other.place); }
};

/// Likewise, of strings and binary values.
template <Combine kWhich>
struct ExtremeTextRow {
  static constexpr bool kChooses = true;

  HeldText ordering;
  RowPosition place;
  bool any;

  using Columns =
      StateColumns<Column<&ExtremeTextRow::ordering>, Column<&ExtremeTextRow::place>, Column<&ExtremeTextRow::any>>;

  ACC_HD static ExtremeTextRow init() { return {HeldText::init(), {0, 0}, false}; }

  template <class Store>
  ACC_HD ACC_INLINE bool update(types::StringRef candidate, RowPosition candidate_place, Store& store) {
    if (any) {
      const int32 order = types::compare(candidate, ordering.view());
      if (kWhich == Combine::Greatest ? order < 0 : order > 0) return false;
      if (order == 0 && candidate_place < place) return false;
    }
    store.assign(ordering, candidate);
    place = candidate_place;
    any = true;
    return true;
  }

  template <class Store>
  ACC_HD bool merge(const ExtremeTextRow& other, Store& store) {
    return other.any && update(other.ordering.view(), other.place, store);
  }
};

/// The state of MaxBy and MinBy whose ordering has a type.
template <class T, Combine kWhich>
struct ExtremeRowOf {
  using State = ExtremeRow<T, kWhich>;
};
template <Combine kWhich>
struct ExtremeRowOf<types::StringRef, kWhich> {
  using State = ExtremeTextRow<kWhich>;
};
template <Combine kWhich>
struct ExtremeRowOf<types::AnyType::Physical, kWhich> {
  using State = NestedExtreme<kWhich>;
};

/// A value of any type, chosen by an ordering, a nested one at last.
template <class... Orderings>
using ChosenBy = SignatureList<Signature<types::AnyType, types::AnyType, Orderings>...>;
using ChosenByOrder = ChosenBy<types::BooleanType, types::ByteType, types::ShortType, types::IntType, types::LongType,
                               types::FloatType, types::DoubleType, types::DecimalType, types::StringType,
                               types::BinaryType, types::DateType, types::TimestampType, types::TimestampNtzType,
                               types::DayTimeIntervalType, types::YearMonthIntervalType, types::AnyType>;

}  // namespace accelerant::functions
