#include "operators/group_set.h"

#include "operators/call_accumulator.h"

#include <algorithm>
#include <numeric>
#include <string_view>
#include <utility>

namespace accelerant::operators {

namespace {

/// What a set of few groups takes, its functions, those of DISTINCT arguments, and a column of them.
constexpr int64_t kBytesOfSet = 96 << 10;
constexpr int64_t kBytesOfCall = 8 << 10;
constexpr int64_t kBytesOfDistinctCall = 128 << 10;
constexpr int64_t kBytesOfGroupColumn = 1 << 10;
/// What most functions' states have.
constexpr int64_t kUsualStateColumns = 3;

Adds adds_of(const plan::Aggregate& node) { return node.adds_few_in_order ? Adds::FewInOrder : Adds::Exactly; }

}  // namespace

GroupSet::GroupSet(int64_t bytes_of_key, const execution::OperatorContext& ctx)
    : key_bytes(bytes_of_key), table(ctx.budget, bytes_of_key, ctx.cancellation) {}

GroupSet::GroupSet(const plan::Aggregate& node, int64_t bytes_of_key, const execution::OperatorContext& ctx)
    : GroupSet(bytes_of_key, ctx) {
  for (const auto& call : node.calls) accumulators.push_back(make_call_accumulator(call, ctx, adds_of(node)));
}

void GroupSet::resize() {
  for (auto& accumulator : accumulators) accumulator->resize(table.num_groups());
  num_groups_ = static_cast<int32_t>(table.num_groups()) - 1;
}

GroupSet GroupSet::chosen(std::span<const int32_t> groups, const plan::Aggregate& node,
                          const execution::OperatorContext& ctx, bool keeps_order) const {
  GroupSet set(key_bytes, ctx);
  set.table.append(table, groups);
  set.table.share_keys(table);
  memory::Array<int32_t> into(ctx.budget);
  into.reserve(static_cast<int64_t>(groups.size()));
  into.resize(static_cast<int64_t>(groups.size()));
  std::iota(into.begin(), into.end(), 1);
  for (size_t i = 0; i < accumulators.size(); ++i) {
    auto accumulator = accumulators[i]->rearranged(groups, ctx);
    if (!accumulator) {
      accumulator = make_call_accumulator(node.calls[i], ctx, adds_of(node));
      if (!keeps_order) accumulator->forget_order();
      accumulator->resize(set.table.num_groups());
      accumulator->merge(*accumulators[i], groups, into.span());
    }
    set.accumulators.push_back(std::move(accumulator));
  }
  set.num_groups_ = static_cast<int32_t>(groups.size());
  return set;
}

void GroupSet::forget_order() {
  for (auto& accumulator : accumulators) accumulator->forget_order();
}

void GroupSet::seal() {
  resize();
  for (auto& accumulator : accumulators) accumulator->seal();
  table.drop_index();
}

bool holds_rows(const plan::Aggregate& node) {
  return std::ranges::any_of(node.calls,
                             [](const plan::AggregateCall& call) { return call.distinct || call.overload->collects; });
}

int64_t least_bytes_of(const plan::Aggregate& node) {
  int64_t bytes = kBytesOfSet + static_cast<int64_t>(node.keys.size()) * kBytesOfGroupColumn;
  for (const plan::AggregateCall& call : node.calls) {
    bytes += (call.distinct ? kBytesOfDistinctCall : kBytesOfCall) + kUsualStateColumns * kBytesOfGroupColumn;
  }
  return bytes;
}

SlicedGroups::SlicedGroups(const GroupSet& set, const std::shared_ptr<memory::Budget>& budget)
    : SlicedNumbers(
          1, set.num_groups(), [&](int32_t group) { return set.table.hash_of(group); }, budget) {}

columns::Batch read_groups(const GroupSet& set, int64_t first, int64_t length, const KeyEncoder& encoder) {
  std::vector<std::string_view> keys;
  for (int64_t i = 0; i < length; ++i) keys.push_back(set.table.key(static_cast<int32_t>(first + i + 1)));
  columns::Batch batch;
  batch.num_rows = length;
  batch.columns = encoder.decode(keys);
  for (const auto& accumulator : set.accumulators) {
    batch.columns.push_back(accumulator->finish(first + 1, length, batch.errors));
  }
  std::stable_sort(batch.errors.begin(), batch.errors.end(),
                   [](const auto& a, const auto& b) { return a.row < b.row; });
  return batch;
}

}  // namespace accelerant::operators
