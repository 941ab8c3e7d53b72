#include "plan/retyped_columns.h"

#include "base/error.h"

#include <gtest/gtest.h>

#include <string>

namespace accelerant::plan {
namespace {

using types::DataType;
using types::TypeId;

const DataType kFull = DataType::array(DataType(TypeId::Int), false);
const DataType kWithNulls = DataType::array(DataType(TypeId::Int), true);

TEST(RetypedColumns, HoldNullsWhereTheColumnOrTheValueMay) {
  expressions::ProgramBuilder builder;
  const expressions::Slot full = builder.input(0, kFull, true);
  EXPECT_EQ(retyped(builder, full, {"x", kFull}), full);
  EXPECT_EQ(builder.type(retyped(builder, full, {"x", kWithNulls})), kWithNulls);
  const expressions::Slot with_nulls = builder.input(1, kWithNulls, true);
  EXPECT_EQ(retyped(builder, with_nulls, {"x", kFull}), with_nulls);
}

TEST(RetypedColumns, AreOfTheSameValues) {
  expressions::ProgramBuilder builder;
  const expressions::Slot number = builder.input(0, DataType(TypeId::Int), true);
  try {
    retyped(builder, number, {"x", kFull});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.message()), "values of int in column x of type array<int>");
  }
}

}  // namespace
}  // namespace accelerant::plan
