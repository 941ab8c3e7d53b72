#include "expressions/type_pattern.h"

#include <gtest/gtest.h>

#include <vector>

namespace accelerant::expressions {
namespace {

using types::DataType;
using types::TypeId;

const DataType kInt(TypeId::Int);
const DataType kText(TypeId::String);

DataType array_of(const DataType& element, bool contains_null = true) {
  return DataType::array(element, contains_null);
}

bool matches(const char* pattern, const std::vector<DataType>& arguments, const DataType& result) {
  return TypePattern(pattern).matches(arguments, result);
}

TEST(TypePattern, ComparesTypesByName) {
  EXPECT_TRUE(matches("int, string -> boolean", {kInt, kText}, DataType(TypeId::Boolean)));
  EXPECT_FALSE(matches("int, string -> boolean", {kText, kInt}, DataType(TypeId::Boolean)));
  EXPECT_FALSE(matches("int -> int", {kInt, kInt}, kInt));
  EXPECT_TRUE(matches("decimal -> any", {DataType::decimal(5, 2)}, kText));
  EXPECT_TRUE(matches(" -> int", {}, kInt));
}

TEST(TypePattern, TakesAVariableForOneType) {
  EXPECT_TRUE(matches("array<T>, int -> T", {array_of(kText), kInt}, kText));
  EXPECT_FALSE(matches("array<T>, int -> T", {array_of(kText), kInt}, kInt));
  const DataType map = DataType::map(kText, array_of(kInt), true);
  EXPECT_TRUE(matches("map<K, V>, K -> V", {map, kText}, array_of(kInt)));
  EXPECT_FALSE(matches("map<K, V>, K -> V", {map, kInt}, array_of(kInt)));
}

TEST(TypePattern, PassesOverWhichElementsMayBeNull) {
  EXPECT_TRUE(matches("T, T -> T", {array_of(kInt, false), array_of(kInt, true)}, array_of(kInt)));
  EXPECT_FALSE(matches("T, T -> T", {array_of(kInt), array_of(kText)}, array_of(kInt)));
}

TEST(TypePattern, TakesAnyNumberOfTheLastArgument) {
  const DataType row = DataType::structure({{"a", kInt, true}});
  EXPECT_TRUE(matches("any... -> struct", {kInt, kText, kInt}, row));
  EXPECT_TRUE(matches("any... -> struct", {}, row));
  EXPECT_TRUE(matches("T... -> array<T>", {kInt, kInt}, array_of(kInt)));
  EXPECT_FALSE(matches("T... -> array<T>", {kInt, kText}, array_of(kInt)));
}

TEST(TypePattern, WritesItself) {
  const TypePattern pattern("map<K,V>,K... -> array<V>");
  EXPECT_EQ(pattern.arguments_text(), "map<K, V>,K...");
  EXPECT_EQ(pattern.result_text(), "array<V>");
}

}  // namespace
}  // namespace accelerant::expressions
