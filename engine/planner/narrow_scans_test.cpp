#include "planner/narrow_scans.h"

#include "plan/limit.h"
#include "plan/sort.h"
#include "plan/union.h"
#include "planner/push_filters.h"
#include "planner/test_trees.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace accelerant::planner {
namespace {

using plan::NodePtr;
using test::above;
using test::choice;
using test::file_scan;
using test::filter;
using test::grouped;
using test::join;

/// Names a scan's columns in their order; those that only filters read in parentheses.
std::string columns_of(const NodePtr& node) {
  std::string text;
  for (const io::ScanColumn& column : node->as<plan::Scan>().spec->columns) {
    text += column.filter_only ? "(" + column.name + ")" : column.name;
  }
  return text;
}

TEST(NarrowScans, ReadsWhatIsReadAbove) {
  const NodePtr root = narrow_scans(grouped(file_scan(), {2}));
  EXPECT_EQ(columns_of(root->inputs[0]), "c");
  EXPECT_EQ(root->inputs[0]->output.size(), 1u);
  EXPECT_EQ(root->as<plan::Aggregate>().input->inputs(), (std::vector<int>{0}));
}

TEST(NarrowScans, PutsWhatOnlyFiltersReadLast) {
  const NodePtr root = narrow_scans(grouped(push_filters(filter(file_scan(), {0})), {2}));
  EXPECT_EQ(columns_of(root->inputs[0]), "c(a)");
  EXPECT_EQ(root->inputs[0]->as<plan::Scan>().emitted_columns(), (std::vector<size_t>{0}));
  EXPECT_EQ(root->inputs[0]->output.size(), 1u);
  EXPECT_EQ(root->inputs[0]->as<plan::Scan>().spec->filters[0]->inputs(), (std::vector<int>{1}));
}

TEST(NarrowScans, FollowsColumnsThroughNodesThatPassThemOn) {
  auto sort = above<plan::Sort>(above<plan::Limit>(filter(file_scan(), {1})));
  sort->keys = {{2, true, true}};
  const NodePtr root = narrow_scans(grouped(sort, {2}));
  EXPECT_EQ(columns_of(root->inputs[0]->inputs[0]->inputs[0]->inputs[0]), "bc");
  EXPECT_EQ(root->inputs[0]->as<plan::Sort>().keys[0].column, 1);
  EXPECT_EQ(root->inputs[0]->output.size(), 2u);
  EXPECT_EQ(root->as<plan::Aggregate>().input->inputs(), (std::vector<int>{1}));
}

TEST(NarrowScans, ReadsKeysOfJoinsAndWhatIsReadOfBothSides) {
  const NodePtr root = narrow_scans(grouped(join(file_scan(1), file_scan(2)), {1, 5}));
  EXPECT_EQ(columns_of(root->inputs[0]->inputs[0]), "ab");
  EXPECT_EQ(columns_of(root->inputs[0]->inputs[1]), "ac");
  EXPECT_EQ(root->inputs[0]->output.size(), 4u);
  EXPECT_EQ(root->as<plan::Aggregate>().input->inputs(), (std::vector<int>{1, 3}));
}

TEST(NarrowScans, KeepsTheColumnOfAnExistenceLast) {
  auto exists = join(file_scan(1), file_scan(2), plan::JoinType::Existence);
  exists->output.push_back({"exists", types::DataType(types::TypeId::Boolean)});
  const NodePtr root = narrow_scans(grouped(exists, {3}));
  EXPECT_EQ(columns_of(root->inputs[0]->inputs[0]), "a");
  EXPECT_EQ(root->inputs[0]->output.back().name, "exists");
  EXPECT_EQ(root->as<plan::Aggregate>().input->inputs(), (std::vector<int>{1}));
}

TEST(NarrowScans, LeavesTheColumnsOfUnionsAlike) {
  auto both = above<plan::Union>(file_scan(1));
  both->inputs.push_back(choice(file_scan(2), {0, 0, 2}));
  const NodePtr root = narrow_scans(grouped(both, {0}));
  EXPECT_EQ(columns_of(root->inputs[0]->inputs[0]), "abc");
  EXPECT_EQ(columns_of(root->inputs[0]->inputs[1]->inputs[0]), "ac");
}

TEST(NarrowScans, SharesWhatReadsAll) {
  const NodePtr root = above<plan::Limit>(file_scan());
  EXPECT_EQ(narrow_scans(root), root);
}

}  // namespace
}  // namespace accelerant::planner
