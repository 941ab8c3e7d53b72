#include "planner/top_k_filter.h"

#include "expressions/key_set.h"
#include "operators/top_k.h"
#include "plan/filter.h"
#include "plan/project.h"
#include "plan/scan.h"
#include "plan/top_k.h"

namespace accelerant::planner {

namespace {

/// Returns the column of a transform's input that is a column of its output.
std::optional<int> input_of(const plan::Node& transform, int column) {
  if (transform.is<plan::Filter>() && !transform.as<plan::Filter>().program->can_fail()) return column;
  if (!transform.is<plan::Project>()) return std::nullopt;
  const auto& program = *transform.as<plan::Project>().program;
  return program.can_fail() ? std::nullopt : program.input_of(column);
}

}  // namespace

std::optional<execution::KeyFilter> top_k_filter(const Stage& stage, const Feed& feed, const operators::Sink& sink) {
  if (!stage.breaker || !stage.breaker->is<plan::TopK>() || !feed.source->is<plan::Scan>()) return std::nullopt;
  std::optional<int> column = stage.breaker->as<plan::TopK>().keys.front().column;
  for (auto node = feed.transforms.rbegin(); column && node != feed.transforms.rend(); ++node) {
    column = input_of(**node, *column);
  }
  if (!column || !expressions::KeySet::supports(feed.source->output[static_cast<size_t>(*column)].type)) {
    return std::nullopt;
  }
  return execution::KeyFilter{*column, static_cast<const operators::TopKSink&>(sink).first_key_bound()};
}

}  // namespace accelerant::planner
