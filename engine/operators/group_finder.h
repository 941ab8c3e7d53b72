#pragma once

#include "columns/batch.h"
#include "operators/group_keys.h"
#include "operators/group_table.h"

#include <vector>

namespace accelerant::operators {

/// Finds the group of every row of a batch. Keys with a small domain (dictionaries, booleans, constants) are looked up
/// by their codes; only a code not met before in the batch goes through the table. Of other keys, those of one width, a
/// run of equal ones is looked up once: rows often come clustered by their key.
class GroupFinder {
 public:
  explicit GroupFinder(std::vector<types::DataType> key_types) : encoder_(std::move(key_types)) {}

  /// What GroupTable wants to know about the keys.
  int64_t key_bytes() const { return encoder_.key_bytes(); }

  /// Returns one group a row: 0 for rows that are not selected. Valid until the next call.
  std::span<const int32_t> find(const columns::Batch& batch, size_t num_keys, GroupTable& table,
                                const std::shared_ptr<memory::Budget>& budget);

 private:
  bool find_by_codes(const columns::Batch& batch, size_t num_keys, GroupTable& table,
                     const std::shared_ptr<memory::Budget>& budget);
  void find_by_keys(const columns::Batch& batch, size_t num_keys, GroupTable& table,
                    const std::shared_ptr<memory::Budget>& budget);
  /// Finds the groups of as many rows, of which `row_at` gives the i-th.
  template <class RowAt>
  void find_rows(size_t num_rows, const RowAt& row_at, GroupTable& table);
  /// Looks up every row.
  template <class RowAt>
  void look_up(size_t num_rows, const RowAt& row_at, GroupTable& table);
  /// Notes where runs of equal keys start, and returns how many there are.
  template <class RowAt>
  size_t note_runs(size_t num_rows, const RowAt& row_at);
  int32_t group_of_row(const columns::Batch& batch, size_t num_keys, int32_t row, GroupTable& table,
                       const std::shared_ptr<memory::Budget>& budget);

  KeyEncoder encoder_;
  std::vector<size_t> runs_;      ///< places where runs start, and where the last one ends
  std::vector<uint64_t> hashes_;  ///< of the rows that are looked up
  std::vector<int32_t> groups_;
  std::vector<int32_t> codes_;
  std::vector<int32_t> group_of_code_;
};

}  // namespace accelerant::operators
