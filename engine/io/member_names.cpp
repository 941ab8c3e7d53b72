#include "io/member_names.h"

#include <bit>
#include <functional>

namespace accelerant::io {

MemberNames::MemberNames(std::span<const types::Field> members) {
  const size_t size = std::bit_ceil(2 * members.size() + 1);
  table_.assign(size, -1);
  next_same_.assign(members.size(), -1);
  for (const types::Field& member : members) {
    const auto number = static_cast<int32_t>(names_.size());
    names_.push_back(member.name);
    size_t at = std::hash<std::string_view>()(member.name) & (size - 1);
    while (table_[at] >= 0 && names_[static_cast<size_t>(table_[at])] != member.name) at = (at + 1) & (size - 1);
    if (table_[at] >= 0) next_same_[static_cast<size_t>(table_[at])] = number;
    table_[at] = number;
  }
}

int MemberNames::find_by_hash(std::string_view name) const {
  const size_t mask = table_.size() - 1;
  for (size_t at = std::hash<std::string_view>()(name) & mask; table_[at] >= 0; at = (at + 1) & mask) {
    if (names_[static_cast<size_t>(table_[at])] == name) return table_[at];
  }
  return -1;
}

}  // namespace accelerant::io
