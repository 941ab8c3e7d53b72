#include "plan/plan_message.h"

#include "base/error.h"
#include "plan/byte_reader.h"
#include "plan/value_decoder.h"

#include <algorithm>

namespace accelerant::plan {

namespace {

constexpr uint64_t kPlanVersion = 3;
constexpr size_t kMinNodeBytes = 3;
constexpr size_t kMinSettingBytes = 2;
constexpr size_t kMinZoneBytes = 4;
constexpr size_t kMinTransitionBytes = 2;

std::vector<std::string> decode_strings(ByteReader& reader) {
  std::vector<std::string> strings;
  const size_t count = reader.count();
  strings.reserve(count);
  for (size_t i = 0; i < count; ++i) strings.emplace_back(reader.text());
  return strings;
}

/// Reads an offset from UTC in seconds, 18 hours at most as java.time.ZoneOffset has it.
int32_t decode_offset(ByteReader& reader) {
  constexpr int64_t kMost = 18 * 3600;
  const int64_t offset = reader.svarint();
  if (offset < -kMost || offset > kMost) reader.fail("offset " + std::to_string(offset));
  return static_cast<int32_t>(offset);
}

/// Says whether a transition that comes `step` seconds after the last one, or after 1970 for the first, is after it and
/// in a year that java.time knows.
bool is_later(int64_t step, const std::vector<types::ZoneTransition>& transitions) {
  constexpr int64_t kMost = int64_t{1} << 55;
  if (step < -kMost || step > kMost) return false;
  if (transitions.empty()) return true;
  return step > 0 && transitions.back().second < kMost;
}

std::shared_ptr<const types::ZoneRules> decode_zone(ByteReader& reader, ValueDecoder& decoder) {
  const std::string_view id = decoder.str();
  const int32_t first_offset = decode_offset(reader);
  const size_t num_irregular = reader.count(kMinTransitionBytes);
  const size_t num_recurring = reader.count(kMinTransitionBytes);
  std::vector<types::ZoneTransition> transitions;
  for (size_t i = 0; i < num_irregular + num_recurring; ++i) {
    const int64_t step = reader.svarint();
    const int64_t previous = transitions.empty() ? 0 : transitions.back().second;
    if (!is_later(step, transitions)) reader.fail("a transition of time zone " + std::string(id) + " out of order");
    transitions.push_back({previous + step, decode_offset(reader)});
  }
  return std::make_shared<types::ZoneRules>(std::string(id), first_offset, transitions, num_irregular);
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
    enum : uint8_t { kNullable = 1, kBridgeable = 2, kOfUsers = 4 };
    const uint8_t flags = reader.u8();
    if (flags > (kNullable | kBridgeable | kOfUsers))
      reader.fail("flags " + std::to_string(flags) + " of an expression");
    node.nullable = flags & kNullable;
    node.is_bridgeable = flags & kBridgeable;
    node.is_of_users = flags & kOfUsers;
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
  reader.header("ACCP", kPlanVersion);
  message.spark_version = reader.text();
  storage->strings = decode_strings(reader);
  ValueDecoder decoder(reader, storage->strings);
  for (size_t count = reader.count(kMinSettingBytes); count > 0; --count) {
    const std::string_view name = decoder.str();
    message.settings.emplace_back(name, decoder.str());
  }
  for (size_t zones = reader.count(kMinZoneBytes); zones > 0; --zones) {
    message.zones.push_back(decode_zone(reader, decoder));
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

std::shared_ptr<const types::ZoneRules> PlanMessage::find_zone(std::string_view id) const {
  const auto found = std::find_if(zones.begin(), zones.end(), [id](const auto& zone) { return zone->id() == id; });
  return found == zones.end() ? nullptr : *found;
}

std::string_view short_name(std::string_view class_name) {
  // find_last_of would look for each character of the name in a string.
  size_t start = class_name.size();
  while (start > 0 && class_name[start - 1] != '.' && class_name[start - 1] != '$') --start;
  return class_name.substr(start);
}

}  // namespace accelerant::plan
