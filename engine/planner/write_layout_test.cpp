#include "planner/write_layout.h"

#include "io/parquet_write_format.h"
#include "plan/local_sort.h"
#include "plan/sort.h"
#include "plan/unbound.h"
#include "plan/write_files.h"
#include "planner/test_trees.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace accelerant::planner {
namespace {

using plan::NodePtr;
using test::above;
using test::file_scan;

constexpr int kSort = 4;
constexpr int kWrite = 9;

/// A sort of each partition by some columns.
std::shared_ptr<plan::LocalSort> sorted(const NodePtr& input, const std::vector<int>& columns) {
  auto node = above<plan::LocalSort>(input);
  node->plan_node = kSort;
  for (const int column : columns) {
    node->keys.emplace_back(column);
    node->order.push_back({.column = column});
  }
  return node;
}

std::shared_ptr<plan::WriteFiles> into_files(const NodePtr& rows) {
  auto node = above<plan::WriteFiles>(rows);
  node->plan_node = kWrite;
  node->format = &io::parquet_write_format();
  return node;
}

/// A write of rows into folders by the last of three columns.
std::shared_ptr<plan::WriteFiles> into_folders(const NodePtr& rows) {
  auto node = into_files(rows);
  node->files.partition_columns = {2};
  return node;
}

/// A plan, what was said of it, and the rows that its writers take.
struct LaidOut {
  plan::BoundPlan plan;
  plan::Verdict verdict;

  explicit LaidOut(NodePtr root) {
    verdict.supported = true;
    verdict.nodes = {{kSort, "Sort", ""}, {kWrite, "WriteFiles", ""}};
    plan.root = std::move(root);
    lay_out_files(plan, verdict);
  }
  const plan::Node& rows() const { return *plan.root->inputs.at(0); }
};

TEST(LayOutFiles, LeavesOtherPlans) {
  const NodePtr sort = sorted(file_scan(), {1});
  const LaidOut laid_out(sort);
  EXPECT_EQ(laid_out.plan.root, sort);
  EXPECT_EQ(laid_out.plan.write_format, nullptr);
}

TEST(LayOutFiles, LeavesRowsThatGoIntoOneFolder) {
  const NodePtr sort = sorted(file_scan(), {1});
  const LaidOut laid_out(into_files(sort));
  EXPECT_EQ(laid_out.plan.root->inputs.at(0), sort);
  EXPECT_EQ(laid_out.plan.write_format, &io::parquet_write_format());
  EXPECT_FALSE(laid_out.plan.files.is_clustered());
}

TEST(LayOutFiles, DropsTheSortThatWritersDo) {
  const NodePtr scan = file_scan();
  const LaidOut laid_out(into_folders(sorted(scan, {2})));
  EXPECT_EQ(laid_out.plan.root->inputs.at(0), scan);
  EXPECT_EQ(laid_out.plan.files.unwritten(), std::vector<int>{2});
  EXPECT_TRUE(laid_out.plan.files.is_clustered());
}

TEST(LayOutFiles, LeavesToWritersWhatAProgramSortsByBesides) {
  const NodePtr scan = file_scan();
  auto sort = sorted(scan, {2, 0});
  sort->order.back().ascending = false;
  const LaidOut laid_out(into_folders(sort));
  EXPECT_EQ(laid_out.plan.root->inputs.at(0), scan);
  EXPECT_EQ(plan::describe(laid_out.plan.files.order()), "keys=[2 asc nulls first, 0 desc nulls first]");
}

TEST(LayOutFiles, KeepsAllKeysOfASortThatBeginsOtherwise) {
  const NodePtr scan = file_scan();
  for (const std::vector<int>& keys : {std::vector<int>{0}, {0, 1}, {0, 2}}) {
    const LaidOut laid_out(into_folders(sorted(scan, keys)));
    EXPECT_EQ(laid_out.plan.root->inputs.at(0), scan);
    ASSERT_EQ(laid_out.plan.files.order().size(), keys.size() + 1);
    EXPECT_EQ(laid_out.plan.files.order().at(1).column, 0);
  }
}

TEST(LayOutFiles, SortsAllRowsByExpressionsAndOfOneFolder) {
  auto sort = sorted(file_scan(), {2, 0});
  sort->computed_keys = test::columns({2, 0});
  const LaidOut laid_out(into_folders(sort));
  ASSERT_TRUE(laid_out.rows().is<plan::Sort>());
  EXPECT_EQ(laid_out.rows().describe(), "keys=[2 asc nulls first, 0 asc nulls first]");
  EXPECT_EQ(laid_out.rows().plan_node, kSort);
  auto fixed = into_folders(sorted(file_scan(), {0}));
  fixed->files.num_static_partitions = 1;
  const LaidOut into_one(fixed);
  EXPECT_TRUE(into_one.rows().is<plan::Sort>());
  EXPECT_FALSE(into_one.plan.files.is_clustered());
}

TEST(LayOutFiles, RefusesAnOrderThatCantBeHad) {
  auto sort = sorted(file_scan(), {2, 0});
  sort->reason_against_order = "sort by a column of type array<int>";
  const LaidOut laid_out(into_folders(sort));
  EXPECT_TRUE(laid_out.plan.root->is<plan::Unbound>());
  EXPECT_FALSE(laid_out.verdict.supported);
  EXPECT_EQ(laid_out.verdict.nodes.at(0).reason, "");
  EXPECT_EQ(laid_out.verdict.nodes.at(1).reason, "sort by a column of type array<int>");
  sort->keys.pop_back();
  EXPECT_TRUE(LaidOut(into_folders(sort)).verdict.supported);
}

TEST(LayOutFiles, ComputesBucketsBehindTheRows) {
  auto sort = sorted(file_scan(7), {2, 1, 0});
  sort->keys.at(1).reset();  // the bucket's number
  auto write = into_folders(sort);
  write->bucket_id = test::columns({1});
  write->files.sort_columns = {0};
  const LaidOut laid_out(write);
  EXPECT_EQ(plan::to_string(*laid_out.plan.root),
            "WriteFiles #9 folders=1 buckets sorted=1 -> (a bigint, b bigint, c bigint, bucket bigint)\n"
            "  Project #4 -> (a bigint, b bigint, c bigint, bucket bigint)\n"
            "    Scan #7 columns=3 filters=0 -> (a bigint, b bigint, c bigint)\n");
  EXPECT_EQ(laid_out.plan.files.unwritten(), (std::vector<int>{2, 3}));
  EXPECT_EQ(laid_out.plan.files.order().size(), 3u);
}

}  // namespace
}  // namespace accelerant::planner
