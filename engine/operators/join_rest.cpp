#include "operators/join_rest.h"

#include "columns/gather.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace accelerant::operators {

using columns::ColumnPtr;

namespace {

/// What one worker is at.
struct JoinRestState final : State {
  std::optional<int64_t> morsel;
};

int64_t morsels_of(const BuiltSide& built, const execution::OperatorContext& ctx) {
  return (built.table().num_rows() + ctx.batch_rows - 1) / ctx.batch_rows;
}

}  // namespace

JoinRestSource::JoinRestSource(std::shared_ptr<const plan::Join> node, std::shared_ptr<const BuiltSide> built,
                               int index, int count, const execution::OperatorContext& ctx)
    : node_(std::move(node)),
      built_(std::move(built)),
      ctx_(ctx),
      first_(morsels_of(*built_, ctx) * index / count),
      last_(morsels_of(*built_, ctx) * (index + 1) / count) {}

std::unique_ptr<State> JoinRestSource::make_state() { return std::make_unique<JoinRestState>(); }

Step JoinRestSource::next(State& state, columns::Batch& out) {
  auto& morsel = static_cast<JoinRestState&>(state).morsel;
  if (!morsel) morsel = taken_.fetch_add(1, std::memory_order_relaxed);
  const int64_t taken = out.morsel = *morsel;
  if (first_ + taken >= last_) return Step::finished();
  const JoinTable& table = built_->table();
  const bool wants_matched = node_->type == plan::JoinType::LeftSemi;
  const int64_t first_row = (first_ + taken) * ctx_.batch_rows;
  const int64_t end_row = std::min(first_row + ctx_.batch_rows, table.num_rows());
  std::vector<int32_t> rows;
  for (int64_t row = first_row; row < end_row; ++row) {
    if (table.is_marked(row) == wants_matched) rows.push_back(static_cast<int32_t>(row));
  }
  columns::Batch made;
  made.num_rows = static_cast<int64_t>(rows.size());
  for (const ColumnPtr& column : table.columns()) made.columns.push_back(columns::gather(*column, rows, ctx_.budget));
  if (node_->keeps_build_rows()) {
    std::vector<ColumnPtr> nulls;
    for (const auto& column : node_->probe_input()->output) {
      nulls.push_back(columns::Column::nulls(column.type, made.num_rows, ctx_.budget));
    }
    const auto at = node_->builds_left ? made.columns.end() : made.columns.begin();
    made.columns.insert(at, nulls.begin(), nulls.end());
  }
  made.morsel = taken;
  made.ends_morsel = true;
  out = std::move(made);
  morsel.reset();
  return Step::has_output();
}

}  // namespace accelerant::operators
