#include "operators/join_probe.h"

#include "columns/refer.h"
#include "functions/error_codes.h"
#include "operators/expression_error.h"
#include "operators/join_matches.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

namespace accelerant::operators {

using columns::Batch;
using columns::ColumnPtr;
using columns::RowError;
using plan::JoinType;

namespace {

/// Gathers the table's rows of pairs, or makes nulls where it has no rows at all.
ColumnPtr build_column(const JoinTable& table, size_t index, const types::DataType& type, std::span<const int32_t> rows,
                       const std::shared_ptr<memory::Budget>& budget) {
  if (table.num_rows() == 0) return columns::Column::nulls(type, static_cast<int64_t>(rows.size()), budget);
  return columns::refer(*table.columns()[index], rows, budget);
}

/// Says whether rows are 0, 1, 2, ...
bool are_all(std::span<const int32_t> rows, int64_t num_rows) {
  if (static_cast<int64_t>(rows.size()) != num_rows) return false;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (rows[i] != static_cast<int32_t>(i)) return false;
  }
  return true;
}

/// Keeps the pairs at which a filter's result is selected, and takes over its errors.
void keep_selected(JoinPairs& pairs, Batch filtered) {
  pairs.errors = std::move(filtered.errors);
  if (!filtered.selection) return;
  const std::vector<int32_t>& kept = *filtered.selection;
  for (RowError& error : pairs.errors) {
    error.row = static_cast<int32_t>(std::lower_bound(kept.begin(), kept.end(), error.row) - kept.begin());
  }
  for (size_t i = 0; i < kept.size(); ++i) {
    pairs.probe_rows[i] = pairs.probe_rows[static_cast<size_t>(kept[i])];
    pairs.build_rows[i] = pairs.build_rows[static_cast<size_t>(kept[i])];
  }
  pairs.probe_rows.resize(kept.size());
  pairs.build_rows.resize(kept.size());
}

/// A worker's batch on its way through a join.
class JoinProbeState final : public State {
 public:
  JoinProbeState(const plan::Join& node, BuiltSide& built, const execution::OperatorContext& ctx,
                 SetAsideRows* set_aside, ProbeMarks* marks)
      : node_(node),
        built_(built),
        ctx_(ctx),
        chooses_rows_(node.emits_left_only() && !node.builds_left),
        spared_(built.spared()),
        matches_(node, built.table(), ctx, spared_ == plan::Spared::Nothing),
        set_aside_(set_aside),
        marks_(marks),
        adds_unmatched_(node.keeps_probe_rows() && (node.condition || marks)) {
    if (set_aside_) setting_aside_ = set_aside_->borrow();
    if (node.condition) condition_.emplace(node.condition, ctx.budget, ctx.plan_node, ctx.parameters);
    wanted_.all = !chooses_rows_ || node.condition;
    wanted_.errors = !chooses_rows_;
    wanted_.no_match = node.keeps_probe_rows() && !adds_unmatched_;
    if (node.emits_left_only() && node.builds_left) {
      using Marked = JoinMatches::Wanted::Marked;
      wanted_.marked = node.condition ? Marked::Skipped : Marked::EndsKey;
    }
  }

  JoinProbeState(const JoinProbeState&) = delete;
  JoinProbeState& operator=(const JoinProbeState&) = delete;
  ~JoinProbeState() override {
    if (set_aside_) set_aside_->give_back(std::move(setting_aside_));
  }

  Step process(const Batch& in, std::optional<Batch>& out) {
    if (!probe_) start(in);
    // One round a call: of many candidates none may pass.
    if (pairs_ || !matches_.at_end()) find_pairs(out);
    if (!matches_.at_end()) {
      if (out) place(*out);
      return Step::has_output();
    }
    if (chooses_rows_ && is_last_piece()) out = choose_rows();
    if (!out && is_last_piece()) out = batch_of(JoinPairs());
    if (out) {
      place(*out);
      out->ends_morsel = probe_->ends_morsel;
    }
    if (marks_) set_marks();
    probe_.reset();
    return Step::needs_input();
  }

