#pragma once

#include "columns/batch.h"
#include "operators/coarser_groups.h"
#include "operators/group_keys.h"
#include "operators/group_table.h"

#include <vector>

namespace accelerant::operators {

/// Finds the group of every row of a batch. Keys with a small domain (dictionaries, booleans, constants) are looked up
/// by their codes; only a code not met before in the batch goes through the table. Of other keys, those of one width, a
/// run of equal ones is looked up once: rows often come clustered by their key. Where rows have groups by more keys,
/// only a row of each that was not met before has its keys looked up. Where `find` throws MemoryWait, it may be called
/// again.
class GroupFinder {
 public:
  GroupFinder(std::vector<types::DataType> key_types, const std::shared_ptr<memory::Budget>& budget)
      : budget_(budget),
        encoder_(std::move(key_types), budget),
        coarser_(budget),
        runs_(budget),
        groups_(budget),
        codes_(budget),
        group_of_code_(budget) {}

  /// What GroupTable wants to know about the keys.
  int64_t key_bytes() const { return encoder_.key_bytes(); }

  /// Returns one group a row: 0 for rows that are not selected. Valid until the next call.
  /// @param finer groups of the rows by these keys and others, if there are some
  /// @param set number of the one that has the table: another one where its groups are others
  std::span<const int32_t> find(const columns::Batch& batch, size_t num_keys, GroupTable& table,
                                const FinerGroups& finer = {}, int64_t set = 0);
  /// Gives back what is kept from one batch to the next.
  void forget() { coarser_.forget(); }

 private:
  bool find_by_codes(const columns::Batch& batch, size_t num_keys, GroupTable& table);
  void find_by_finer(const columns::Batch& batch, size_t num_keys, GroupTable& table, const FinerGroups& finer,
                     int64_t set);
  void find_by_keys(const columns::Batch& batch, size_t num_keys, GroupTable& table);
  /// Finds the groups of as many rows, of which `row_at` gives the i-th.
  template <class RowAt>
  void find_rows(int64_t num_rows, const RowAt& row_at, GroupTable& table);
  /// Looks up every row.
  template <class RowAt>
  void look_up(int64_t num_rows, const RowAt& row_at, GroupTable& table);
  /// Notes where runs of equal keys start, and returns how many there are.
  template <class RowAt>
  int64_t note_runs(int64_t num_rows, const RowAt& row_at);
  int32_t group_of_row(const columns::Batch& batch, size_t num_keys, int32_t row, GroupTable& table);

  std::shared_ptr<memory::Budget> budget_;
  KeyEncoder encoder_;
  CoarserGroups coarser_;
  memory::Array<int64_t> runs_;  ///< places where runs start, and where the last one ends
  memory::Array<int32_t> groups_;
  memory::Array<int32_t> codes_;
  memory::Array<int32_t> group_of_code_;
};

}  // namespace accelerant::operators
