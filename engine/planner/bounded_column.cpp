#include "planner/bounded_column.h"

#include "expressions/key_set.h"
#include "plan/scan.h"
#include "plan/top_k.h"
#include "planner/key_paths.h"

namespace accelerant::planner {

namespace {

/// Of the key that a top-k has seen the last of.
struct FirstKey {
  int column;
};

}  // namespace

std::optional<int> bounded_column(const plan::NodePtr& source, const std::vector<plan::NodePtr>& transforms,
                                  const plan::Node& breaker) {
  if (!breaker.is<plan::TopK>() || !source->is<plan::Scan>()) return std::nullopt;
  std::vector<FirstKey> keys = {{breaker.as<plan::TopK>().keys.front().column}};
  for (auto node = transforms.rbegin(); node != transforms.rend(); ++node) {
    keys = pass_to_inputs(**node, keys)[(*node)->passing_input()];
  }
  if (keys.empty()) return std::nullopt;
  const int column = keys.front().column;
  if (!expressions::KeySet::supports(source->output[static_cast<size_t>(column)].type)) return std::nullopt;
  return column;
}

}  // namespace accelerant::planner
