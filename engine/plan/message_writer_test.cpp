// Only tests write messages here; as a _test file it stays out of the engine.
#include "plan/message_writer.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>

namespace accelerant::plan {

using types::DataType;
using types::TypeId;

void MessageWriter::varint(uint64_t value) {
  for (; value >= 0x80; value >>= 7) u8(static_cast<int>(value & 0x7f) | 0x80);
  u8(static_cast<int>(value));
}

void MessageWriter::f64(double value) {
  char buffer[8];
  std::memcpy(buffer, &value, 8);
  raw({buffer, 8});
}

void MessageWriter::text(std::string_view value) {
  varint(value.size());
  raw(value);
}

void MessageWriter::str(std::string_view value) {
  const auto found = string_index_.find(value);
  if (found != string_index_.end()) return varint(found->second);
  string_index_.emplace(value, strings_.size());
  varint(strings_.size());
  strings_.emplace_back(value);
}

void MessageWriter::type(const DataType& type) {
  u8(static_cast<int>(type.id()));
  const auto& members = type.fields();
  switch (type.id()) {
    case TypeId::Decimal:
      varint(static_cast<uint64_t>(type.precision()));
      return varint(static_cast<uint64_t>(type.scale()));
    case TypeId::String:
      return str("UTF8_BINARY");
    case TypeId::DayTimeInterval:
    case TypeId::YearMonthInterval:
      u8(type.start_field());
      return u8(type.end_field());
    case TypeId::Array:
      this->type(members[0].type);
      return u8(members[0].nullable);
    case TypeId::Map:
      this->type(members[0].type);
      this->type(members[1].type);
      return u8(members[1].nullable);
    case TypeId::Struct:
      varint(members.size());
      for (const types::Field& member : members) {
        str(member.name);
        this->type(member.type);
        u8(member.nullable);
      }
      return;
    case TypeId::Other:
      return str(type.to_string());
    default:
      return;
  }
}

void MessageWriter::fields(const std::vector<NamedValue>& fields) {
  varint(fields.size());
  for (const NamedValue& field : fields) {
    str(field.name);
    value(field.value);
  }
}

void MessageWriter::value(const FieldValue& value) {
  static constexpr int kTrue = 2;
  if (const auto* flag = value.get_if<bool>(); flag && *flag) return u8(kTrue);
  // The tags are numbered as the alternatives of FieldValue are, but that booleans take two.
  const size_t alternative = value.value.index();
  u8(static_cast<int>(alternative <= 1 ? alternative : alternative + 1));
  payload(value);
}

void MessageWriter::payload(const FieldValue& value) {
  if (const auto* integer = value.get_if<int64_t>()) return svarint(*integer);
  if (const auto* floating = value.get_if<double>()) return f64(*floating);
  if (const auto* string = value.get_if<Text>()) return str(string->text);
  if (const auto* reference = value.get_if<NodeReference>()) return varint(static_cast<uint64_t>(reference->index));
  if (const auto* data_type = value.get_if<DataType>()) return type(*data_type);
  if (const auto* bytes = value.get_if<Bytes>()) return text(bytes->bytes);
  if (const auto* opaque = value.get_if<Opaque>()) return str(opaque->class_name);
  if (const auto* list = value.get_if<List>()) {
    varint(list->items.size());
    for (const FieldValue& item : list->items) this->value(item);
  } else if (const auto* map = value.get_if<Map>()) {
    varint(map->items.size() / 2);
    for (const FieldValue& item : map->items) this->value(item);
  } else if (const auto* product = value.get_if<Product>()) {
    str(product->class_name);
    fields(product->fields);
  } else if (const auto* decimal = value.get_if<Decimal>()) {
    varint(static_cast<uint64_t>(decimal->precision));
    varint(static_cast<uint64_t>(decimal->scale));
    text(decimal->unscaled);
  }
}

void MessageWriter::string_table(const std::vector<std::string>& strings) {
  varint(strings.size());
  for (const std::string& string : strings) text(string);
}

namespace {

std::string full_name(std::string_view package, std::string_view class_name) {
  if (class_name.starts_with("org.") || class_name.starts_with("io.")) return std::string(class_name);
  return std::string(package) + std::string(class_name);
}

}  // namespace

int PlanMessageBuilder::plan(std::string_view class_name, const Fields& fields) {
  body_.u8(1);
  body_.str(full_name("org.apache.spark.sql.execution.", class_name));
  body_.fields(fields);
  return num_nodes_++;
}

int PlanMessageBuilder::expression(std::string_view class_name, const DataType& type, bool nullable,
                                   const Fields& fields, bool is_bridgeable) {
  body_.u8(2);
  body_.str(full_name("org.apache.spark.sql.catalyst.expressions.", class_name));
  body_.type(type);
  body_.u8((nullable ? 1 : 0) | (is_bridgeable ? 2 : 0));
  body_.fields(fields);
  return num_nodes_++;
}

void PlanMessageBuilder::zone(const std::string& id, int32_t first_offset,
                              std::vector<types::ZoneTransition> transitions, size_t num_irregular) {
  zones_.push_back({id, first_offset, std::move(transitions), num_irregular});
}

void PlanMessageBuilder::write_zones(MessageWriter& out) const {
  out.varint(zones_.size());
  for (const Zone& zone : zones_) {
    out.str(zone.id);
    out.svarint(zone.first_offset);
    out.varint(zone.num_irregular);
    out.varint(zone.transitions.size() - zone.num_irregular);
    int64_t previous = 0;
    for (const auto& [second, offset] : zone.transitions) {
      out.svarint(second - std::exchange(previous, second));
      out.svarint(offset);
    }
  }
}

std::vector<uint8_t> PlanMessageBuilder::finish(int root, std::string_view spark_version) const {
  MessageWriter body = body_;
  const size_t nodes_end = body.bytes().size();
  body.varint(settings_.size());
  for (const auto& [name, value] : settings_) {
    body.str(name);
    body.str(value);
  }
  write_zones(body);
  const std::string_view written(reinterpret_cast<const char*>(body.bytes().data()), body.bytes().size());
  MessageWriter message;
  message.raw("ACCP");
  message.varint(3);
  message.text(spark_version);
  message.string_table(body.strings());
  message.raw(written.substr(nodes_end));
  message.varint(static_cast<uint64_t>(num_nodes_));
  message.raw(written.substr(0, nodes_end));
  message.varint(static_cast<uint64_t>(root));
  return message.take();
}

namespace {

TEST(MessageWriter, WritesNumbers) {
  MessageWriter out;
  out.varint(127);
  out.varint(128);
  out.svarint(-1);
  out.svarint(64);
  EXPECT_EQ(out.bytes(), (std::vector<uint8_t>{0x7f, 0x80, 0x01, 0x01, 0x80, 0x01}));
}

TEST(MessageWriter, WritesEachStringOnce) {
  MessageWriter out;
  out.str("a");
  out.str("b");
  out.str("a");
  EXPECT_EQ(out.bytes(), (std::vector<uint8_t>{0, 1, 0}));
  EXPECT_EQ(out.strings(), (std::vector<std::string>{"a", "b"}));
}

}  // namespace

}  // namespace accelerant::plan
