#include "operators/nested_keys.h"

#include "columns/test_columns.h"
#include "expressions/example_values.h"
#include "operators/group_keys.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace accelerant::operators {
namespace {

using columns::ColumnPtr;
using columns::test::show;
using columns::test::unlimited;
using expressions::parse_column;
using Texts = std::vector<std::string>;

/// Returns what encoding and decoding leave of values.
Texts through_bytes(const ColumnPtr& values) {
  const ColumnPtr keys = encode_nested_keys(*values, unlimited());
  return show(*decode_nested_keys(values->type(), *keys, unlimited()));
}

TEST(NestedKeys, AreReadBack) {
  const Texts lists{"[1,null,3]", "null", "[]", "[7]"};
  EXPECT_EQ(through_bytes(parse_column("array<int>", lists)), lists);
  const Texts texts{"[a,a text of more than twelve bytes]", "[null]", "null"};
  EXPECT_EQ(through_bytes(parse_column("array<string>", texts)), texts);
  const Texts rows{"(1,x,[1.50])", "(null,null,null)", "null", "(2,y,[null,-0.25])"};
  const ColumnPtr structs = parse_column("struct<a:int,b:string,c:array<decimal(30,2)>>", rows);
  EXPECT_EQ(through_bytes(structs), show(*structs));
  const Texts maps{"{a:1,b:null}", "null", "{}", "{a text of more than twelve bytes:2}"};
  EXPECT_EQ(through_bytes(parse_column("map<string,int>", maps)), maps);
  const Texts map_lists{"[{1:[x],2:null},null]", "[{}]"};
  EXPECT_EQ(through_bytes(parse_column("array<map<int,array<string>>>", map_lists)), map_lists);
  const Texts deep{"[[(1,null)],null,[]]", "[[null,(2,z)]]"};
  EXPECT_EQ(through_bytes(parse_column("array<array<struct<a:bigint,b:string>>>", deep)), deep);
}

TEST(NestedKeys, AreReadBackFromAnyEncoding) {
  const ColumnPtr lists = parse_column("array<int>", {"[1,null]", "null", "[2]"});
  EXPECT_EQ(through_bytes(lists->slice(1, 2)), (Texts{"null", "[2]"}));
  EXPECT_EQ(through_bytes(columns::test::make_dictionary(lists, {2, std::nullopt, 0, 1})),
            (Texts{"[2]", "null", "[1,null]", "null"}));
}

TEST(NestedKeys, AreEqualWhereValuesAre) {
  const auto bytes_of = [](const char* type, const char* value) {
    return show(*encode_nested_keys(*parse_column(type, {value}), unlimited()), 0);
  };
  EXPECT_EQ(bytes_of("array<double>", "[-0,nan]"), bytes_of("array<double>", "[0,-nan]"));
  EXPECT_NE(bytes_of("array<double>", "[1]"), bytes_of("array<double>", "[1,null]"));
  EXPECT_NE(bytes_of("array<string>", "[ab,c]"), bytes_of("array<string>", "[a,bc]"));
  EXPECT_NE(bytes_of("map<string,int>", "{a:1,b:2}"), bytes_of("map<string,int>", "{b:2,a:1}"));
  EXPECT_NE(bytes_of("struct<a:int,b:int>", "(null,0)"), bytes_of("struct<a:int,b:int>", "(0,null)"));
}

TEST(NestedKeys, StandAmongOtherKeys) {
  KeyEncoder encoder({types::DataType(types::TypeId::Int), expressions::parse_type("array<string>"),
                      types::DataType(types::TypeId::String)},
                     unlimited());
  const Texts numbers{"1", "null"}, lists{"[x,null]", "null"}, texts{"a", "b"};
  const std::vector<ColumnPtr> keys{parse_column("int", numbers), parse_column("array<string>", lists),
                                    parse_column("string", texts)};
  encoder.encode(keys, 2);
  const std::vector<std::string_view> encoded{encoder.key(0), encoder.key(1)};
  const auto decoded = encoder.decode(encoded);
  EXPECT_EQ(show(*decoded[0]), numbers);
  EXPECT_EQ(show(*decoded[1]), lists);
  EXPECT_EQ(show(*decoded[2]), texts);
}

}  // namespace
}  // namespace accelerant::operators
