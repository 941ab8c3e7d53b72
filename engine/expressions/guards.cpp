#include "expressions/guards.h"

#include "expressions/logic.h"

#include <algorithm>
#include <vector>

namespace accelerant::expressions {

using Demand = Guard::Demand;

namespace {

/// Further guards would only say more exactly which rows do not count.
constexpr size_t kMostGuards = 16;

/// Adds what an instruction demands of a row before it looks at an argument.
void add_guards(const Instruction& reader, size_t argument, std::vector<Guard>& guards) {
  switch (reader.operation) {
    case Operation::CaseWhen:
      if (argument % 2 == 1) guards.push_back({reader.arguments[argument - 1], Demand::True});
      for (size_t k = argument / 2; k-- > 0;) guards.push_back({reader.arguments[2 * k], Demand::NotTrue});
      return;
    case Operation::Coalesce:
      for (size_t k = argument; k-- > 0;) guards.push_back({reader.arguments[k], Demand::Null});
      return;
    case Operation::And:
      if (argument == 1) guards.push_back({reader.arguments[0], Demand::NotFalse});
      return;
    case Operation::Or:
      if (argument == 1) guards.push_back({reader.arguments[0], Demand::NotTrue});
      return;
    case Operation::Input:
    case Operation::Literal:
    case Operation::Parameter:
    case Operation::Call:
    case Operation::ColumnCall:
    case Operation::Retype:
    case Operation::InList:
    case Operation::Callback:
      return;
  }
}

std::vector<int> count_uses(const ProgramParts& parts) {
  std::vector<int> uses(parts.instructions.size(), 0);
  for (const Instruction& instruction : parts.instructions) {
    for (const Slot argument : instruction.arguments) ++uses[static_cast<size_t>(argument)];
  }
  for (const Slot output : parts.outputs) ++uses[static_cast<size_t>(output)];
  return uses;
}

}  // namespace

void find_guards(ProgramParts& parts) {
  const std::vector<int> uses = count_uses(parts);
  for (size_t i = parts.instructions.size(); i-- > 0;) {
    const Instruction& reader = parts.instructions[i];
    for (size_t k = 0; k < reader.arguments.size(); ++k) {
      const auto argument = static_cast<size_t>(reader.arguments[k]);
      if (uses[argument] != 1) continue;
      std::vector<Guard>& guards = parts.instructions[argument].guards;
      add_guards(reader, k, guards);
      guards.insert(guards.end(), reader.guards.begin(), reader.guards.end());
      guards.resize(std::min(guards.size(), kMostGuards), Guard{});
    }
  }
}

void clear_unguarded(const Guard& guard, const columns::Column& column, int64_t num_rows, BufferPool& pool,
                     uint8_t* bitmap) {
  const auto keep = [&](auto holds) {
    for (int64_t row = 0; row < num_rows; ++row) {
      if (!holds(row)) bits::clear(bitmap, row);
    }
  };
  if (guard.demand == Demand::Null) return keep([&](int64_t row) { return column.is_null(row); });
  const BooleanRows condition(column, num_rows, pool);
  if (guard.demand == Demand::True) return keep([&](int64_t row) { return condition.is_true(row); });
  if (guard.demand == Demand::NotTrue) return keep([&](int64_t row) { return !condition.is_true(row); });
  keep([&](int64_t row) { return !condition.is_false(row); });
}

}  // namespace accelerant::expressions
