#include "aggregates/sorted_positions.h"

#include "aggregates/registry.h"
#include "columns/test_columns.h"
#include "expressions/example_values.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace accelerant::aggregates {
namespace {

using columns::ColumnPtr;
using expressions::parse_column;
using types::DataType;

ColumnPtr structs_of(std::vector<ColumnPtr> members) {
  std::vector<types::Field> fields;
  for (const ColumnPtr& member : members) fields.push_back({std::to_string(fields.size()), member->type(), true});
  const int64_t length = members.front()->length();
  return columns::Column::flat({DataType::structure(std::move(fields)),
                                types::PhysicalType::Struct,
                                length,
                                0,
                                nullptr,
                                nullptr,
                                {},
                                std::move(members)});
}

TEST(SortedPositions, GoByOneMemberAfterTheOther) {
  const ColumnPtr structs =
      structs_of({parse_column("string", {"a", "b", "c", "d", "e"}), parse_column("int", {"2", "null", "1", "2", "1"}),
                  parse_column("double", {"1", "1", "nan", "5", "0"})});
  const std::vector<int32_t> rows = {0, 1, 2, 3, 4};
  const auto sorted = [&](const std::vector<ValueOrder>& orders) { return sorted_positions(*structs, rows, orders); };
  EXPECT_EQ(sorted({{false, false}, {false, false}}), (std::vector<int32_t>{1, 4, 2, 0, 3}));
  EXPECT_EQ(sorted({{true, true}, {true, true}}), (std::vector<int32_t>{3, 0, 2, 4, 1}));
  EXPECT_EQ(sorted({{false, true}}), (std::vector<int32_t>{2, 4, 0, 3, 1}));
  EXPECT_EQ(sorted({{true, false}}), (std::vector<int32_t>{1, 0, 3, 2, 4}));
  EXPECT_EQ(sorted({}), rows);
}

TEST(SortedPositions, OrderTheTextsOfAList) {
  const ColumnPtr structs =
      structs_of({parse_column("string", {"of a", "text", "a"}), parse_column("int", {"2", "3", "1"})});
  Call call = call_of("listagg", {structs->type(), DataType(types::TypeId::String)}, DataType(types::TypeId::String));
  call.orders = {{true, true}};
  const auto into = call.make_accumulator({memory::process_budget(), nullptr, nullptr, 0, 1024});
  const auto from = call.make_accumulator({memory::process_budget(), nullptr, nullptr, 0, 1024});
  into->resize(2);
  from->resize(2);
  from->update({nullptr, 3, 2, 0}, std::vector<ColumnPtr>{structs, parse_column("string", {" ", " ", " "})});
  from->seal();
  into->merge_states(from->states(1, 1), std::vector<int32_t>{1});
  into->seal();
  std::vector<columns::RowError> errors;
  EXPECT_EQ(columns::test::show(*into->finish(1, 1, errors)), std::vector<std::string>{"text of a a"});
}

}  // namespace
}  // namespace accelerant::aggregates
