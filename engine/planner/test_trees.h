#pragma once

#include "plan/aggregate.h"
#include "plan/filter.h"
#include "plan/join.h"
#include "plan/node.h"
#include "plan/project.h"
#include "plan/scan.h"
#include "planner/estimates.h"

#include <memory>
#include <utility>
#include <vector>

namespace accelerant::planner::test {

inline const types::DataType kLong(types::TypeId::Long);

/// A scan of three bigint columns.
inline std::shared_ptr<plan::Scan> source() {
  auto node = std::make_shared<plan::Scan>();
  node->output = {{"a", kLong}, {"b", kLong}, {"c", kLong}};
  return node;
}

/// A scan of three bigint columns of files, which nothing is pushed into yet.
inline std::shared_ptr<plan::Scan> file_scan(int plan_node = 0) {
  auto node = source();
  auto spec = std::make_shared<io::ScanSpec>();
  for (const plan::OutputColumn& column : node->output) spec->columns.push_back({column.name, column.type});
  node->plan_node = spec->filter_plan_node = plan_node;
  node->spec = std::move(spec);
  return node;
}

/// A table that only says of itself: so many rows and nulls a column, and each column's values from 0 to its largest.
class DescribedTable final : public operators::Table {
 public:
  DescribedTable(int64_t num_rows, std::vector<double> largest, int64_t num_nulls, bool has_pages = true)
      : num_rows_(num_rows), largest_(std::move(largest)), num_nulls_(num_nulls), has_pages_(has_pages) {}

  int num_partitions() const override { return 1; }
  int64_t partition_bytes(int) const override { return 1; }
  int64_t num_rows() const override { return num_rows_; }
  bool has_encoded_scan() const override { return has_pages_; }
  io::ColumnSummary summarize(int column) const override {
    return {0, largest_[static_cast<size_t>(column)], num_nulls_, std::nullopt};
  }
  bool gives_same_rows(const Table& other) const override {
    const auto& described = dynamic_cast<const DescribedTable&>(other);
    return described.num_rows_ == num_rows_ && described.largest_ == largest_;
  }
  std::unique_ptr<operators::Source> make_source(int, int, const execution::OperatorContext&) const override {
    return nullptr;
  }

 private:
  const int64_t num_rows_;
  const std::vector<double> largest_;
  const int64_t num_nulls_;
  const bool has_pages_;
};

/// A scan of a described table, which is added to `tables`; its place in the plan is its number there.
inline std::shared_ptr<plan::Scan> scan_of(Tables& tables, int64_t num_rows, std::vector<double> largest,
                                           int64_t num_nulls = 0) {
  auto node = source();
  auto spec = std::make_shared<io::ScanSpec>();
  for (const plan::OutputColumn& column : node->output) spec->columns.push_back({column.name, column.type});
  node->spec = std::move(spec);
  node->plan_node = static_cast<int>(tables.size());
  tables[node->plan_node] = std::make_shared<DescribedTable>(num_rows, std::move(largest), num_nulls);
  return node;
}

/// A program whose outputs are some input columns.
inline std::shared_ptr<const expressions::Program> columns(const std::vector<int>& positions) {
  expressions::ProgramBuilder builder;
  std::vector<expressions::Slot> outputs;
  for (const int position : positions) outputs.push_back(builder.input(position, kLong, true));
  return std::move(builder).finish(outputs);
}

/// A join of two nodes by their first columns; it builds the right one.
inline std::shared_ptr<plan::Join> join(plan::NodePtr left, plan::NodePtr right,
                                        plan::JoinType type = plan::JoinType::Inner) {
  auto node = std::make_shared<plan::Join>();
  node->type = type;
  node->left_keys = columns({0});
  node->right_keys = columns({0});
  node->output = left->output;
  if (!node->emits_left_only()) {
    node->output.insert(node->output.end(), right->output.begin(), right->output.end());
  }
  node->inputs = {std::move(left), std::move(right)};
  return node;
}

/// A node above another, emitting the same columns.
template <class T>
std::shared_ptr<T> above(const plan::NodePtr& input) {
  auto node = std::make_shared<T>();
  node->inputs = {input};
  node->output = input->output;
  return node;
}

/// A filter that reads some columns of a node.
inline std::shared_ptr<plan::Filter> filter(const plan::NodePtr& input, const std::vector<int>& positions) {
  auto node = above<plan::Filter>(input);
  node->program = columns(positions);
  return node;
}

/// A projection that chooses columns of a node.
inline std::shared_ptr<plan::Project> choice(const plan::NodePtr& input, const std::vector<int>& positions) {
  auto node = std::make_shared<plan::Project>();
  node->inputs = {input};
  node->program = columns(positions);
  for (const int position : positions) node->output.push_back(input->output[static_cast<size_t>(position)]);
  return node;
}

/// Groups by some columns of a node.
inline std::shared_ptr<plan::Aggregate> grouped(const plan::NodePtr& input, const std::vector<int>& keys) {
  auto node = above<plan::Aggregate>(input);
  node->input = columns(keys);
  node->output.resize(keys.size(), {"key", kLong});
  node->keys = node->output;
  return node;
}

}  // namespace accelerant::planner::test
