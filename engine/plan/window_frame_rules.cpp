#include "plan/window_frame_rules.h"

#include "base/error.h"
#include "plan/node_fields.h"
#include "plan/settings.h"

#include <string>
#include <utility>

namespace accelerant::plan {

using expressions::EvalMode;
using expressions::Slot;
using types::DataType;
using types::TypeId;

namespace {

constexpr std::string_view kExpressions = "org.apache.spark.sql.catalyst.expressions.";
/// Spark adds rows' numbers and offsets as ints, which wrap around.
constexpr int64_t kMostFrameRows = int64_t{1} << 30;

std::string class_of(std::string_view name) { return std::string(kExpressions) + std::string(name); }

/// Returns the class of a node, of an object without the sign that Scala gives its class.
std::string_view name_of_class(const PlanMessage& message, int index) {
  std::string_view name = message.node(index).class_name;
  if (name.ends_with('$')) name.remove_suffix(1);
  return short_name(name);
}

FrameBound rows_from(int64_t rows) { return {FrameBound::Kind::Rows, rows, -1}; }

FrameBound bind_rows(WindowInput& input, int bound) {
  if (name_of_class(input.message(), bound) == "CurrentRow") return rows_from(0);
  if (input.bind(bound) == ExpressionBinder::kFailed) return rows_from(0);
  const int64_t rows = input.constant_int(bound, "a bound of a frame of rows");
  if (rows > kMostFrameRows || rows < -kMostFrameRows) throw_unsupported("a frame of more rows than 2^30");
  return rows_from(rows);
}

/// Adds an offset to an order key. What leaves the type is null, which no other bound of a key that is none is, or it
/// fails.
class BoundValue {
 public:
  BoundValue(WindowInput& input, int order, int offset) : input_(input), order_(order), offset_(offset) {}

  Slot build(bool ascending) {
    const DataType offset_type = input_.type_of(offset_);
    Slot offset = input_.binder().slot(offset_);
    if (!ascending) offset = call("UnaryMinus", {offset}, offset_type);
    return add(offset, input_.type_of(order_), offset_type);
  }

 private:
  Slot call(std::string_view name, std::vector<Slot> arguments, const DataType& type,
            std::shared_ptr<const types::ZoneRules> zone = nullptr) {
    return input_.binder().builder().call(class_of(name), std::move(arguments), type, EvalMode::Try, offset_,
                                          std::move(zone));
  }

  Slot add(Slot offset, const DataType& type, const DataType& offset_type) {
    const Slot order = input_.binder().slot(order_);
    if (type == offset_type) return call("Add", {order, offset}, type);
    if (type.is(TypeId::Date) && offset_type.is(TypeId::Int)) return call("DateAdd", {order, offset}, type);
    if (type.is(TypeId::Date) && offset_type.is(TypeId::DayTimeInterval)) {
      return call("DateAdd", {order, call("ExtractANSIIntervalDays", {offset}, DataType(TypeId::Int))}, type);
    }
    const bool is_timestamp = type.is(TypeId::Timestamp) || type.is(TypeId::TimestampNtz);
    if (offset_type.is(TypeId::YearMonthInterval)) {
      if (type.is(TypeId::Date)) return call("DateAddYMInterval", {order, offset}, type);
      if (is_timestamp) return call("TimestampAddYMInterval", {order, offset}, type, zone_for(type));
    }
    if (offset_type.is(TypeId::DayTimeInterval) && is_timestamp) {
      return call("TimestampAddInterval", {order, offset}, type, zone_for(type));
    }
    throw_unsupported("a frame of values of type " + type.to_string() + " with an offset of type " +
                      offset_type.to_string());
  }

  std::shared_ptr<const types::ZoneRules> zone_for(const DataType& type) const {
    if (type.is(TypeId::TimestampNtz)) return nullptr;
    const PlanMessage& message = input_.message();
    auto zone = message.find_zone(setting_or(message, "spark.sql.session.timeZone", "UTC"));
    if (!zone) throw_unsupported("a frame of timestamps in a time zone that the plan does not tell");
    return zone;
  }

  WindowInput& input_;
  const int order_;
  const int offset_;
};

FrameBound bind_values(WindowInput& input, int bound, std::span<const SortKey> order_keys,
                       std::span<const int> orders) {
  if (name_of_class(input.message(), bound) == "CurrentRow") return {FrameBound::Kind::Peers, 0, -1};
  if (orders.size() != 1) throw_unsupported("a frame of values with " + std::to_string(orders.size()) + " order keys");
  const Slot offset = input.bind(bound);
  if (offset == ExpressionBinder::kFailed || input.bind(orders.front()) == ExpressionBinder::kFailed) return {};
  if (input.is_null(bound)) throw_unsupported("a frame of values with an offset that is null");
  const Slot value = BoundValue(input, orders.front(), bound).build(order_keys.front().ascending);
  return {FrameBound::Kind::Value, 0, input.column_of_bound(value)};
}

}  // namespace

WindowFrame bind_frame(WindowInput& input, int frame, std::span<const SortKey> order_keys,
                       std::span<const int> orders) {
  NodeFields fields(input.message(), frame);
  if (fields.short_name() != "SpecifiedWindowFrame") throw_unsupported("frame " + std::string(fields.short_name()));
  const std::string_view type = fields.take_enumerator("frameType");
  const int lower = fields.take_node("lower");
  const int upper = fields.take_node("upper");
  fields.finish();
  if (!type.ends_with("RowFrame") && !type.ends_with("RangeFrame")) fields.fail("frameType");
  const auto bind_bound = [&](int bound, std::string_view unbounded) {
    if (name_of_class(input.message(), bound) == unbounded) return FrameBound{};
    return type.ends_with("RowFrame") ? bind_rows(input, bound) : bind_values(input, bound, order_keys, orders);
  };
  return {bind_bound(lower, "UnboundedPreceding"), bind_bound(upper, "UnboundedFollowing")};
}

}  // namespace accelerant::plan
