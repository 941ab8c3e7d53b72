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

TEST(AggregateReference, HasALineForEachSignature) {
  const std::string text = accelerant_aggregate_reference();
  EXPECT_NE(text.find("aggregate.Sum\tsum(expr)\tint\tbigint\tcan-fail,computed\tReturns the sum"), std::string::npos);
  EXPECT_NE(text.find("aggregate.Min\tmin(expr)\tdecimal\tdecimal\t\tReturns the least"), std::string::npos);
  EXPECT_NE(text.find("aggregate.MaxBy\tmax_by(value, ordering)\tany,string\tany\torder-sensitive\t"),
            std::string::npos);
  EXPECT_NE(text.find("aggregate.CollectSet\tcollect_set(expr)\tint\tarray<int>\tdistinct\t"), std::string::npos);
  EXPECT_NE(text.find("aggregate.Count\tcount(expr, ...)\t\tbigint\tcomputed\t"), std::string::npos);
}

TEST(WindowReference, HasALineForEachFunction) {
  const std::string text = accelerant_window_reference();
  EXPECT_NE(text.find("expressions.RowNumber\trow_number()\t\tint\tReturns the number"), std::string::npos);
  EXPECT_NE(text.find("expressions.Lag\tlag(input, offset, default)\tany,int,any\tany\t"), std::string::npos);
}

}  // namespace accelerant::api
