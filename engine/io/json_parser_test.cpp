#include "io/json_parser.h"

#include "columns/test_columns.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace accelerant::io {
namespace {

using columns::test::show;
using columns::test::unlimited;
using types::DataType;
using types::Field;
using types::TypeId;

const DataType kLong(TypeId::Long);
const DataType kText(TypeId::String);

types::StringRef text_of(const std::string& text) { return {text.data(), static_cast<int32>(text.size())}; }

JsonReading in_utc() {
  JsonReading reading;
  reading.zone = types::utc();
  return reading;
}

/// Returns what a parser makes of one line: the row, "blank" or "odd".
std::string parse(JsonParser& parser, const std::string& line) {
  const JsonLine kind = parser.parse(text_of(line));
  if (kind == JsonLine::Blank) return "blank";
  if (kind == JsonLine::Odd) return "odd";
  const auto rows = parser.finish();
  EXPECT_EQ(rows->length(), 1);
  return show(*rows, 0);
}

std::string parse(const std::vector<Field>& schema, const std::string& line) {
  JsonParser parser(schema, in_utc(), unlimited());
  return parse(parser, line);
}

/// Returns what a parser makes of a value of a type.
std::string value(const DataType& type, const std::string& text) {
  const std::string row = parse({{"v", type}}, "{\"v\":" + text + "}");
  return row == "odd" ? row : row.substr(1, row.size() - 2);
}

TEST(JsonParser, FindsMembersInAnyOrder) {
  const std::vector<Field> schema = {{"a", kLong}, {"b", kText}, {"c", kLong}};
  EXPECT_EQ(parse(schema, R"({"a":1,"b":"x","c":2})"), "(1,x,2)");
  EXPECT_EQ(parse(schema, R"( { "c" : 2 , "z":[{}], "a":1} )"), "(1,null,2)");
  EXPECT_EQ(parse(schema, R"({"A":1,"b":null})"), "(null,null,null)");
  EXPECT_EQ(parse(schema, "{}"), "(null,null,null)");
  EXPECT_EQ(parse({}, R"({"a":1})"), "()");
}

TEST(JsonParser, TellsLinesWithoutRows) {
  EXPECT_EQ(parse({{"a", kLong}}, ""), "blank");
  EXPECT_EQ(parse({{"a", kLong}}, " \t\r"), "blank");
}

TEST(JsonParser, LeavesOddLines) {
  const std::vector<Field> schema = {{"a", kLong}, {"s", DataType::structure({{"x", kLong}})}};
  for (const char* line : {"[]",
                           "null",
                           "1",
                           "{",
                           "{\"a\"",
                           "{\"a\":",
                           "{\"a\":1",
                           "{\"a\":1,",
                           "{\"a\":1,}",
                           "{\"a\":1}x",
                           "{a:1}",
                           "{'a':1}",
                           "{\"a\":1 \"s\":{}}",
                           "{\"a\":01}",
                           "{\"a\":1.}",
                           "{\"a\":.5}",
                           "{\"a\":+1}",
                           "{\"a\":1e}",
                           "{\"a\":-}",
                           "{\"a\":1.0}",
                           "{\"a\":\"1\"}",
                           "{\"a\":true}",
                           "{\"a\":{}}",
                           "{\"a\":1,\"a\":2}",
                           "{\"\\u0061\":1}",
                           "{\"s\":[]}",
                           "{\"s\":{\"x\":1,\"x\":1}}",
                           "{\"z\":01}",
                           "{\"z\":nul}",
                           "{\"z\":\"\\x\"}",
                           "{\"z\":\"\\u00g0\"}",
                           "{\"z\":\"\x01\"}",
                           "{\"z\":[1,]}",
                           "{\"z\":{1:2}}",
                           "{\"z\":/**/1}",
                           "{\"z\":NaN}",
                           "{\"z\":\"\xff\"}",
                           "{\"z\":\"\xed\xa0\x80\"}",
                           "\xef\xbb\xbf{}"}) {
    EXPECT_EQ(parse(schema, line), "odd") << line;
  }
}

TEST(JsonParser, ReadsIntegersInTheirRange) {
  EXPECT_EQ(value(DataType(TypeId::Byte), "-128"), "-128");
  EXPECT_EQ(value(DataType(TypeId::Byte), "128"), "odd");
  EXPECT_EQ(value(DataType(TypeId::Short), "32767"), "32767");
  EXPECT_EQ(value(DataType(TypeId::Int), "-2147483649"), "odd");
  EXPECT_EQ(value(kLong, "-0"), "0");
  EXPECT_EQ(value(kLong, "999999999999999999"), "999999999999999999");
  EXPECT_EQ(value(kLong, "1e2"), "odd");
}

TEST(JsonParser, ReadsOtherNumbers) {
  const DataType real(TypeId::Double);
  EXPECT_EQ(value(real, "0.1"), "0.100000");
  EXPECT_EQ(value(real, "-7"), "-7.000000");
  EXPECT_EQ(value(real, "-0"), "odd");
  EXPECT_EQ(value(real, "123456789.0123456789e-8"), "1.234568");
  EXPECT_EQ(value(real, "1e999"), "odd");
  EXPECT_EQ(value(real, "\"NaN\""), "odd");
  EXPECT_EQ(value(DataType(TypeId::Float), "0.5"), "0.500000");
  EXPECT_EQ(value(DataType::decimal(5, 2), "1.5"), "150");
  EXPECT_EQ(value(DataType::decimal(5, 2), "-1.555"), "-156");
  EXPECT_EQ(value(DataType::decimal(5, 2), "1000"), "odd");
  EXPECT_EQ(value(DataType::decimal(38, 0), "12345678901234567890123456789012345678"),
            "12345678901234567890123456789012345678");
}

TEST(JsonParser, ReadsTexts) {
  EXPECT_EQ(value(kText, R"("")"), "");
  EXPECT_EQ(value(kText, R"("a text of more than twelve bytes")"), "a text of more than twelve bytes");
  EXPECT_EQ(value(kText, R"("\"\\\/\b\f\n\r\t")"), "\"\\/\b\f\n\r\t");
  EXPECT_EQ(value(kText, R"("\u00e9\u20AC\ud83d\ude00 and what follows")"),
            "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80 and what follows");
  for (const char* text : {R"("\ud83d")", R"("\ude00")", R"("\ud83dx")", R"("\ud83d\u0041")", R"("\)"}) {
    EXPECT_EQ(value(kText, text), "odd") << text;
  }
}

TEST(JsonParser, LeavesNamesWithEscapedPairs) {
  EXPECT_EQ(parse({}, R"({"z":{"\u00e9\n":1}})"), "()");
  EXPECT_EQ(parse({}, R"({"z":{"\ud83d\ude00":1}})"), "odd");
  EXPECT_EQ(value(DataType::map(kText, kText, true), R"({"\u00e9":"x"})"), "{\xc3\xa9:x}");
  EXPECT_EQ(value(DataType::map(kText, kText, true), R"({"\ud83d\ude00":"x"})"), "odd");
}

TEST(JsonParser, TakesOtherValuesAsTextsWhereAsked) {
  EXPECT_EQ(value(kText, R"({ "a" : [1.50, true] })"), R"({ "a" : [1.50, true] })");
  EXPECT_EQ(value(kText, "1.0e5"), "1.0e5");
  JsonReading strictly;
  strictly.takes_values_as_text = false;
  JsonParser strict({{"v", kText}}, strictly, unlimited());
  EXPECT_EQ(parse(strict, R"({"v":1})"), "odd");
  EXPECT_EQ(parse(strict, R"({"v":null})"), "(null)");
}

TEST(JsonParser, ReadsTimes) {
  EXPECT_EQ(value(DataType(TypeId::Date), R"("1970-01-02")"), "1");
  EXPECT_EQ(value(DataType(TypeId::Date), R"("02/01/1970")"), "odd");
  EXPECT_EQ(value(DataType(TypeId::Timestamp), R"("1970-01-01T00:00:01.5Z")"), "1500000");
  EXPECT_EQ(value(DataType(TypeId::Timestamp), R"("1970-01-01 00:00:01")"), "1000000");
  EXPECT_EQ(value(DataType(TypeId::Timestamp), "1"), "odd");
  EXPECT_EQ(value(DataType(TypeId::Timestamp), R"("00:00:01")"), "odd");
  EXPECT_EQ(value(DataType(TypeId::TimestampNtz), R"("1970-01-01T00:00:01")"), "1000000");
  EXPECT_EQ(value(DataType(TypeId::TimestampNtz), R"("1970-01-01T00:00:01Z")"), "odd");
  JsonParser without_zone({{"v", DataType(TypeId::Timestamp)}}, {}, unlimited());
  EXPECT_EQ(parse(without_zone, R"({"v":"1970-01-01 00:00:01"})"), "odd");
}

TEST(JsonParser, ReadsNestedValues) {
  const DataType lists = DataType::array(DataType::array(kLong, true), true);
  EXPECT_EQ(value(lists, "[[1,null],[],null]"), "[[1,null],[],null]");
  const DataType map = DataType::map(kText, kLong, true);
  EXPECT_EQ(value(map, R"({"x":1,"y":null})"), "{x:1,y:null}");
  EXPECT_EQ(value(map, "{}"), "{}");
  const DataType members = DataType::array(DataType::structure({{"a", kLong}, {"b", kText}}), true);
  EXPECT_EQ(value(members, R"([{"b":"x"},{},null,{"a":1,"c":2}])"), "[(null,x),(null,null),null,(1,null)]");
}

TEST(JsonParser, ForgetsWhatOddLinesBegan) {
  const DataType list = DataType::array(DataType::structure({{"a", kText}}), true);
  JsonParser parser({{"l", list}, {"m", DataType::map(kText, list, true)}, {"n", kLong}}, {}, unlimited());
  for (int i = 0; i < 2000; ++i) {
    EXPECT_EQ(parser.parse(text_of(R"({"l":[{"a":"a text that is long enough"},null],"m":{"k":[{"a":"b"}]},"n":)" +
                                   std::to_string(i) + "}")),
              JsonLine::Row);
    EXPECT_EQ(parser.parse(text_of(R"({"n":7,"m":{"k":[],"l":[{}]},"l":[{"a":"x"},{"a":2]})")), JsonLine::Odd);
  }
  const auto rows = parser.finish();
  ASSERT_EQ(rows->length(), 2000);
  EXPECT_EQ(show(*rows, 1999), "([(a text that is long enough),null],{k:[(b)]},1999)");
  EXPECT_EQ(rows->children()[0]->children()[0]->length(), 4000);
  EXPECT_EQ(parser.parse(text_of("{}")), JsonLine::Row);
  EXPECT_EQ(show(*parser.finish(), 0), "(null,null,null)");
}

TEST(JsonParser, BoundsDepth) {
  const auto nested = [](int depth) {
    return "{\"z\":" + std::string(static_cast<size_t>(depth), '[') + std::string(static_cast<size_t>(depth), ']') +
           "}";
  };
  EXPECT_EQ(parse({}, nested(100)), "()");
  EXPECT_EQ(parse({}, nested(100'000)), "odd");
}

TEST(JsonParser, StandsDamagedBytes) {
  const DataType list = DataType::array(DataType::structure({{"d", kText}, {"f", DataType::decimal(20, 3)}}), true);
  JsonParser parser({{"b", kText}, {"c", list}, {"m", DataType::map(kText, kLong, true)}}, in_utc(), unlimited());
  const std::string line =
      R"({"b":"x\u00e9y and some more \ud83d\ude00","c":[{"d":null,"f":1.5e3},{}],"m":{"k":1,"\n":-2}})";
  std::mt19937 random(1);
  int64_t num_rows = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string damaged = line;
    for (int n = 0; n < 2; ++n) {
      damaged[random() % damaged.size()] = i % 2 == 0 ? static_cast<char>(random()) : line[random() % line.size()];
    }
    // A copy of its own size, so that a read behind its end is one behind an allocation's.
    const std::vector<char> bytes(damaged.begin(), damaged.end());
    num_rows += parser.parse({bytes.data(), static_cast<int32>(bytes.size())}) == JsonLine::Row;
  }
  const auto rows = parser.finish();
  EXPECT_EQ(rows->length(), num_rows);
  EXPECT_GT(num_rows, 100);
  EXPECT_LT(num_rows, 19'000);
  for (const std::string& row : show(*rows)) EXPECT_GE(row.size(), 7);
}

TEST(JsonParser, LeavesCutLines) {
  const std::string line = R"({"a":12,"b":"x\u00e9y and some more","c":[1,{"d":null}],"e":1.5e3})";
  for (size_t i = 1; i < line.size(); ++i) EXPECT_EQ(parse({{"b", kText}}, line.substr(0, i)), "odd") << i;
  EXPECT_EQ(parse({{"b", kText}}, line), "(x\xc3\xa9y and some more)");
}

}  // namespace
}  // namespace accelerant::io
