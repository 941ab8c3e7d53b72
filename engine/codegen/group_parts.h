#pragma once

#include "codegen/fused_groups.h"
#include "codegen/group_shape.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace accelerant::codegen {

/// Numbers the strings of one key in the order in which they come, over all batches.
class KeyDictionary {
 public:
  /// Returns the numbers of a dictionary's entries.
  /// @throws Error Resource where the budget has no room for them
  std::vector<int32_t> number(const columns::Column& entries, const std::shared_ptr<memory::Budget>& budget);
  /// Returns the strings by their numbers, as a flat column.
  columns::ColumnPtr strings(const types::DataType& type, const std::shared_ptr<memory::Budget>& budget) const;

 private:
  std::unordered_map<std::string, int32_t> numbers_;
  std::vector<std::string_view> strings_;  ///< in the map
  memory::Reservation reservation_;        ///< of both, about
};

/// What the code of a key counts in the number of one of few groups.
struct KeyDomain {
  int32_t num_values = 0;  ///< null is one more
  int32_t stride = 1;
  columns::ColumnPtr dictionary;  ///< of strings
};

/// Writes down how many values there were, of calls whose arguments are never null: all rows.
void complete_states(const GroupShape& shape, GroupPart& part);

/// Returns the keys of few groups, by their numbers.
std::vector<columns::ColumnPtr> keys_of_codes(const GroupShape& shape, std::span<const KeyDomain> domains,
                                              std::span<const int32_t> groups,
                                              const std::shared_ptr<memory::Budget>& budget);

/// Returns the keys of many groups.
/// @param words of the keys, word by word
/// @param dictionaries one a key, used for strings
std::vector<columns::ColumnPtr> keys_of_words(const GroupShape& shape, std::span<const std::vector<uint64_t>> words,
                                              std::span<const KeyDictionary> dictionaries,
                                              const std::shared_ptr<memory::Budget>& budget);

}  // namespace accelerant::codegen