 private:
  void start(const Batch& in) {
    Batch batch = in;
    if (spared_ == plan::Spared::Rows) {
      batch.selection = std::make_shared<std::vector<int32_t>>();
      batch.errors.clear();
    }
    const bool may_have_errors = !batch.errors.empty() || (node_.probe_keys() && node_.probe_keys()->can_fail());
    if (may_have_errors || set_aside_) batch = columns::compact(std::move(batch), ctx_.budget);
    if (chooses_rows_) passed_errors_ = std::exchange(batch.errors, {});
    if (set_aside_) {
      matches_.start(batch, *built_.spilled(), rows_on_disk_);
      if (!rows_on_disk_.rows.empty()) {
        set_aside_->take(*setting_aside_, batch, rows_on_disk_.rows, rows_on_disk_.hashes);
      }
    } else {
      matches_.start(batch);
    }
    probe_ = std::move(batch);
    matched_.assign(static_cast<size_t>(probe_->num_rows), 0);
    if (chooses_rows_) {
      if (condition_) wanted_.done = matched_.data();
      row_errors_ = matches_.errors();
    }
    if (marks_) read_marks();
  }

  bool is_last_piece() const { return !marks_ || marks_->is_last; }

  bool is_marked_here(const RowError& error) const {
    return marks_->next_row <= error.row && error.row < marks_->next_row + probe_->num_rows;
  }

  void read_marks() {
    std::copy_n(marks_->matched.data() + marks_->next_row, matched_.size(), matched_.begin());
    for (const RowError& error : marks_->errors) {
      if (!is_marked_here(error)) continue;
      row_errors_.push_back(error);
      row_errors_.back().row -= static_cast<int32_t>(marks_->next_row);
    }
  }

  void set_marks() {
    if (marks_->is_last) {
      marks_->next_row += probe_->num_rows;
      return;
    }
    std::copy(matched_.begin(), matched_.end(), marks_->matched.data() + marks_->next_row);
    std::erase_if(marks_->errors, [this](const RowError& error) { return is_marked_here(error); });
    for (RowError& error : row_errors_) {
      error.row += static_cast<int32_t>(marks_->next_row);
      marks_->errors.push_back(std::move(error));
    }
    row_errors_.clear();
    marks_->next_row += probe_->num_rows;
  }

  /// Finds pairs, keeps them until memory for the rest is there, and emits them.
  void find_pairs(std::optional<Batch>& out) {
    if (!pairs_) {
      pairs_ = matches_.next(wanted_);
      are_judged_ = false;
    }
    if (!are_judged_) judge(*pairs_);
    are_judged_ = true;
    const bool emits = !chooses_rows_ && (pairs_->size() > 0 || !pairs_->errors.empty());
    if (emits) out = batch_of(*pairs_);
    pairs_.reset();
  }

  /// Leaves the pairs that are emitted, and notes which rows have matches.
  void judge(JoinPairs& pairs) {
    if (condition_ && pairs.size() > 0) apply_condition(pairs);
    if (node_.type == JoinType::LeftSingle) refuse_second_matches(pairs);
    for (const int32_t row : pairs.probe_rows) matched_[static_cast<size_t>(row)] = 1;
    if (node_.emits_build_rows()) {
      for (const int32_t row : pairs.build_rows) {
        if (row != JoinPairs::kNoRow) built_.table().mark(row);
      }
    }
    if (chooses_rows_) return;
    if (adds_unmatched_ && matches_.at_end() && is_last_piece()) add_unmatched(pairs);
    if (node_.emits_left_only()) pairs.clear_rows();
  }

  /// Pieces of one batch come one after the other.
  void place(Batch& out) {
    if (probe_->morsel != morsel_) next_sequence_ = 0;
    out.morsel = morsel_ = probe_->morsel;
    out.sequence = next_sequence_++;
    out.morsels_before = probe_->morsels_before;
    mark_below_join(out);
  }

