#include "operators/join_matches.h"

#include "base/error.h"
#include "operators/join_build.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace accelerant::operators {

using columns::Batch;

namespace {

/// How many rows ahead the table's memory is asked for.
constexpr size_t kRowsAhead = 16;
constexpr size_t kKeysAhead = 8;

/// How many rows of the table that are marked a call comes past: some milliseconds' work.
constexpr int64_t kMaxSteps = 256 * 1024;

static_assert(JoinTable::kEnd == JoinPairs::kNoRow, "the end of a chain is the row of a pair without a match");

}  // namespace

JoinMatches::JoinMatches(const plan::Join& node, JoinTable& table, const execution::OperatorContext& ctx,
                         bool computes_keys)
    : table_(table), ctx_(ctx), computes_keys_(computes_keys), keys_(key_types_of(node), ctx.budget) {
  if (computes_keys && node.probe_keys())
    evaluator_.emplace(node.probe_keys(), ctx.budget, ctx.plan_node, ctx.parameters);
}

void JoinMatches::start(const Batch& probe) {
  encode(probe);
  find_chains();
}

void JoinMatches::start(const Batch& probe, const SpilledBuild& build, HashedPositions& on_disk) {
  encode(probe);
  leave_out(build, on_disk);
  find_chains();
}

void JoinMatches::encode(const Batch& probe) {
  Batch keys;
  if (evaluator_) {
    keys = evaluator_->project(probe);
  } else {
    keys.num_rows = probe.num_rows;
    keys.selection = probe.selection;
    keys.errors = probe.errors;
  }
  is_dense_ = keys.num_rows < probe.num_rows;
  if (is_dense_ || keys.selection) {
    rows_ = is_dense_ ? *probe.selection : *keys.selection;
  } else {
    rows_.resize(static_cast<size_t>(keys.num_rows));
    std::iota(rows_.begin(), rows_.end(), 0);
  }
  errors_ = std::move(keys.errors);
  if (computes_keys_) keys_.encode(keys.columns, keys.num_rows);
}

// Where a row goes is not foretold: it is written to both places, and stays in one.
void JoinMatches::leave_out(const SpilledBuild& build, HashedPositions& on_disk) {
  ACC_CHECK(!is_dense_ && computes_keys_);
  on_disk.rows.resize(rows_.size());
  on_disk.hashes.resize(rows_.size());
  size_t kept = 0;
  size_t left_out = 0;
  for (const int32_t row : rows_) {
    const uint64_t hash = keys_.hash(row);
    const bool is_on_disk = build.has_on_disk(hash) && !keys_.is_null(row);
    on_disk.rows[left_out] = row;
    on_disk.hashes[left_out] = hash;
    rows_[kept] = row;
    left_out += is_on_disk;
    kept += !is_on_disk;
  }
  rows_.resize(kept);
  on_disk.rows.resize(left_out);
  on_disk.hashes.resize(left_out);
}

void JoinMatches::find_chains() {
  next_ = next_error_ = 0;
  in_chain_ = ended_ = false;
  round_pairs_ = 0;
  if (!computes_keys_) {
    chains_.assign(rows_.size(), JoinTable::kEnd);
    return;
  }
  chains_.resize(rows_.size());
  const size_t num_rows = rows_.size();
  for (size_t i = 0; i < num_rows; ++i) {
    if (i + kRowsAhead < num_rows) table_.prefetch(keys_, key_row(i + kRowsAhead));
    if (i + kKeysAhead < num_rows) table_.prefetch_key(keys_, key_row(i + kKeysAhead));
    chains_[i] = is_null(i) ? JoinTable::kEnd : table_.first(keys_, key_row(i));
  }
}

