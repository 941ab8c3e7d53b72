#pragma once

#include "aggregates/accumulator.h"
#include "execution/context.h"
#include "expressions/eval_mode.h"
#include "functions/aggregate/definition.h"
#include "types/data_type.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace accelerant::aggregates {

struct Function;
struct Overload;

/// How a value that others are put in order by counts.
struct ValueOrder {
  bool descending = false;
  bool nulls_last = false;

  friend bool operator==(const ValueOrder&, const ValueOrder&) = default;
};

/// A call of an aggregate function, but for where its arguments are. A FILTER clause is already part of the arguments,
/// which are null where it is not true, unless they are nested; where a null in the first one does not tell, a last
/// argument is null there.
struct Call {
  const Function* function = nullptr;
  const Overload* overload = nullptr;  ///< of the function, the one for the types
  std::vector<types::DataType> argument_types;
  types::DataType result_type;
  /// What overflow of sum and avg does, and corr's division by zero.
  expressions::EvalMode mode = expressions::EvalMode::Ansi;
  functions::AggregateOptions options;
  std::vector<double> numbers;  ///< of AggregateDescription::numbers
  /// The orders of the members after the first of a struct, which then is the first argument: those order its first
  /// member. As long as a call is bound but not yet given its arguments, the orders of what orders the first one.
  std::vector<ValueOrder> orders;
  bool distinct = false;  ///< rows with equal arguments count once a group
  bool exact = false;     ///< its rows may come in another order in another run, which shall not show
  int expression = -1;    ///< index of the function in the plan message; errors carry it

  const functions::AggregateDescription& description() const;
  /// Returns the name in SQL, e.g. "avg".
  std::string_view name() const;
  /// Says whether the result depends on the order of a group's rows.
  bool is_order_sensitive() const;
  /// Says whether last digits of a group's result go by the order of its rows, if they are few, as Spark's do.
  bool adds_few_in_order() const;
  /// Says whether those of a window's frame do.
  bool adds_frames_in_order() const;
  /// Says whether a group may come out in error.
  bool can_fail() const;
  /// Those arguments whose null says that a row does not count.
  template <class T>
  std::span<const T> telling(std::span<const T> arguments) const {
    // Constants say nothing of rows.
    const auto of_rows = num_constants() > 0 ? arguments.first(1) : arguments;
    return options.ignores_nulls || of_rows.empty() ? of_rows : of_rows.subspan(1);
  }
  /// How many arguments, the last ones, are the same in all rows that count.
  size_t num_constants() const;
  /// Refers to the call's numbers.
  functions::AggregateContext context() const;
  /// Makes an accumulator of rows that are different already, where the call is distinct.
  std::unique_ptr<Accumulator> make_accumulator(const execution::OperatorContext& ctx) const;
  /// Makes one for rows that come in the order in which Spark adds them up, where that shows in a frame's result;
  /// else nullptr. Merging makes a state that of another one.
  std::unique_ptr<FrameAccumulator> make_in_order(const execution::OperatorContext& ctx) const;
  /// Makes one as make_accumulator does, which adds few rows up as Spark does where their order shows in the result.
  std::unique_ptr<Accumulator> make_of_few(const execution::OperatorContext& ctx) const;

  friend bool operator==(const Call&, const Call&) = default;
};

/// The state of a function that many threads of a device update at once, in words of 64 bits that are 0 at first.
struct SharedForm {
  int num_words = 0;  ///< a state; 0: there is none
  /// The word that says how many rows counted, or whether one did; -1: none. Where no argument is null it may stay 0
  /// until all is done.
  int rows_word = -1;
  std::string_view header;  ///< e.g. "functions/aggregate/sum.h"
  std::string name;         ///< of the type, e.g. "functions::SharedState<functions::Sum::State<int64>>"
  /// What its `update` takes of each argument.
  std::vector<types::PhysicalType> arguments;
};

/// What is made for one way in which arguments lie in memory.
struct Variant {
  std::unique_ptr<Accumulator> (*make)(const Call& call, const execution::OperatorContext& ctx) = nullptr;
  std::vector<types::DataType> (*state_types)(const Call& call) = nullptr;
  SharedForm shared;
  /// Call::make_in_order and make_of_few; nullptr: the order does not show, or is not kept.
  std::unique_ptr<FrameAccumulator> (*make_in_order)(const Call& call, const execution::OperatorContext& ctx) = nullptr;
  std::unique_ptr<Accumulator> (*make_of_few)(const Call& call, const execution::OperatorContext& ctx) = nullptr;
};

/// How the type of a result follows from arguments.
enum class ResultRule : uint8_t {
  Itself,
  FirstArgument,
  ListOfFirstArgument,
  ListOfItself,  ///< one for each number in the last argument
};

/// A function for one choice of types.
struct Overload {
  std::vector<types::TypeId> arguments;  ///< TypeId{0}: any type
  types::TypeId result{};                ///< TypeId{0}: that of the first argument
  ResultRule rule = ResultRule::Itself;
  bool (*supports)(const types::DecimalContext& context) = nullptr;              ///< nullptr: all
  bool (*can_fail)(uint8 type, const types::DecimalContext& context) = nullptr;  ///< nullptr: no group does
  bool collects = false;                                                         ///< a state holds all of its values
  Variant narrow;  ///< decimals, if there are some, have at most 18 digits
  Variant wide;    ///< where there are decimals

  /// Says whether the result is the list of the values that a state holds.
  bool gives_list() const { return rule == ResultRule::ListOfFirstArgument; }
  /// Returns what is made for a call's types.
  const Variant& variant_of(const Call& call) const;
};

/// An aggregate function of the registry.
struct Function {
  const functions::AggregateDescription* description;
  std::span<const functions::AggregateExample> examples;
  std::span<const functions::AggregateFlag> flags;
  std::vector<Overload> overloads;

  std::string_view name() const;
  /// Returns the overload that takes a call's types and gives its result's; nullptr: there is none.
  const Overload* overload_for(const Call& call) const;
};

}  // namespace accelerant::aggregates
