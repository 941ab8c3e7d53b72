#include "plan/plan_message.h"

#include "base/error.h"
#include "plan/message_writer.h"
#include "plan/splits_message.h"

#include <gtest/gtest.h>

#include <limits>

namespace accelerant::plan {
namespace {

using types::DataType;
using types::TypeId;

DataType every_type() {
  std::vector<types::Field> fields;
  const auto add = [&](const DataType& type) { fields.push_back({"f" + std::to_string(fields.size()), type, true}); };
  for (int id = static_cast<int>(TypeId::Null); id <= static_cast<int>(TypeId::Double); ++id)
    add(DataType(static_cast<TypeId>(id)));
  add(DataType::decimal(38, 10));
  for (const TypeId id : {TypeId::String, TypeId::Binary, TypeId::Date, TypeId::Timestamp, TypeId::TimestampNtz,
                          TypeId::CalendarInterval}) {
    add(DataType(id));
  }
  add(DataType::interval(TypeId::DayTimeInterval, 0, 3));
  add(DataType::interval(TypeId::YearMonthInterval, 0, 1));
  add(DataType::array(DataType(TypeId::Int), true));
  add(DataType::map(DataType(TypeId::String), DataType::array(DataType(TypeId::Int), false), false));
  add(DataType::other("variant"));
  return DataType::structure(std::move(fields));
}

std::vector<uint8_t> example() {
  PlanMessageBuilder builder;
  const int literal = builder.expression("Literal", DataType(TypeId::Int), false, {{"value", {int64_t{-5}}}});
  const int everything = builder.expression("Everything", every_type(), true,
                                            {{"null", {}},
                                             {"no", {false}},
                                             {"yes", {true}},
                                             {"integer", {std::numeric_limits<int64_t>::min()}},
                                             {"float", {1.5}},
                                             {"text", {Text{"hello"}}},
                                             {"list", {List{{{int64_t{1}}, {NodeReference{literal}}}}}},
                                             {"map", {Map{{{Text{"k"}}, {int64_t{2}}}}}},
                                             {"product", {Product{"a.b.C", {{"name", {Text{"ANSI"}}}}}}},
                                             {"type", {DataType::decimal(15, 2)}},
                                             {"bytes", {Bytes{std::string_view("a\0b", 3)}}},
                                             {"decimal", {Decimal{15, 2, std::string_view("\xff\x00", 2)}}},
                                             {"opaque", {Opaque{"x.Y"}}}});
  return builder.finish(builder.plan("TestExec", {{"expression", {NodeReference{everything}}}}));
}

std::string decode_error(const std::vector<uint8_t>& bytes) {
  try {
    decode_plan(bytes);
  } catch (const Error& error) {
    return error.message();
  }
  return "";
}

TEST(PlanMessage, RoundTripsEveryKindOfValue) {
  const PlanMessage message = decode_plan(example());
  EXPECT_EQ(message.spark_version, "4.3.0");
  ASSERT_EQ(message.nodes.size(), 3u);
  EXPECT_EQ(message.root, 2);
  EXPECT_TRUE(message.node(2).is_plan);
  const MessageNode& node = message.node(1);
  EXPECT_EQ(short_name(node.class_name), "Everything");
  EXPECT_EQ(*node.type, every_type());
  ASSERT_EQ(node.fields.size(), 13u);
  EXPECT_TRUE(node.fields[0].value.is_null());
  EXPECT_FALSE(*node.fields[1].value.get_if<bool>());
  EXPECT_TRUE(*node.fields[2].value.get_if<bool>());
  EXPECT_EQ(*node.fields[3].value.get_if<int64_t>(), std::numeric_limits<int64_t>::min());
  EXPECT_EQ(*node.fields[4].value.get_if<double>(), 1.5);
  EXPECT_EQ(node.fields[5].value.get_if<Text>()->text, "hello");
  EXPECT_EQ(node.fields[6].value.get_if<List>()->items[1].get_if<NodeReference>()->index, 0);
  EXPECT_EQ(node.fields[7].value.get_if<Map>()->items.size(), 2u);
  EXPECT_EQ(node.fields[8].value.get_if<Product>()->class_name, "a.b.C");
  EXPECT_EQ(*node.fields[9].value.get_if<DataType>(), DataType::decimal(15, 2));
  EXPECT_EQ(node.fields[10].value.get_if<Bytes>()->bytes, std::string_view("a\0b", 3));
  EXPECT_EQ(node.fields[11].value.get_if<Decimal>()->unscaled.size(), 2u);
  EXPECT_EQ(node.fields[12].value.get_if<Opaque>()->class_name, "x.Y");
}

TEST(PlanMessage, StaysValidWhenMoved) {
  PlanMessage first = decode_plan(example());
  const PlanMessage second = std::move(first);
  EXPECT_EQ(second.node(1).fields[5].value.get_if<Text>()->text, "hello");
  EXPECT_EQ(second.settings[0].first, "spark.sql.ansi.enabled");
}

TEST(PlanMessage, HoldsTimeZones) {
  PlanMessageBuilder builder;
  const int root = builder.plan("LocalTableScanExec", {});
  builder.zone("+02:00", 7200);
  builder.zone("Europe/Berlin", 3208, {{-2422054408, 3600}, {-1693706400, 7200}, {1711846800, 7200}}, 2);
  const PlanMessage message = decode_plan(builder.finish(root));
  EXPECT_EQ(message.find_zone("Mars/Olympus"), nullptr);
  EXPECT_EQ(types::offset_at(message.find_zone("+02:00")->view(), 0), 7200);
  const auto berlin = message.find_zone("Europe/Berlin");
  EXPECT_EQ(types::offset_at(berlin->view(), -2422054409), 3208);
  EXPECT_EQ(types::offset_at(berlin->view(), -2422054408), 3600);
  EXPECT_EQ(types::offset_at(berlin->view(), 1711846800), 7200);
  EXPECT_TRUE(berlin->view().repeats);
}

TEST(PlanMessage, RefusesTransitionsOutOfOrder) {
  for (const int64_t second : {int64_t{5}, int64_t{4}, int64_t{1} << 60}) {
    PlanMessageBuilder builder;
    const int root = builder.plan("LocalTableScanExec", {});
    builder.zone("odd", 0, {{5, 3600}, {second, 0}}, 2);
    EXPECT_NE(decode_error(builder.finish(root)).find("time zone odd"), std::string::npos);
  }
}

TEST(PlanMessage, RefusesOffsetsOfMoreThanEighteenHours) {
  PlanMessageBuilder builder;
  const int root = builder.plan("LocalTableScanExec", {});
  builder.zone("far", 64801);
  EXPECT_NE(decode_error(builder.finish(root)).find("offset 64801"), std::string::npos);
}

TEST(PlanMessage, RefusesOtherVersionsByName) {
  std::vector<uint8_t> bytes = example();
  bytes[4] = 1;
  try {
    decode_plan(bytes);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Unsupported);
    EXPECT_EQ(error.message(), "plan message format 1; this engine reads 3");
  }
}

TEST(PlanMessage, RefusesEveryTruncation) {
  const std::vector<uint8_t> whole = example();
  for (size_t size = 0; size < whole.size(); ++size) {
    EXPECT_NE(decode_error({whole.begin(), whole.begin() + static_cast<int64_t>(size)}), "") << size;
  }
  std::vector<uint8_t> longer = whole;
  longer.push_back(0);
  EXPECT_NE(decode_error(longer).find("bytes follow its end"), std::string::npos);
}

TEST(PlanMessage, RefusesReferencesForward) {
  PlanMessageBuilder builder;
  const auto bytes = builder.finish(builder.plan("TestExec", {{"child", {NodeReference{0}}}}));
  EXPECT_NE(decode_error(bytes).find("node 0 is not written before"), std::string::npos);
}

TEST(PlanMessage, RefusesAnExpressionAsRoot) {
  PlanMessageBuilder builder;
  const auto bytes = builder.finish(builder.expression("Literal", DataType(TypeId::Int), false, {}));
  EXPECT_NE(decode_error(bytes).find("the root is no plan node"), std::string::npos);
}

TEST(PlanMessage, LimitsNesting) {
  PlanMessageBuilder builder;
  FieldValue deep;
  for (int i = 0; i < 1000; ++i) deep = {List{{std::move(deep)}}};
  const auto bytes = builder.finish(builder.plan("TestExec", {{"deep", std::move(deep)}}));
  EXPECT_EQ(decode_error(bytes), "values nested deeper than 64");
}

TEST(PlanMessage, LimitsCopiesOfNames) {
  const std::string name(10'000, 'x');
  PlanMessageBuilder builder;
  const DataType type = DataType::structure(std::vector<types::Field>(10'000, {name, DataType(TypeId::Int), true}));
  builder.expression("Literal", type, false, {});
  EXPECT_NE(decode_error(builder.finish(builder.plan("TestExec", {}))).find("names repeat too often"),
            std::string::npos);
}

TEST(PlanMessage, KeepsOddDecimalTypesByName) {
  MessageWriter body;
  PlanMessageBuilder builder;
  builder.expression("Literal", DataType::other("decimal(50,2)"), false, {});
  const PlanMessage message = decode_plan(builder.finish(builder.plan("TestExec", {})));
  EXPECT_EQ(message.node(0).type->to_string(), "decimal(50,2)");
}

std::vector<uint8_t> example_splits() {
  MessageWriter out;
  out.raw("ACCS");
  out.varint(1);
  out.varint(1);
  out.varint(7);
  out.varint(2);
  out.varint(1);
  out.text("file:///data/a.parquet");
  out.varint(4);
  out.varint(1000);
  out.varint(2000);
  out.svarint(-1);
  out.varint(2);
  out.value({Bytes{"x"}});
  out.value({});
  out.varint(0);
  return out.take();
}

TEST(SplitsMessage, Decodes) {
  const SplitsMessage message = decode_splits(example_splits());
  ASSERT_EQ(message.scans.size(), 1u);
  EXPECT_EQ(message.scans[0].plan_node, 7);
  ASSERT_EQ(message.scans[0].partitions.size(), 2u);
  const MessageSplit& split = message.scans[0].partitions[0].at(0);
  EXPECT_EQ(split.path, "file:///data/a.parquet");
  EXPECT_EQ(split.start, 4);
  EXPECT_EQ(split.length, 1000);
  EXPECT_EQ(split.file_size, 2000);
  EXPECT_EQ(split.modification_millis, -1);
  EXPECT_EQ(split.partition_values.size(), 2u);
}

TEST(SplitsMessage, ChangesPaths) {
  const auto bytes =
      with_paths(example_splits(), [](std::string_view path) { return std::string(path) + std::string(200, 'x'); });
  const SplitsMessage message = decode_splits(bytes);
  const MessageSplit& split = message.scans.at(0).partitions.at(0).at(0);
  EXPECT_EQ(split.path, "file:///data/a.parquet" + std::string(200, 'x'));
  EXPECT_EQ(split.start, 4);
  EXPECT_EQ(split.partition_values.size(), 2u);
  EXPECT_EQ(with_paths(bytes, [](std::string_view path) { return std::string(path.substr(0, path.size() - 200)); }),
            example_splits());
}

TEST(SplitsMessage, RefusesEveryTruncation) {
  const std::vector<uint8_t> whole = example_splits();
  for (size_t size = 0; size < whole.size(); ++size) {
    const std::vector<uint8_t> part(whole.begin(), whole.begin() + static_cast<int64_t>(size));
    EXPECT_THROW(decode_splits(part), Error) << size;
  }
}

}  // namespace
}  // namespace accelerant::plan
