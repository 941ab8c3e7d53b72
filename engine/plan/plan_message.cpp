#include "plan/plan_message.h"

#include "base/error.h"
#include "plan/byte_reader.h"
#include "plan/value_decoder.h"

namespace accelerant::plan {

namespace {

constexpr uint64_t kFormatVersion = 1;
constexpr size_t kMinNodeBytes = 3;
constexpr size_t kMinSettingBytes = 2;

std::vector<std::string> decode_strings(ByteReader& reader) {
  std::vector<std::string> strings;
  const size_t count = reader.count();
  strings.reserve(count);
  for (size_t i = 0; i < count; ++i) strings.emplace_back(reader.text());
  return strings;
}

MessageNode decode_node(ByteReader& reader, ValueDecoder& decoder, int index) {
  enum : uint8_t { kPlan = 1, kExpression = 2 };
  MessageNode node;
  const uint8_t kind = reader.u8();
  if (kind != kPlan && kind != kExpression) reader.fail("node kind " + std::to_string(kind));
  node.is_plan = kind == kPlan;
  node.class_name = decoder.str();
  if (!node.is_plan) {
    const uint8_t code = reader.u8();
    if (code != 0) node.type = decoder.type(code);
    node.nullable = reader.boolean();
  }
  node.fields = decoder.fields(index);
  return node;
}

}  // namespace

PlanMessage decode_plan(std::span<const uint8_t> bytes) {
  auto storage = std::make_unique<PlanMessage::Storage>();
  storage->bytes.assign(bytes.begin(), bytes.end());
  ByteReader reader(storage->bytes, "plan message");
  PlanMessage message;
  reader.header("ACCP", kFormatVersion);
  message.spark_version = reader.text();
  storage->strings = decode_strings(reader);
  ValueDecoder decoder(reader, storage->strings);
  for (size_t count = reader.count(kMinSettingBytes); count > 0; --count) {
    const std::string_view name = decoder.str();
    message.settings.emplace_back(name, decoder.str());
  }
  const size_t count = reader.count(kMinNodeBytes);
  message.nodes.reserve(count);
  for (size_t i = 0; i < count; ++i) message.nodes.push_back(decode_node(reader, decoder, static_cast<int>(i)));
  message.root = reader.int32();
  if (static_cast<size_t>(message.root) >= count || !message.node(message.root).is_plan)
    reader.fail("the root is no plan node");
  reader.expect_end();
  message.storage = std::move(storage);
  return message;
}

std::string_view short_name(std::string_view class_name) {
  const size_t dot = class_name.find_last_of(".$");
  return dot == std::string_view::npos ? class_name : class_name.substr(dot + 1);
}

}  // namespace accelerant::plan
