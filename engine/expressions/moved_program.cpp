#include "expressions/moved_program.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace accelerant::expressions {

std::shared_ptr<const Program> moved(const std::shared_ptr<const Program>& program,
                                     std::span<const std::optional<int>> places) {
  const auto stays = [&](int column) { return places[static_cast<size_t>(column)] == column; };
  if (!program || std::ranges::all_of(program->inputs(), stays)) return program;
  ProgramBuilder builder;
  const std::vector<Slot> outputs = builder.include_all(*program, places);
  return std::move(builder).finish(outputs);
}

}  // namespace accelerant::expressions
