#pragma once

#include "plan/message_writer.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace accelerant::plan {

/// Builds messages the way Spark 4.3's plans look, for tests: each method adds a node with all its fields and returns
/// its index.
class SparkPlan {
 public:
  using Type = types::DataType;

  /// A column of the plan.
  struct Column {
    std::string name;
    int64_t id;
    Type type;
    bool nullable = true;
  };

  PlanMessageBuilder builder;

  int attribute(const Column& column);
  int literal(const Type& type, FieldValue value);
  int integer(int64_t value) { return literal(Type(types::TypeId::Int), {value}); }
  /// A decimal literal of one unscaled byte.
  int decimal(int8_t unscaled, const Type& type);
  int date(int64_t days) { return literal(Type(types::TypeId::Date), {days}); }
  /// Add, Subtract, Multiply with an evalContext.
  int arithmetic(std::string_view class_name, int left, int right, const Type& type, std::string_view mode = "ANSI");
  /// A predicate with the fields left and right.
  int compare(std::string_view class_name, int left, int right);
  int conjunction(const std::vector<int>& conditions);
  /// An expression with the field child.
  int unary(std::string_view class_name, int child, const Type& type);
  int alias(int child, const Column& column);
  int sort_order(int child, bool ascending = true);

  /// A file scan; `extra` replaces or adds fields.
  int scan(const std::vector<Column>& columns, const PlanMessageBuilder::Fields& extra = {});
  int filter(int condition, int child, const std::vector<Column>& output);
  int project(const std::vector<int>& expressions, int child, const std::vector<Column>& output);
  int sort(const std::vector<int>& orders, int child, const std::vector<Column>& output, bool global = true);
  int limit(std::string_view class_name, int64_t rows, int64_t offset, int child, const std::vector<Column>& output);

  /// An aggregate function of one child, by name: Sum, Average, Count, Min, Max.
  int function(std::string_view name, int child, const Type& type);
  int call(int function, std::string_view mode, int64_t result_id, int filter = -1, bool distinct = false);
  int aggregate(const std::vector<int>& grouping, const std::vector<int>& calls, const std::vector<int>& attributes,
                const std::vector<int>& results, int child, const std::vector<Column>& output);

  int expand(const std::vector<std::vector<int>>& projections, int child, const std::vector<Column>& output);

  /// A list of references.
  static FieldValue nodes(const std::vector<int>& indices);
  static FieldValue product(std::string_view class_name, const PlanMessageBuilder::Fields& fields = {});
  static FieldValue eval_mode(std::string_view mode);

 private:
  int with_output(std::string_view class_name, PlanMessageBuilder::Fields fields, const std::vector<Column>& output);
  std::vector<int> attributes(const std::vector<Column>& columns);

  std::vector<std::unique_ptr<std::string>> texts_;
  std::string_view keep(std::string text);
};

/// TPC-H Q1 and Q6 over lineitem, as Spark 4.3 plans them before exchanges.
std::vector<uint8_t> tpch_q1();
std::vector<uint8_t> tpch_q6();

}  // namespace accelerant::plan
