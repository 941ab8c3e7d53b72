#include "operators/state_tree.h"

#include "columns/gather.h"

namespace accelerant::operators {

namespace {

/// Nodes that are merged between two looks at the cancellation.
constexpr int64_t kNodesAtOnce = 1024;

}  // namespace

StateTree::StateTree(const aggregates::Call& call, aggregates::Arguments arguments, const WindowRows& rows,
                     const execution::OperatorContext& ctx)
    : num_leaves_((rows.num_rows() + kLeafRows - 1) / kLeafRows), states_(call.make_accumulator(ctx)) {
  states_->resize(2 * num_leaves_);
  add_rows(arguments, rows, ctx);
  merge_children(ctx);
}

void StateTree::add_rows(aggregates::Arguments arguments, const WindowRows& rows,
                         const execution::OperatorContext& ctx) {
  std::vector<int32_t> leaves;
  int64_t batch = 1;
  for_each_stretch(0, rows.num_rows(), ctx, [&](int32_t first, int32_t end) {
    leaves.clear();
    for (int32_t row = first; row < end; ++row) leaves.push_back(static_cast<int32_t>(num_leaves_ + row / kLeafRows));
    std::vector<columns::ColumnPtr> stretch;
    for (const auto& argument : arguments) stretch.push_back(argument->slice(first, end - first));
    states_->update({leaves.data(), end - first, 2 * num_leaves_, batch++}, stretch);
  });
}

void StateTree::merge_children(const execution::OperatorContext& ctx) {
  std::vector<int32_t> from;
  std::vector<int32_t> into;
  const auto merge = [&] {
    ctx.cancellation->check();
    states_->merge(*states_, from, into);
    from.clear();
    into.clear();
  };
  for (int64_t node = num_leaves_ - 1; node > 0; --node) {
    for (const int64_t child : {2 * node, 2 * node + 1}) {
      from.push_back(static_cast<int32_t>(child));
      into.push_back(static_cast<int32_t>(node));
    }
    if (node % kNodesAtOnce == 0) merge();
  }
  merge();
}

void StateTree::append_states(int64_t begin, int64_t end, std::vector<int32_t>& states) const {
  for (begin += num_leaves_, end += num_leaves_; begin < end; begin /= 2, end /= 2) {
    if (begin % 2 == 1) states.push_back(static_cast<int32_t>(begin++));
    if (end % 2 == 1) states.push_back(static_cast<int32_t>(--end));
  }
}

}  // namespace accelerant::operators
