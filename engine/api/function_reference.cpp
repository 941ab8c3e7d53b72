#include "api/function_reference.h"

#include "expressions/registry.h"

namespace accelerant::api {

namespace {

std::string name_of(types::TypeId id) {
  if (id == types::TypeId{0}) return "any";
  return id == types::TypeId::Decimal ? "decimal" : types::DataType(id).to_string();
}

std::string line_of(const functions::Description& description, const expressions::Overload& overload) {
  std::string arguments;
  for (size_t i = 0; i + description.takes_java < overload.arguments.size(); ++i) {
    arguments += (i == 0 ? "" : ",") + name_of(overload.arguments[i]);
  }
  return std::string(description.spark_class) + "\t" + description.sql + "\t" + arguments + "\t" +
         name_of(overload.result) + "\t" + description.text + "\n";
}

}  // namespace

std::string function_reference() {
  std::string text;
  for (const expressions::Function* function : expressions::all_functions()) {
    for (const expressions::Overload& overload : function->overloads) text += line_of(*function->description, overload);
  }
  return text;
}

}  // namespace accelerant::api

const char* accelerant_function_reference() {
  static const std::string kText = accelerant::api::function_reference();
  return kText.c_str();
}
