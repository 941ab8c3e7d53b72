#pragma once

#include "types/data_type.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace accelerant::io {

/// Finds the members of a struct by their names, byte for byte.
class MemberNames {
 public:
  explicit MemberNames(std::span<const types::Field> members);

  /// Returns the number of a member, of equal ones the last, or -1.
  /// @param expected the member that it is most likely; need not be one
  int find(std::string_view name, size_t expected) const {
    if (expected < names_.size() && names_[expected] == name && next_same_[expected] < 0)
      return static_cast<int>(expected);
    return find_by_hash(name);
  }

 private:
  int find_by_hash(std::string_view name) const;

  std::vector<std::string> names_;
  std::vector<int32_t> next_same_;  ///< a later member of that name; -1: none
  std::vector<int32_t> table_;      ///< members by their hash, -1: none; open addressing
};

}  // namespace accelerant::io
