#pragma once

#include "expressions/call_maker.h"
#include "functions/definition.h"
#include "types/data_type.h"
#include "types/zone_rules.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace accelerant::expressions {

/// An expression of Spark's, its children bound, as the header of its function binds it. The binder takes the fields of
/// Spark's class one by one: each has to be taken or passed over.
///
/// Methods throw Error Unsupported, with the name of the class, where a field is missing or is not what it should be.
class FunctionCall : public CallMaker {
 public:
  // What Spark's class has: each call takes a field by its name, once.

  /// Takes an expression.
  virtual Slot argument(std::string_view field) = 0;
  /// Takes an expression or null (nullopt).
  virtual std::optional<Slot> argument_if(std::string_view field) = 0;
  /// Takes a list.
  virtual std::vector<Slot> arguments(std::string_view field) = 0;
  /// Takes all fields that hold expressions, in their order.
  virtual std::vector<Slot> arguments() = 0;
  /// Takes a text, which lives as long as the plan message.
  virtual std::string_view text(std::string_view field) = 0;
  virtual int64_t integer(std::string_view field) = 0;
  /// Takes a boolean; `otherwise` where this version of Spark has no such field.
  virtual bool flag(std::string_view field, bool otherwise) = 0;
  virtual types::DataType type_field(std::string_view field) = 0;
  /// Takes whichever field says what becomes of errors.
  virtual EvalMode mode() = 0;
  /// Takes the time zone; nullptr: there is none, or nobody knows its rules.
  virtual std::shared_ptr<const types::ZoneRules> zone() = 0;
  /// Takes a literal that names a time zone, likewise.
  virtual std::shared_ptr<const types::ZoneRules> zone_argument(std::string_view field) = 0;
  /// Takes a lambda.
  virtual BoundLambda lambda(std::string_view field) = 0;
  /// Passes over a field that says nothing about the result.
  virtual void skip(std::string_view field) = 0;
  /// Takes a field that must be false, null or empty, or be missing.
  virtual void require_unset(std::string_view field) = 0;
  /// Fails for a field that was not taken.
  virtual void finish() = 0;

  virtual std::string_view spark_version() const = 0;
  /// Says whether it stands in the body of a lambda, which Spark interprets in some functions and versions.
  virtual bool is_in_lambda() const = 0;
  /// Says whether Spark's code can compute the rows that a function leaves to it.
  virtual bool can_leave_rows() const = 0;
  /// Says whether a setting of Spark's has a value.
  virtual bool has_value(const functions::Setting& setting) const = 0;
};

}  // namespace accelerant::expressions