JoinPairs JoinMatches::next(const Wanted& wanted) {
  steps_ = kMaxSteps;
  if (wanted.done) return next_round(wanted.done);
  JoinPairs pairs;
  if (table_.is_unique() && wanted.marked == Wanted::Marked::Counts && !(wanted.errors && !errors_.empty())) {
    add_all_unique(wanted.no_match, pairs);
    return pairs;
  }
  for (; next_ < rows_.size(); ++next_) {
    if (!in_chain_) {
      if (wanted.errors) add_errors(rows_[next_], pairs);
      if (next_ + kRowsAhead < rows_.size()) table_.prefetch_next(chains_[next_ + kRowsAhead]);
      candidate_ = chains_[next_];
      found_ = false;
      in_chain_ = true;
    }
    if (!follow_chain(wanted, pairs)) return pairs;
    in_chain_ = false;
  }
  if (wanted.errors) add_errors(std::numeric_limits<int32_t>::max(), pairs);
  ended_ = true;
  return pairs;
}

void JoinMatches::add_all_unique(bool no_match, JoinPairs& pairs) {
  pairs.probe_rows.resize(rows_.size());
  pairs.build_rows.resize(rows_.size());
  size_t num_pairs = 0;
  // Without a branch, as matches can't be foretold: a row that makes no pair is written over.
  for (size_t i = 0; i < rows_.size(); ++i) {
    pairs.probe_rows[num_pairs] = rows_[i];
    pairs.build_rows[num_pairs] = chains_[i];
    num_pairs += no_match || chains_[i] != JoinTable::kEnd;
  }
  pairs.probe_rows.resize(num_pairs);
  pairs.build_rows.resize(num_pairs);
  ended_ = true;
}

bool JoinMatches::follow_chain(const Wanted& wanted, JoinPairs& pairs) {
  const int32_t row = rows_[next_];
  while (candidate_ != JoinTable::kEnd && (wanted.all || !found_)) {
    if (wanted.marked == Wanted::Marked::Skipped) {
      candidate_ = table_.find_unmarked_from(candidate_, steps_);
      if (candidate_ == JoinTable::kEnd) break;
      if (steps_ == 0) return false;
    }
    if (wanted.marked == Wanted::Marked::EndsKey && table_.is_marked(candidate_)) break;
    if (pairs.size() >= ctx_.batch_rows) return false;
    pairs.add(row, candidate_);
    found_ = true;
    candidate_ = table_.next(candidate_);
  }
  if (!found_ && wanted.no_match) pairs.add(row, JoinPairs::kNoRow);
  return true;
}

JoinPairs JoinMatches::next_round(const uint8_t* done) {
  if (round_pairs_ == 0) {
    open_.resize(rows_.size());
    std::iota(open_.begin(), open_.end(), 0);
  }
  std::erase_if(open_, [&](size_t i) { return chains_[i] == JoinTable::kEnd || done[rows_[i]]; });
  ended_ = open_.empty();
  const int64_t fair_share = ctx_.batch_rows / std::max<int64_t>(1, static_cast<int64_t>(open_.size()));
  round_pairs_ = std::clamp<int64_t>(round_pairs_ * 2, 1, std::max<int64_t>(1, fair_share));
  JoinPairs pairs;
  for (size_t k = 0; k < open_.size(); ++k) {
    if (k + kRowsAhead < open_.size()) table_.prefetch_next(chains_[open_[k + kRowsAhead]]);
    const size_t i = open_[k];
    int32_t& candidate = chains_[i];
    for (int64_t n = 0; n < round_pairs_ && candidate != JoinTable::kEnd; ++n) {
      pairs.add(rows_[i], candidate);
      candidate = table_.next(candidate);
    }
  }
  return pairs;
}

void JoinMatches::add_errors(int32_t last_row, JoinPairs& pairs) {
  for (; next_error_ < errors_.size() && errors_[next_error_].row <= last_row; ++next_error_) {
    pairs.errors.push_back(errors_[next_error_]);
    pairs.errors.back().row = static_cast<int32_t>(pairs.size());
  }
}

}  // namespace accelerant::operators
