#include "plan/window_function.h"

#include <algorithm>
#include <array>

namespace accelerant::plan {

namespace {

constexpr auto kWindowFunctions = std::to_array<WindowFunction>({
    {WindowKind::RowNumber, "org.apache.spark.sql.catalyst.expressions.RowNumber", "row_number()", "", "int",
     "Returns the number of the row in its window partition, from 1."},
    {WindowKind::Rank, "org.apache.spark.sql.catalyst.expressions.Rank", "rank()", "", "int",
     "Returns one more than the number of rows that come before the row and those of equal order."},
    {WindowKind::DenseRank, "org.apache.spark.sql.catalyst.expressions.DenseRank", "dense_rank()", "", "int",
     "Returns the number of different places in the order up to the row's."},
    {WindowKind::PercentRank, "org.apache.spark.sql.catalyst.expressions.PercentRank", "percent_rank()", "", "double",
     "Returns the rank as a share of the window partition, from 0 to 1."},
    {WindowKind::CumeDist, "org.apache.spark.sql.catalyst.expressions.CumeDist", "cume_dist()", "", "double",
     "Returns the share of rows that do not come behind the row."},
    {WindowKind::NTile, "org.apache.spark.sql.catalyst.expressions.NTile", "ntile(n)", "int", "int",
     "Returns in which of n parts of about the same size the row is, from 1."},
    {WindowKind::Shift, "org.apache.spark.sql.catalyst.expressions.Lag", "lag(input, offset, default)", "any,int,any",
     "any", "Returns the value of a row that many rows before; the default where there is none."},
    {WindowKind::Shift, "org.apache.spark.sql.catalyst.expressions.Lead", "lead(input, offset, default)", "any,int,any",
     "any", "Returns the value of a row that many rows behind; the default where there is none."},
    {WindowKind::NthValue, "org.apache.spark.sql.catalyst.expressions.NthValue", "nth_value(input, offset)", "any,int",
     "any", "Returns the value of that row of the frame, counted from 1; null where there is none."},
});

}  // namespace

std::span<const WindowFunction> window_functions() { return kWindowFunctions; }

const WindowFunction* find_window_function(std::string_view spark_class) {
  const auto found = std::ranges::find(kWindowFunctions, spark_class, &WindowFunction::spark_class);
  return found == kWindowFunctions.end() ? nullptr : &*found;
}

}  // namespace accelerant::plan
