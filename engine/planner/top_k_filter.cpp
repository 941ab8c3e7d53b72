#include "planner/top_k_filter.h"

#include "expressions/key_set.h"
#include "operators/top_k.h"
#include "plan/scan.h"
#include "plan/top_k.h"
#include "planner/key_paths.h"

#include <vector>

namespace accelerant::planner {

namespace {

/// Of the key that a top-k has seen the last of.
struct FirstKey {
  int column;
};

}  // namespace

std::optional<execution::KeyFilter> top_k_filter(const Stage& stage, const Feed& feed, const operators::Sink& sink) {
  if (!stage.breaker || !stage.breaker->is<plan::TopK>() || !feed.source->is<plan::Scan>()) return std::nullopt;
  std::vector<FirstKey> keys = {{stage.breaker->as<plan::TopK>().keys.front().column}};
  for (auto node = feed.transforms.rbegin(); node != feed.transforms.rend(); ++node) {
    keys = pass_to_inputs(**node, keys)[(*node)->passing_input()];
  }
  if (keys.empty()) return std::nullopt;
  const int column = keys.front().column;
  if (!expressions::KeySet::supports(feed.source->output[static_cast<size_t>(column)].type)) return std::nullopt;
  return execution::KeyFilter{column, static_cast<const operators::TopKSink&>(sink).first_key_bound()};
}

}  // namespace accelerant::planner
