#include "expressions/registry.h"

#include "column_functions/list.h"
#include "functions/arithmetic/list.h"
#include "functions/cast/list.h"
#include "functions/comparison/list.h"
#include "functions/conditional/list.h"
#include "functions/datetime/list.h"
#include "functions/hash/list.h"
#include "functions/interval/list.h"
#include "functions/logic/list.h"
#include "functions/string/list.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <vector>

// The lists only declare: no function's header is seen here, so an edit of one recompiles its own source alone.
#define ACC_ALL_FUNCTIONS(F)   \
  ACC_FUNCTIONS_ARITHMETIC(F)  \
  ACC_FUNCTIONS_COMPARISON(F)  \
  ACC_FUNCTIONS_LOGIC(F)       \
  ACC_FUNCTIONS_DATETIME(F)    \
  ACC_FUNCTIONS_STRING(F)      \
  ACC_FUNCTIONS_INTERVAL(F)    \
  ACC_FUNCTIONS_CAST(F)        \
  ACC_FUNCTIONS_CONDITIONAL(F) \
  ACC_FUNCTIONS_HASH(F)

#define ACC_DECLARE_STRUCT(name, Struct) struct Struct;
#define ACC_DECLARE_ENTRY(name, Struct) \
  template <>                           \
  const Function& function_of<functions::Struct>();
#define ACC_LIST_ENTRY(name, Struct) &function_of<functions::Struct>(),
#define ACC_DECLARE_COLUMN_ENTRY(name, Struct) \
  template <>                                  \
  const Function& function_of<column_functions::Struct>();
#define ACC_LIST_COLUMN_ENTRY(name, Struct) &function_of<column_functions::Struct>(),

// The lists do not say which folder they are of.
#define ACC_SOURCE(folder, name, Struct) \
  {&function_of<functions::Struct>(), {"functions/" folder "/" #name ".h", #Struct}},
#define ACC_ARITHMETIC_SOURCE(name, Struct) ACC_SOURCE("arithmetic", name, Struct)
#define ACC_COMPARISON_SOURCE(name, Struct) ACC_SOURCE("comparison", name, Struct)
#define ACC_LOGIC_SOURCE(name, Struct) ACC_SOURCE("logic", name, Struct)
#define ACC_DATETIME_SOURCE(name, Struct) ACC_SOURCE("datetime", name, Struct)
#define ACC_STRING_SOURCE(name, Struct) ACC_SOURCE("string", name, Struct)
#define ACC_INTERVAL_SOURCE(name, Struct) ACC_SOURCE("interval", name, Struct)
#define ACC_CAST_SOURCE(name, Struct) ACC_SOURCE("cast", name, Struct)
#define ACC_CONDITIONAL_SOURCE(name, Struct) ACC_SOURCE("conditional", name, Struct)
#define ACC_HASH_SOURCE(name, Struct) ACC_SOURCE("hash", name, Struct)
#define ACC_ALL_SOURCES                             \
  ACC_FUNCTIONS_ARITHMETIC(ACC_ARITHMETIC_SOURCE)   \
  ACC_FUNCTIONS_COMPARISON(ACC_COMPARISON_SOURCE)   \
  ACC_FUNCTIONS_LOGIC(ACC_LOGIC_SOURCE)             \
  ACC_FUNCTIONS_DATETIME(ACC_DATETIME_SOURCE)       \
  ACC_FUNCTIONS_STRING(ACC_STRING_SOURCE)           \
  ACC_FUNCTIONS_INTERVAL(ACC_INTERVAL_SOURCE)       \
  ACC_FUNCTIONS_CAST(ACC_CAST_SOURCE)               \
  ACC_FUNCTIONS_CONDITIONAL(ACC_CONDITIONAL_SOURCE) \
  ACC_FUNCTIONS_HASH(ACC_HASH_SOURCE)

namespace accelerant::functions {
ACC_ALL_FUNCTIONS(ACC_DECLARE_STRUCT)
}  // namespace accelerant::functions

namespace accelerant::column_functions {
ACC_COLUMN_FUNCTIONS(ACC_DECLARE_STRUCT)
}  // namespace accelerant::column_functions

namespace accelerant::expressions {

ACC_ALL_FUNCTIONS(ACC_DECLARE_ENTRY)
ACC_COLUMN_FUNCTIONS(ACC_DECLARE_COLUMN_ENTRY)

std::span<const Function* const> all_functions() {
  static const auto* const kAll =
      new std::vector<const Function*>{ACC_ALL_FUNCTIONS(ACC_LIST_ENTRY) ACC_COLUMN_FUNCTIONS(ACC_LIST_COLUMN_ENTRY)};
  return *kAll;
}

FunctionSource source_of(const Function& function) {
  static const auto* const kSources = new std::unordered_map<const Function*, FunctionSource>{ACC_ALL_SOURCES};
  return kSources->at(&function);
}

std::span<const Function* const> find_functions(std::string_view spark_class) {
  using Index = std::unordered_map<std::string_view, std::vector<const Function*>>;
  static const auto* const kIndex = [] {
    auto* index = new Index;
    for (const Function* function : all_functions()) (*index)[function->description->spark_class].push_back(function);
    return index;
  }();
  const auto found = kIndex->find(spark_class);
  return found == kIndex->end() ? std::span<const Function* const>{} : found->second;
}

bool is_setting_of_functions(std::string_view name) {
  static const auto* const kNames = [] {
    auto* names = new std::unordered_set<std::string_view>;
    for (const Function* function : all_functions()) {
      if (const char* setting = function->description->setting.name) names->insert(setting);
    }
    return names;
  }();
  return kNames->contains(name);
}

}  // namespace accelerant::expressions
