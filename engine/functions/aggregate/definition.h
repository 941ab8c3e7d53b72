#pragma once

#include "functions/aggregate/state_columns.h"
#include "functions/definition.h"

/// What the header of an aggregate function is made of: see docs/design/functions.md. A function is a struct with
/// - `static constexpr AggregateDescription kDescription`, `static constexpr AggregateExample kExamples[]`;
/// - `using Signatures = SignatureList<...>`: the logical types it takes and gives;
/// - `static constexpr AggregateFlag kFlags[]`, if at all: fields of Spark's class that choose among its ways;
/// - one of four kinds of state:
///   - `template <class... T> using State`, of the arguments' physical types: a value of fixed size. It has
///     `static State init()`, `update(values...)`, `merge(const State&)`, `using Columns`, and if at all
///     `retract(values...)`, where that is exact, `update_times(value, times)`, `BatchState`, a smaller
///     state that a batch is first added up in, and `Words` (shared_state.h). Beside it, if rows that come in the
///     order in which Spark adds them up give other last digits, `template <class... T> using InOrder`: a state with
///     `init`, `update` and `merge` that has Spark's, or void;
///   - a State of which `static constexpr bool kChooses` is true: the result is the first argument of the row that it
///     chose. It has `bool update(other values..., RowPosition)` and `bool merge(const State&)`, which say whether the
///     row, or what the other one chose, is chosen instead of what was. One that goes by the place alone has
///     `takes(RowPosition)`, and `kBackwards` says in which direction the rows of a batch are best asked;
///   - `static constexpr bool kCollects`: the values of the first argument, as a list; other arguments are constant;
///   - `static constexpr bool kPlaces`: values of the first argument by their place, a number from 1 that the second
///   one
///     says; the result is an array of them;
/// - `static Nullable<R> finish(const State&, const AggregateContext&, [uint8& error])`: the result of a group. Of one
///   that collects `finish(List<T>, Nullable<constants>..., const AggregateContext&, [uint8& error])`; or
///   `int64 size(List<StringRef>, Nullable<constants>..., const AggregateContext&)`, where -1 stands for null, and
///   then `write(List<StringRef>, Nullable<constants>..., char* out)`, where a string is built and is none of the
///   values; or none of them, where the result is the list;
/// - `supports(const DecimalContext&)`, if at all: false for decimals it does not take. Without it, a decimal result
/// has
///   the type of the first argument;
/// - `can_fail(type id of the first argument, const DecimalContext&)`, if at all: whether a group may fail under ANSI.
///
/// States of text hold `HeldText`, and take the `TextStore` that owns its bytes as last argument of `update` and
/// `merge`; before it an AggregateContext, if both have such a parameter.
namespace accelerant::functions {

/// What a call says beside its arguments.
struct AggregateOptions {
  /// Rows in which an argument is null do not count; else those in which one after the first is.
  bool ignores_nulls = true;
  bool null_on_divide_by_zero = true;
  bool before_43 = false;      ///< Spark is older than 4.3
  bool is_ordered = false;     ///< values are taken in their own order, not in that of rows
  bool descending = false;     ///< values are counted from the greatest
  bool prefers_least = false;  ///< of several values that will do the least is the result, else the greatest
  int32 num_places = 0;        ///< of what has values by place
  int32 precision = 9;         ///< of registers: how many bits choose one

