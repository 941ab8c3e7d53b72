#include "aggregates/registry.h"

#include "base/error.h"
#include "functions/aggregate/list.h"

#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#define ACC_DECLARE_STRUCT(name, Struct) struct Struct;
#define ACC_DECLARE_ENTRY(name, Struct) \
  template <>                           \
  const Function& function_of<functions::Struct>();
#define ACC_LIST_ENTRY(name, Struct) &function_of<functions::Struct>(),

namespace accelerant::functions {
ACC_AGGREGATES(ACC_DECLARE_STRUCT)
}  // namespace accelerant::functions

namespace accelerant::aggregates {

ACC_AGGREGATES(ACC_DECLARE_ENTRY)

std::span<const Function* const> all_functions() {
  static const auto* const kAll = new std::vector<const Function*>{ACC_AGGREGATES(ACC_LIST_ENTRY)};
  return *kAll;
}

const Function* find_function(std::string_view spark_class) {
  using Index = std::unordered_map<std::string_view, const Function*>;
  static const auto* const kIndex = [] {
    auto* index = new Index;
    for (const Function* function : all_functions()) index->emplace(function->description->spark_class, function);
    return index;
  }();
  const auto found = kIndex->find(spark_class);
  return found == kIndex->end() ? nullptr : found->second;
}

Call call_of(std::string_view name, std::vector<types::DataType> argument_types, types::DataType result_type) {
  Call call;
  call.argument_types = std::move(argument_types);
  call.result_type = std::move(result_type);
  for (const Function* function : all_functions()) {
    if (function->name() != name) continue;
    call.function = function;
    call.overload = function->overload_for(call);
  }
  if (!call.overload) throw Error(ErrorKind::Internal, "no aggregate " + std::string(name) + " takes these types");
  call.options.ignores_nulls = !call.description().takes_null_values;
  call.distinct = call.description().is_distinct;
  return call;
}

}  // namespace accelerant::aggregates
