#include "operators/group_finder.h"

#include "columns/gather.h"
#include "operators/key_bytes.h"

#include <algorithm>
#include <array>

namespace accelerant::operators {

using columns::Batch;
using columns::Column;
using columns::ColumnPtr;

namespace {

/// Larger products of key domains are not looked up by code.
constexpr int64_t kMaxDomain = 4096;

/// The first rows of a batch, by which it is judged whether keys come in runs, and how many runs they may make then:
/// where most rows differ from the one before, to look for runs costs more than it saves.
constexpr int64_t kSampleRows = 64;
constexpr int64_t kMaxSampleRuns = 48;

/// Number of codes of a key column, the null's included; 0 if the column has no small domain.
int64_t domain_of(const Column& key) {
  if (key.is_constant()) return 1;
  if (key.is_dictionary()) return key.child_values()->length() + 1;
  return key.physical() == types::PhysicalType::Bool ? 3 : 0;
}

/// Adds `stride` times each row's code of this key to `codes`.
void add_codes(const Column& key, int32_t stride, memory::Array<int32_t>& codes) {
  const int64_t num_rows = codes.size();
  if (key.is_constant()) return;
  const auto null_code = static_cast<int32_t>(domain_of(key) - 1);
  const bool own_nulls = key.validity() != nullptr;
  const auto add = [&](auto value_at) {
    for (int64_t row = 0; row < num_rows; ++row) codes[row] += stride * value_at(row);
  };
  if (key.is_dictionary()) {
    const int32_t* indices = key.indices();
    if (!own_nulls) return add([=](int64_t row) { return indices[row]; });
    return add([&](int64_t row) { return bits::get(key.validity(), key.offset() + row) ? indices[row] : null_code; });
  }
  const auto* values = key.values<uint8_t>();
  add([&](int64_t row) { return own_nulls && key.is_null(row) ? null_code : static_cast<int32_t>(values[row]); });
}

}  // namespace

std::span<const int32_t> GroupFinder::find(const Batch& batch, size_t num_keys, GroupTable& table,
                                           const FinerGroups& finer, int64_t set) {
  groups_.clear();
  groups_.append(batch.num_rows, 0);
  if (finer.of_rows.empty()) coarser_.forget();
  if (find_by_codes(batch, num_keys, table)) return groups_.span();
  if (finer.of_rows.empty()) {
    find_by_keys(batch, num_keys, table);
  } else {
    find_by_finer(batch, num_keys, table, finer, set);
  }
  return groups_.span();
}

void GroupFinder::find_by_finer(const Batch& batch, size_t num_keys, GroupTable& table, const FinerGroups& finer,
                                int64_t set) {
  const std::span<const int32_t> rows = coarser_.rows_of_unknown(finer, set);
  if (static_cast<int64_t>(rows.size()) * 2 > batch.num_selected()) {
    find_by_keys(batch, num_keys, table);
    return coarser_.learn([&](int64_t i) { return groups_[rows[static_cast<size_t>(i)]]; });
  }
  if (!rows.empty()) {
    Batch unknown;
    unknown.num_rows = static_cast<int64_t>(rows.size());
    for (size_t k = 0; k < num_keys; ++k) unknown.columns.push_back(columns::gather(*batch.columns[k], rows, budget_));
    find_by_keys(unknown, num_keys, table);
    coarser_.learn([&](int64_t i) { return groups_[i]; });
  }
  coarser_.look_up(finer, groups_.span());
}

bool GroupFinder::find_by_codes(const Batch& batch, size_t num_keys, GroupTable& table) {
  int64_t domain = 1;
  for (size_t k = 0; k < num_keys; ++k) {
    domain *= domain_of(*batch.columns[k]);
    if (domain == 0 || domain > kMaxDomain || domain > batch.num_rows) return false;
  }
  codes_.clear();
  codes_.append(batch.num_rows, 0);
  int64_t stride = 1;
  for (size_t k = 0; k < num_keys; ++k) {
    add_codes(*batch.columns[k], static_cast<int32_t>(stride), codes_);
    stride *= domain_of(*batch.columns[k]);
  }
  group_of_code_.clear();
  group_of_code_.append(domain, 0);
  const auto visit = [&](int32_t row) {
    int32_t& group = group_of_code_[codes_[row]];
    if (__builtin_expect(group == 0, 0)) group = group_of_row(batch, num_keys, row, table);
    groups_[row] = group;
  };
  if (batch.selection) {
    for (int32_t row : *batch.selection) visit(row);
  } else {
    for (int32_t row = 0; row < batch.num_rows; ++row) visit(row);
  }
  return true;
}

int32_t GroupFinder::group_of_row(const Batch& batch, size_t num_keys, int32_t row, GroupTable& table) {
  std::vector<ColumnPtr> keys;
  for (size_t k = 0; k < num_keys; ++k) keys.push_back(columns::flatten(batch.columns[k]->slice(row, 1), budget_));
  encoder_.encode(keys, 1);
  return table.find_or_insert(encoder_.key(0), GroupTable::hash(encoder_.key(0)));
}

void GroupFinder::find_by_keys(const Batch& batch, size_t num_keys, GroupTable& table) {
  std::vector<ColumnPtr> keys;
  for (size_t k = 0; k < num_keys; ++k) keys.push_back(columns::flatten(batch.columns[k], budget_));
  encoder_.encode(keys, batch.num_rows);
  if (batch.selection) {
    const int32_t* rows = batch.selection->data();
    find_rows(
        static_cast<int64_t>(batch.selection->size()), [=](int64_t i) { return int64_t{rows[i]}; }, table);
  } else {
    find_rows(
        batch.num_rows, [](int64_t i) { return i; }, table);
  }
}

template <class RowAt>
void GroupFinder::find_rows(int64_t num_rows, const RowAt& row_at, GroupTable& table) {
  const bool has_runs =
      encoder_.key_bytes() > 0 && num_rows >= kSampleRows && note_runs(kSampleRows, row_at) <= kMaxSampleRuns;
  if (!has_runs) return look_up(num_rows, row_at, table);
  const int64_t num_runs = note_runs(num_rows, row_at);
  look_up(
      num_runs, [&](int64_t run) { return row_at(runs_[run]); }, table);
  for (int64_t run = 0; run < num_runs; ++run) {
    const int32_t group = groups_[row_at(runs_[run])];
    for (int64_t i = runs_[run] + 1; i < runs_[run + 1]; ++i) groups_[row_at(i)] = group;
  }
}

template <class RowAt>
void GroupFinder::look_up(int64_t num_rows, const RowAt& row_at, GroupTable& table) {
  table.fetch_ahead(
      num_rows, [&](int64_t i) { return GroupTable::hash(encoder_.key(row_at(i))); },
      [&](int64_t i, uint64_t hash) {
        const int64_t row = row_at(i);
        groups_[row] = table.find_or_insert(encoder_.key(row), hash);
      });
}

template <class RowAt>
int64_t GroupFinder::note_runs(int64_t num_rows, const RowAt& row_at) {
  runs_.resize(std::max(runs_.size(), num_rows + 1));
  const auto width = static_cast<size_t>(encoder_.key_bytes());
  int64_t num_runs = 0;
  const char* before = nullptr;
  for (int64_t i = 0; i < num_rows; ++i) {
    const char* key = encoder_.key(row_at(i)).data();
    const bool continues = i > 0 && equal_keys(before, key, width);
    before = key;
    // Without a branch, as the length of runs can't be foretold: a row that starts none is written over.
    runs_[num_runs] = i;
    num_runs += !continues;
  }
  runs_[num_runs] = num_rows;
  return num_runs;
}

}  // namespace accelerant::operators
