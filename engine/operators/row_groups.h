#pragma once

#include "columns/batch.h"
#include "operators/accumulator.h"
#include "operators/group_keys.h"
#include "operators/group_table.h"

#include <vector>

namespace accelerant::operators {

/// Finds the group of every row of a batch. Keys with a small domain (dictionaries, booleans, constants) are looked up
/// by their codes; only a code not met before in the batch goes through the table.
class RowGroups {
 public:
  explicit RowGroups(std::vector<types::DataType> key_types) : encoder_(std::move(key_types)) {}

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
  int32_t group_of_row(const columns::Batch& batch, size_t num_keys, int32_t row, GroupTable& table,
                       const std::shared_ptr<memory::Budget>& budget);

  KeyEncoder encoder_;
  std::vector<uint64_t> hashes_;  ///< of the rows that are looked up
  std::vector<int32_t> groups_;
  std::vector<int32_t> codes_;
  std::vector<int32_t> group_of_code_;
};

}  // namespace accelerant::operators