  /// Drops the pairs for which the condition is not true. An error is the row's that the join would emit.
  void apply_condition(JoinPairs& pairs) {
    Batch candidates;
    candidates.num_rows = pairs.size();
    candidates.columns.resize(node_.inputs[0]->output.size() + node_.inputs[1]->output.size());
    for (const int position : node_.condition->inputs()) {
      candidates.columns[static_cast<size_t>(position)] = column_of(pairs, static_cast<size_t>(position));
    }
    candidates.errors = pairs.errors;
    Batch filtered = condition_->filter(std::move(candidates));
    if (chooses_rows_) {
      for (RowError& error : std::exchange(filtered.errors, {})) {
        error.row = pairs.probe_rows[static_cast<size_t>(error.row)];
        row_errors_.push_back(std::move(error));
      }
    }
    keep_selected(pairs, std::move(filtered));
  }

  /// Puts an error in the place of a row's further matches.
  void refuse_second_matches(JoinPairs& pairs) {
    JoinPairs kept;
    size_t next_error = 0;
    const auto keep_errors = [&](int64_t last_pair) {
      for (; next_error < pairs.errors.size() && pairs.errors[next_error].row <= last_pair; ++next_error) {
        kept.errors.push_back(std::move(pairs.errors[next_error]));
        kept.errors.back().row = static_cast<int32_t>(kept.size());
      }
    };
    for (size_t i = 0; i < pairs.probe_rows.size(); ++i) {
      keep_errors(static_cast<int64_t>(i));
      uint8_t& matched = matched_[static_cast<size_t>(pairs.probe_rows[i])];
      if (matched) {
        kept.errors.push_back(too_many_rows(static_cast<int32_t>(kept.size())));
      } else {
        kept.add(pairs.probe_rows[i], pairs.build_rows[i]);
      }
      matched = 1;
    }
    keep_errors(pairs.size());
    pairs = std::move(kept);
  }

  RowError too_many_rows(int32_t row) const {
    RowError error{row, functions::kExternalError, ctx_.plan_node, -1, nullptr};
    error.condition = "SCALAR_SUBQUERY_TOO_MANY_ROWS";
    return error;
  }

  /// Makes column `position` of left and right ones for pairs.
  ColumnPtr column_of(const JoinPairs& pairs, size_t position) const {
    const size_t num_left = node_.inputs[0]->output.size();
    const bool is_left = position < num_left;
    const size_t index = is_left ? position : position - num_left;
    if (is_left != node_.builds_left) {
      const ColumnPtr& column = probe_->columns[index];
      return are_all(pairs.probe_rows, probe_->num_rows) ? column
                                                         : columns::refer(*column, pairs.probe_rows, ctx_.budget);
    }
    const types::DataType& type = node_.build_input()->output[index].type;
    return build_column(built_.table(), index, type, pairs.build_rows, ctx_.budget);
  }

  void add_unmatched(JoinPairs& pairs) const {
    for (const int32_t row : matches_.rows()) {
      if (!matched_[static_cast<size_t>(row)]) pairs.add(row, JoinPairs::kNoRow);
    }
  }

  Batch batch_of(const JoinPairs& pairs) const {
    Batch out;
    out.num_rows = pairs.size();
    for (size_t i = 0; i < node_.output.size(); ++i) {
      out.columns.push_back(node_.wants(i) ? column_of(pairs, i)
                                           : columns::Column::nulls(node_.output[i].type, out.num_rows, ctx_.budget));
    }
    out.errors = pairs.errors;
    return out;
  }