  ACC_HD friend constexpr bool operator==(const AggregateOptions&, const AggregateOptions&) = default;
};

/// A field of Spark's class that sets an option.
struct AggregateFlag {
  const char* field;
  bool AggregateOptions::*option;
  bool may_be_missing = false;  ///< some versions have no such field: the option stays what it is
  bool is_option = false;       ///< an Option of Scala's, which must not be None
};

/// Which arguments of a row Spark evaluates.
enum class Evaluated : uint8 {
  All,
  UpToNull,    ///< in their order; none behind one that is null
  DownToNull,  ///< likewise from the last one on
};

/// What a function over a window's frame is.
enum class InFrame : uint8 {
  Computed,    ///< made of the values of its rows
  FirstValue,  ///< that of its first row, or of the first that counts
  LastValue,   ///< that of its last row, or of the last that counts
};

/// What people, the binder and the planner call an aggregate function, and what they have to know of it.
struct AggregateDescription {
  const char* spark_class;          ///< full Java class name
  const char* sql;                  ///< how SQL spells it, e.g. "max_by(value, ordering)"
  const char* text;                 ///< one line for the reference page
  const char* fields[3] = {};       ///< of Spark's class, which hold the arguments; none: `children` does, any number
  const char* literals[2] = {};     ///< those of `fields` that must hold a literal
  const char* unset[2] = {};        ///< other fields, which must be empty, null or false
  const char* one = nullptr;        ///< another field, which must hold the literal 1
  const char* order = nullptr;      ///< another field: orders that the values of the first argument are taken in
  const char* ignored = nullptr;    ///< another field, which says nothing that others do not
  const char* precision = nullptr;  ///< another field, an integer: AggregateOptions::precision
  const char* numbers = nullptr;    ///< another field, a list of numbers, which `finish` learns
  /// Another field: a list of constants. The second argument becomes the place that its value has among them.
  const char* places = nullptr;
  Evaluated evaluated = Evaluated::All;
  InFrame in_frame = InFrame::Computed;
  bool order_sensitive = false;     ///< its result depends on the order of its group's rows
  bool skips_values = false;        ///< Spark evaluates its value only in rows that it then takes over
  bool takes_null_values = false;   ///< rows in which the first argument is null count, unless a flag says otherwise
  bool is_distinct = false;         ///< rows with equal arguments count once
  bool gives_values = false;        ///< its result is one of the values, or a list of them
  bool takes_nested = false;        ///< values of nested types, which are handed on as they are
  bool counts_rows = false;         ///< its result is the number of rows that count; no value is read
  bool differs_by_version = false;  ///< Spark 4.1 and 4.3 differ, and what others do is not known
};

/// A line of the reference page and a test: the values of one group, and its result. Values are written as those of
/// Example are; rows are separated by `|`, arguments by `;`.
struct AggregateExample {
  const char* rows;
  const char* result;  ///< in legacy mode
  uint8 error = 0;     ///< ErrorCode: ANSI fails with it, TRY gives null
  AggregateOptions options = {};
};

/// What `finish` learns of a call.
struct AggregateContext {
  AggregateOptions options;
  types::DecimalContext decimals;  ///< of the first two arguments and the result
  bool gives_intervals = false;
  const double* numbers = nullptr;  ///< those of AggregateDescription::numbers
  int64 num_numbers = 0;
};

/// Says whether a type is an interval of months or of microseconds.
ACC_HD constexpr bool is_interval(uint8 type) {
  return type == types::DayTimeIntervalType::kId || type == types::YearMonthIntervalType::kId;
}

/// Where a row stands among all rows of a query.
struct RowPosition {
  int64 batch;
  int64 row;

  using Columns = StateColumns<Column<&RowPosition::batch>, Column<&RowPosition::row>>;

  ACC_HD friend constexpr bool operator<(const RowPosition& lhs, const RowPosition& rhs) {
    return lhs.batch != rhs.batch ? lhs.batch < rhs.batch : lhs.row < rhs.row;
  }
};

/// Result of what collects, of a signature whose last argument is a constant array: an array of the results for each of
/// its elements.
template <class Element>
struct EachOf {
  static constexpr uint8 kId = types::ArrayType::kId;
  using Result = Element;
  using Physical = types::ArrayType::Physical;
};

/// Values of a group that collects them; `finish` may put them in another order.
template <class T>
struct List {
  T* values;
  int64 length;
};

}  // namespace accelerant::functions
