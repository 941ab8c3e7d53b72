#pragma once

#include "plan/value.h"
#include "types/zone_rules.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace accelerant::plan {

/// Writes the primitives, types and values of docs/design/plan-message.md. For tests; the real writer is the JVM side.
class MessageWriter {
 public:
  void raw(std::string_view bytes) { bytes_.insert(bytes_.end(), bytes.begin(), bytes.end()); }
  void u8(int value) { bytes_.push_back(static_cast<uint8_t>(value)); }
  void varint(uint64_t value);
  void svarint(int64_t value) { varint((static_cast<uint64_t>(value) << 1) ^ static_cast<uint64_t>(value >> 63)); }
  void f64(double value);
  void text(std::string_view value);
  /// Writes an index into the string table, adding to it.
  void str(std::string_view value);
  void type(const types::DataType& type);
  void value(const FieldValue& value);
  void fields(const std::vector<NamedValue>& fields);
  /// Writes the string table.
  void string_table(const std::vector<std::string>& strings);

  std::vector<uint8_t> take() { return std::move(bytes_); }
  const std::vector<uint8_t>& bytes() const { return bytes_; }
  const std::vector<std::string>& strings() const { return strings_; }

 private:
  void payload(const FieldValue& value);

  std::vector<uint8_t> bytes_;
  std::vector<std::string> strings_;
  std::map<std::string, uint64_t, std::less<>> string_index_;
};

/// Builds plan messages node by node, children first. For tests. Names and texts must be literals or outlive `finish`.
class PlanMessageBuilder {
 public:
  using Fields = std::vector<NamedValue>;

  PlanMessageBuilder() { settings_ = {{"spark.sql.ansi.enabled", "true"}, {"spark.sql.session.timeZone", "UTC"}}; }

  /// Adds a setting or changes one.
  void setting(const std::string& name, const std::string& value) { settings_[name] = value; }
  /// Adds a time zone. `transitions` after the first `num_irregular` recur every 400 years.
  void zone(const std::string& id, int32_t first_offset, std::vector<types::ZoneTransition> transitions = {},
            size_t num_irregular = 0);
  /// Adds a plan node; returns its index. `class_name` is below org.apache.spark.sql.execution unless it starts with
  /// org. or io.
  int plan(std::string_view class_name, const Fields& fields);
  /// Adds an expression; returns its index. `class_name` is below org.apache.spark.sql.catalyst.expressions unless it
  /// has a dot.
  int expression(std::string_view class_name, const types::DataType& type, bool nullable, const Fields& fields,
                 bool is_bridgeable = false);
  /// Returns the message.
  std::vector<uint8_t> finish(int root, std::string_view spark_version = "4.3.0") const;

 private:
  struct Zone {
    std::string id;
    int32_t first_offset;
    std::vector<types::ZoneTransition> transitions;
    size_t num_irregular;
  };

  void write_zones(MessageWriter& out) const;

  MessageWriter body_;
  std::map<std::string, std::string> settings_;
  std::vector<Zone> zones_;
  int num_nodes_ = 0;
};

}  // namespace accelerant::plan
