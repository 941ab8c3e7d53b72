#pragma once

#include "expressions/same_program.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

namespace accelerant::plan {

using ProgramPtr = std::shared_ptr<const expressions::Program>;

/// Says whether a member of two nodes is the same; programs are if they compute the same.
template <class T>
bool is_same(const T& a, const T& b) {
  return a == b;
}
inline bool is_same(const ProgramPtr& a, const ProgramPtr& b) { return expressions::compute_same(a, b); }
template <class T>
bool is_same(const std::vector<T>& a, const std::vector<T>& b) {
  return std::ranges::equal(a, b, [](const T& one, const T& other) { return is_same(one, other); });
}

template <class... T>
bool are_same(const std::tuple<T...>& a, const std::tuple<T...>& b) {
  const auto each = [&]<size_t... kIndices>(std::index_sequence<kIndices...>) {
    return (is_same(std::get<kIndices>(a), std::get<kIndices>(b)) && ...);
  };
  return each(std::index_sequence_for<T...>());
}

/// Appends the programs that a member holds.
template <class T>
void append_programs(const T&, std::vector<ProgramPtr>&) {}
inline void append_programs(const ProgramPtr& program, std::vector<ProgramPtr>& programs) {
  if (program) programs.push_back(program);
}
inline void append_programs(const std::vector<ProgramPtr>& more, std::vector<ProgramPtr>& programs) {
  for (const ProgramPtr& program : more) append_programs(program, programs);
}

template <class... T>
std::vector<ProgramPtr> programs_of(const std::tuple<T...>& members) {
  std::vector<ProgramPtr> programs;
  std::apply([&](const auto&... member) { (append_programs(member, programs), ...); }, members);
  return programs;
}

}  // namespace accelerant::plan
