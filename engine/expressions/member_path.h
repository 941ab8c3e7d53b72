#pragma once

#include "expressions/program.h"

#include <compare>
#include <map>
#include <memory>
#include <set>
#include <vector>

namespace accelerant::expressions {

/// What a program reads of a column of its input: a member of the structs in it, or, without numbers, all of it.
struct MemberPath {
  int column = 0;
  std::vector<int> members = {};  ///< the numbers of the members that lead there, from the outermost struct on

  friend auto operator<=>(const MemberPath&, const MemberPath&) = default;
};

/// Returns all that a program reads, by the longest paths that it names.
std::set<MemberPath> paths_read(const Program& program);

/// Returns what computes the same where what a path leads to is an input column by itself, at the path's place.
/// @param places for each path that the program reads one of it, or of what it lies in
std::shared_ptr<const Program> with_members_apart(const Program& program, const std::map<MemberPath, int>& places);

}  // namespace accelerant::expressions
