#pragma once

#include "expressions/program.h"
#include "types/data_type.h"
#include "types/zone_rules.h"

#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace accelerant::expressions {

/// Makes calls of functions in the name of an expression of Spark's: what it calls gives values of its type, and errors
/// are its own.
///
/// Methods throw Error Unsupported, with the name of the class, where the engine lacks something.
class CallMaker {
 public:
  // Names that a freestanding header can reach only from here.
  using TypeId = types::TypeId;
  static constexpr EvalMode kAnsi = EvalMode::Ansi;
  static constexpr EvalMode kLegacy = EvalMode::Legacy;
  static constexpr EvalMode kTry = EvalMode::Try;

  virtual ~CallMaker() = default;

  /// Returns the type of its result.
  virtual const types::DataType& type() const = 0;
  /// Returns Spark's class.
  virtual std::string_view spark_class() const = 0;
  /// Returns its index in the plan message, for errors.
  virtual int expression() const = 0;
  /// Returns the version of the Java that runs Spark, e.g. 17, as an integer.
  virtual Slot java_version() const = 0;
  virtual ProgramBuilder& builder() const = 0;
  /// Leaves the call to Spark.
  /// @throws Error Unsupported, with the class and why
  [[noreturn]] virtual void refuse(std::string_view why) const = 0;
  /// Fails as `refuse` does, in words that do not begin with the class.
  [[noreturn]] static void refuse_with(std::string_view what);
  /// Returns a constant of a type whose values are kept as integers, such as dates.
  virtual Slot constant(int64_t value, const types::DataType& type) const = 0;
  virtual Slot constant_text(std::string_view text) const = 0;

  // What headers make of it.
  types::DataType type_of(Slot slot) const { return builder().type(slot); }
  bool is_string(Slot slot) const { return type_of(slot).is(types::TypeId::String); }
  /// Fails unless a value is of a type, but for which elements may be null and the names of members; a message that
  /// breaks this is not Spark's.
  void require_type(Slot value, const types::DataType& expected) const;
  /// Says whether a value is of a type, likewise.
  bool has_values_of(Slot value, const types::DataType& type) const;
  /// Calls the function of a class of Spark's or ours, for the result's type unless another is given. Errors are this
  /// expression's.
  Slot call(std::string_view spark_class, std::vector<Slot> arguments, EvalMode mode = EvalMode::Ansi,
            std::shared_ptr<const types::ZoneRules> zone = nullptr) const;
  /// Calls the function of its own class.
  Slot call(std::vector<Slot> arguments, EvalMode mode = EvalMode::Ansi,
            std::shared_ptr<const types::ZoneRules> zone = nullptr) const {
    return call(spark_class(), std::move(arguments), mode, std::move(zone));
  }
  /// Calls the function of its own class, one over columns, with lambdas.
  Slot call_with(std::vector<Slot> arguments, std::vector<BoundLambda> lambdas, EvalMode mode = EvalMode::Ansi) const {
    return builder().call_with_lambdas(spark_class(), std::move(arguments), std::move(lambdas), type(), mode,
                                       expression());
  }
  /// Says whether a lambda compares its arguments as array_sort does where none is given to it; false is not certain.
  static bool is_natural_order(const BoundLambda& lambda);
  /// Calls a function of Spark's, by its class's name without the package, that cannot fail.
  Slot call_other(std::string_view name, std::vector<Slot> arguments, const types::DataType& result) const;
  /// Calls the function of its own class for at most `width` values at a time, and for what comes of these, until one
  /// is left.
  Slot call_in_turn(std::vector<Slot> values, size_t width) const;
  Slot call_predicate(std::string_view name, std::vector<Slot> arguments) const {
    return call_other(name, std::move(arguments), types::DataType(types::TypeId::Boolean));
  }
  /// Returns what is computed of arguments, and null where one of them is null: those after it are not looked at, as
  /// Spark asks for them in this order.
  Slot up_to_null(const std::vector<Slot>& arguments, Slot result) const;
  Slot is_null(Slot value) const { return call_predicate("IsNull", {value}); }

  /// Casts a nested value to another nested type, or to a string; a member or an element is cast as it is alone.
  Slot cast_nested(Slot value, EvalMode mode, const std::shared_ptr<const types::ZoneRules>& zone) const;
  /// Returns the text of a nested value as Dataset.show has it.
  Slot show_nested(Slot value, const std::shared_ptr<const types::ZoneRules>& zone) const;
  /// Returns the hash of an array or a struct, whose seed is another hash; the class is Spark's.
  static Slot hash_nested(ProgramBuilder& builder, const char* spark_class, Slot value, Slot hash, int expression);

  Slot number(int64_t value) const { return constant(value, types::DataType(types::TypeId::Int)); }
  Slot null() const { return builder().case_when({}, std::nullopt, type()); }
  /// Says whether a value is a literal of at least 0.
  bool is_constant_from_0_on(Slot value) const;
};

}  // namespace accelerant::expressions
