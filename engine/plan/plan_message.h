#pragma once

#include "plan/value.h"
#include "types/zone_rules.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace accelerant::plan {

class Bridge;

/// A Spark plan node, expression or aggregate function as the message has it.
struct MessageNode {
  bool is_plan = false;
  std::string_view class_name;          ///< Java class name
  std::optional<types::DataType> type;  ///< of an expression that has one
  bool nullable = true;                 ///< of an expression
  bool is_bridgeable = false;           ///< Spark's own code computes the expression from its children's values
  bool is_of_users = false;             ///< of an expression: computing it runs code of users
  std::vector<NamedValue> fields;
};

/// A decoded plan message (docs/design/plan-message.md). Refers to the bytes it was decoded from through a copy it
/// owns; movable.
struct PlanMessage {
  std::string spark_version;
  std::vector<std::pair<std::string_view, std::string_view>> settings;  ///< sorted by name
  std::vector<std::shared_ptr<const types::ZoneRules>> zones;           ///< by the ids that nodes name them with
  std::vector<MessageNode> nodes;                                       ///< a node refers only to nodes before it
  int root = -1;                                                        ///< index of the root plan node
  /// Not part of the bytes: notes what Spark's own code is to compute; nullptr: there is none of it.
  std::shared_ptr<Bridge> bridge;

  /// Owns what the views above point to.
  struct Storage {
    std::vector<uint8_t> bytes;
    std::vector<std::string> strings;
  };
  std::unique_ptr<const Storage> storage;

  /// Returns the rules of a time zone, or nullptr when the message has none under that id.
  std::shared_ptr<const types::ZoneRules> find_zone(std::string_view id) const;
  const MessageNode& node(int index) const { return nodes[static_cast<size_t>(index)]; }
};

/// Decodes bytes nobody vouches for; takes time and memory in proportion to their number.
/// @throws Error Unsupported for another format version, Internal naming the place for anything malformed
PlanMessage decode_plan(std::span<const uint8_t> bytes);

/// Returns the last part of a Java class name: "Add" of "org.apache.spark.sql.catalyst.expressions.Add".
std::string_view short_name(std::string_view class_name);

}  // namespace accelerant::plan