  /// Returns the probe batch with the rows that have, or have not, a match.
  Batch choose_rows() {
    Batch out = *probe_;
    if (node_.type == JoinType::Existence) out.columns.push_back(existence());
    std::erase_if(row_errors_, [&](const RowError& error) { return matched_[static_cast<size_t>(error.row)] != 0; });
    std::stable_sort(row_errors_.begin(), row_errors_.end(),
                     [](const auto& a, const auto& b) { return a.row < b.row; });
    auto chosen = std::make_shared<std::vector<int32_t>>();
    size_t next_error = 0;
    for (size_t i = 0; i < matches_.rows().size(); ++i) {
      const int32_t row = matches_.rows()[i];
      while (next_error < row_errors_.size() && row_errors_[next_error].row < row) ++next_error;
      const bool failed = next_error < row_errors_.size() && row_errors_[next_error].row == row;
      if (!failed && is_chosen(i)) chosen->push_back(row);
    }
    out.errors = std::move(passed_errors_);
    const auto num_passed = static_cast<std::ptrdiff_t>(out.errors.size());
    std::move(row_errors_.begin(), row_errors_.end(), std::back_inserter(out.errors));
    std::inplace_merge(out.errors.begin(), out.errors.begin() + num_passed, out.errors.end(),
                       [](const auto& a, const auto& b) { return a.row < b.row; });
    out.selection = std::move(chosen);
    return out;
  }

  bool is_chosen(size_t i) const {
    const bool is_matched = matched_[static_cast<size_t>(matches_.rows()[i])] != 0;
    switch (node_.type) {
      case JoinType::LeftSemi:
        return is_matched;
      case JoinType::LeftAnti:
        return !is_matched;
      case JoinType::NullAwareAnti:
        return !built_.has_rows() || (!built_.has_null_key() && !is_matched && !matches_.is_null(i));
      case JoinType::Inner:
      case JoinType::LeftOuter:
      case JoinType::RightOuter:
      case JoinType::FullOuter:
      case JoinType::LeftSingle:
      case JoinType::Existence:
        break;
    }
    return true;
  }

  ColumnPtr existence() const {
    columns::FlatBuilder builder(types::DataType(types::TypeId::Boolean), types::PhysicalType::Bool, probe_->num_rows,
                                 ctx_.budget);
    std::copy(matched_.begin(), matched_.end(), builder.values<uint8_t>());
    return builder.finish();
  }

  const plan::Join& node_;
  BuiltSide& built_;
  const execution::OperatorContext& ctx_;
  const bool chooses_rows_;  ///< rows are emitted as they came, or left out, rather than in pairs
  const plan::Spared spared_;
  JoinMatches matches_;
  SetAsideRows* const set_aside_;  ///< nullptr: no keys are on disk
  std::shared_ptr<JoinRowsSpill::Worker> setting_aside_;
  HashedPositions rows_on_disk_;  ///< of the probe batch
  ProbeMarks* const marks_;       ///< nullptr: the build rows are all
  const bool adds_unmatched_;     ///< when all matches of a batch are known
  JoinMatches::Wanted wanted_;
  std::optional<expressions::Evaluator> condition_;
  std::optional<Batch> probe_;
  std::optional<JoinPairs> pairs_;  ///< that were found, and are not emitted yet
  bool are_judged_ = false;
  int64_t morsel_ = -1;
  int64_t next_sequence_ = 0;
  std::vector<uint8_t> matched_;      ///< by row of the probe batch
  std::vector<RowError> row_errors_;  ///< of keys and condition at rows of the probe batch, of a join that chooses rows
  std::vector<RowError> passed_errors_;  ///< that came with the batch, before rows of it; of a join that chooses rows
};

}  // namespace

JoinProbe::JoinProbe(std::shared_ptr<const plan::Join> node, std::shared_ptr<BuiltSide> built,
                     const execution::OperatorContext& ctx, std::shared_ptr<SetAsideRows> set_aside, ProbeMarks* marks)
    : node_(std::move(node)), built_(std::move(built)), ctx_(ctx), set_aside_(std::move(set_aside)), marks_(marks) {}

std::unique_ptr<State> JoinProbe::make_state() const {
  return std::make_unique<JoinProbeState>(*node_, *built_, ctx_, set_aside_.get(), marks_);
}

Step JoinProbe::process(State& state, Batch& in, std::optional<Batch>& out) const {
  return static_cast<JoinProbeState&>(state).process(in, out);
}

}  // namespace accelerant::operators
