#pragma once

#include "plan/aggregate.h"
#include "plan/node.h"
#include "plan/scan.h"
#include "planner/estimates.h"

#include <vector>

namespace accelerant::planner {

/// Says which nodes of a plan give the same rows, by their tables.
class NodeComparison final : public plan::SourceComparison {
 public:
  /// @param tables outlive it
  explicit NodeComparison(const Tables& tables) : tables_(tables) {}

  /// Says whether two trees emit the same rows.
  bool are_equal(const plan::Node& a, const plan::Node& b) const;
  /// Says whether two aggregates make the same groups and compute the same of them, whatever they emit of it.
  bool have_same_groups(const plan::Aggregate& a, const plan::Aggregate& b) const;
  bool give_same_rows(const plan::Node& a, const plan::Node& b) const override;

 private:
  bool have_equal_inputs(const plan::Node& a, const plan::Node& b) const;
  /// Returns a scan's filters without those that ask for values of columns without nulls: Spark has them where a value
  /// is compared above, and not where it is not.
  static std::vector<plan::ProgramPtr> dropping_filters(const io::ScanSpec& spec, const operators::Table& table);

  const Tables& tables_;
};

}  // namespace accelerant::planner
