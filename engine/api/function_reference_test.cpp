#include "api/function_reference.h"

#include <gtest/gtest.h>

namespace accelerant::api {

TEST(FunctionReference, HasALineForEachSignature) {
  const std::string text = accelerant_function_reference();
  EXPECT_NE(text.find("org.apache.spark.sql.catalyst.expressions.IsNaN\tisnan(expr)\tdouble\tboolean\tReturns whether"),
            std::string::npos);
  EXPECT_NE(text.find("expressions.IsNull\texpr IS NULL\tany\tboolean\t"), std::string::npos);
  EXPECT_NE(text.find("expressions.Add\texpr1 + expr2\tdecimal,decimal\tdecimal\t"), std::string::npos);
  EXPECT_NE(text.find("expressions.Round\tround(expr, scale)\tdouble,int\tdouble\t"), std::string::npos);
  EXPECT_EQ(text.back(), '\n');
}

}  // namespace accelerant::api
