#include "types/same_values.h"

#include <gtest/gtest.h>

namespace accelerant::types {
namespace {

const DataType kInt(TypeId::Int);
const DataType kLong(TypeId::Long);

DataType list_of_structs(bool has_nulls, const char* name, bool member_may_be_null) {
  return DataType::array(DataType::structure({{name, kInt, member_may_be_null}}), has_nulls);
}

TEST(SameValues, DoNotMindNullsAndNames) {
  EXPECT_TRUE(same_values(DataType::array(kInt, true), DataType::array(kInt, false)));
  EXPECT_TRUE(same_values(DataType::map(kInt, kLong, true), DataType::map(kInt, kLong, false)));
  EXPECT_TRUE(same_values(list_of_structs(true, "x", false), list_of_structs(false, "y", true)));
}

TEST(SameValues, MindTypesAndNumbersOfMembers) {
  EXPECT_FALSE(same_values(kInt, kLong));
  EXPECT_FALSE(same_values(DataType::decimal(9, 2), DataType::decimal(10, 2)));
  EXPECT_FALSE(same_values(DataType::array(kInt, true), DataType::array(kLong, true)));
  EXPECT_FALSE(same_values(DataType::structure({{"x", kInt}}), DataType::structure({{"x", kInt}, {"y", kInt}})));
  EXPECT_FALSE(same_values(DataType::array(kInt, true), DataType::structure({{"element", kInt}})));
}

TEST(NullAsEither, TakesNullsOfBothAndNamesOfTheFirst) {
  EXPECT_EQ(null_as_either(kInt, kInt), kInt);
  EXPECT_EQ(null_as_either(DataType::array(kInt, false), DataType::array(kInt, true)), DataType::array(kInt, true));
  EXPECT_EQ(null_as_either(DataType::array(kInt, true), DataType::array(kInt, false)), DataType::array(kInt, true));
  EXPECT_EQ(null_as_either(DataType::map(kInt, kLong, false), DataType::map(kInt, kLong, true)),
            DataType::map(kInt, kLong, true));
  EXPECT_EQ(null_as_either(list_of_structs(false, "x", true), list_of_structs(false, "y", false)),
            list_of_structs(false, "x", true));
  EXPECT_EQ(null_as_either(list_of_structs(false, "x", false), list_of_structs(true, "y", true)),
            list_of_structs(true, "x", true));
}

}  // namespace
}  // namespace accelerant::types
