#include "plan/value.h"

namespace accelerant::plan {

std::string kind_of(const FieldValue& value) {
  struct Namer {
    std::string operator()(std::monostate) const { return "null"; }
    std::string operator()(bool) const { return "a boolean"; }
    std::string operator()(int64_t) const { return "an integer"; }
    std::string operator()(double) const { return "a float"; }
    std::string operator()(const Text&) const { return "a string"; }
    std::string operator()(const List&) const { return "a list"; }
    std::string operator()(const Map&) const { return "a map"; }
    std::string operator()(const NodeReference&) const { return "a node"; }
    std::string operator()(const Product& product) const {
      return "an object of class " + std::string(product.class_name);
    }
    std::string operator()(const types::DataType&) const { return "a type"; }
    std::string operator()(const Bytes&) const { return "bytes"; }
    std::string operator()(const Decimal&) const { return "a decimal"; }
    std::string operator()(const Opaque& opaque) const {
      return "an object of class " + std::string(opaque.class_name);
    }
  };
  return std::visit(Namer{}, value.value);
}

}  // namespace accelerant::plan
