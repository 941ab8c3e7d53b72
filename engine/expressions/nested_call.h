#pragma once

#include "base/error.h"
#include "expressions/call_maker.h"
#include "expressions/instruction.h"

#include <string_view>
#include <utility>
#include <vector>

namespace accelerant::expressions {

/// Makes calls on the elements, or one member, of a nested value, in a lambda's program. Errors are those of the
/// expression that the nested value is an argument of.
class ChildCall final : public CallMaker {
 public:
  /// Refers to all three.
  ChildCall(const CallMaker& whole, const types::DataType& type, ProgramBuilder& body)
      : whole_(whole), type_(type), body_(body) {}

  const types::DataType& type() const override { return type_; }
  std::string_view spark_class() const override { return whole_.spark_class(); }
  int expression() const override { return whole_.expression(); }
  Slot java_version() const override { return own(whole_.java_version()); }
  ProgramBuilder& builder() const override { return body_; }
  [[noreturn]] void refuse(std::string_view why) const override {
    whole_.refuse(why);
    __builtin_unreachable();  // gcc 12 takes a virtual function for one that returns
  }
  Slot constant(int64_t value, const types::DataType& type) const override { return own(whole_.constant(value, type)); }
  Slot constant_text(std::string_view text) const override { return own(whole_.constant_text(text)); }

 private:
  /// Returns a constant of the program around as one of this program.
  Slot own(Slot constant) const { return body_.literal(whole_.builder().constant_of(constant)); }

  const CallMaker& whole_;
  const types::DataType& type_;
  ProgramBuilder& body_;
};

/// Returns a lambda of a child of a nested value: `convert(call, value)` makes a value of a type of it.
template <class Convert>
BoundLambda lambda_of_child(const CallMaker& call, const types::DataType& from, const types::DataType& to,
                            const Convert& convert) {
  ProgramBuilder body = call.builder().for_lambda();
  const Slot value = body.input(0, from, true);
  const ChildCall child(call, to, body);
  const Slot outputs[] = {convert(child, value)};
  BoundLambda lambda{std::move(body).finish(outputs), 1, {}};
  if (leaves_rows(lambda.program->parts())) call.refuse("of nested values with rows for Spark");
  return lambda;
}

/// Returns a nested value of the same shape of a nested value: `convert(call, value)` makes of each of its children's
/// values one of that child's type in the result.
template <class Convert>
Slot convert_children(const CallMaker& call, Slot value, const types::DataType& to, EvalMode mode,
                      const Convert& convert) {
  const types::DataType from = call.type_of(value);
  if (from.id() != to.id() || from.fields().size() != to.fields().size()) {
    throw_unsupported("a cast from " + from.to_string() + " to " + to.to_string());
  }
  std::vector<BoundLambda> lambdas;
  for (size_t i = 0; i < to.fields().size(); ++i) {
    lambdas.push_back(lambda_of_child(call, from.fields()[i].type, to.fields()[i].type, convert));
  }
  const bool has_members = to.is(types::TypeId::Struct);
  return call.builder().call_with_lambdas(
      has_members ? "io.accelerant.ConvertedMembers" : "io.accelerant.ConvertedElements", {value}, std::move(lambdas),
      to, mode, call.expression());
}

/// Returns a type of the same shape as a nested type, whose children are strings.
types::DataType with_texts(const types::DataType& nested);

}  // namespace accelerant::expressions
