#include "expressions/member_path.h"

#include "expressions/instruction.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

namespace accelerant::expressions {

namespace {

using Path = std::optional<MemberPath>;

/// Returns the path of the member that an instruction takes of what is at a path; nullopt where it takes none.
Path path_of_member(const Instruction& call, const std::vector<Instruction>& instructions,
                    const std::vector<Path>& paths) {
  if (call.operation != Operation::ColumnCall || class_of(call) != "GetStructField") return std::nullopt;
  Path path = paths[static_cast<size_t>(call.arguments[0])];
  const Instruction& number = instructions[static_cast<size_t>(call.arguments[1])];
  if (!path || number.operation != Operation::Literal) return std::nullopt;
  path->members.push_back(number.constant->values<int32_t>()[0]);
  return path;
}

/// Returns for each instruction the path of what it gives, if that is an input column or a member of one.
std::vector<Path> paths_of(const std::vector<Instruction>& instructions) {
  std::vector<Path> paths;
  for (const Instruction& instruction : instructions) {
    const bool is_input = instruction.operation == Operation::Input;
    paths.push_back(is_input ? Path(MemberPath{instruction.column}) : path_of_member(instruction, instructions, paths));
  }
  return paths;
}

/// Says whether what a path leads to lies in something that has a place.
bool lies_in_one(MemberPath path, const std::map<MemberPath, int>& places) {
  while (!path.members.empty()) {
    path.members.pop_back();
    if (places.contains(path)) return true;
  }
  return false;
}

}  // namespace

std::set<MemberPath> paths_read(const Program& program) {
  const ProgramParts& parts = program.parts();
  const std::vector<Path> paths = paths_of(parts.instructions);
  std::set<MemberPath> read;
  const auto add = [&](Slot slot) {
    if (const Path& path = paths[static_cast<size_t>(slot)]) read.insert(*path);
  };
  for (size_t i = 0; i < parts.instructions.size(); ++i) {
    if (paths[i]) continue;
    for (const Slot argument : parts.instructions[i].arguments) add(argument);
  }
  for (const Slot output : parts.outputs) add(output);
  return read;
}

std::shared_ptr<const Program> with_members_apart(const Program& program, const std::map<MemberPath, int>& places) {
  auto parts = std::make_unique<ProgramParts>(program.parts());
  const std::vector<Path> paths = paths_of(parts->instructions);
  int num_columns = 1;
  for (size_t i = 0; i < paths.size(); ++i) {
    Instruction& instruction = parts->instructions[i];
    const auto place = paths[i] ? places.find(*paths[i]) : places.end();
    if (!paths[i] || (place == places.end() && lies_in_one(*paths[i], places))) continue;
    Instruction input(Operation::Input, instruction.type, instruction.nullable);
    // What has no place only led to members: nothing reads it any more, and it is dropped below.
    input.column = place == places.end() ? 0 : place->second;
    num_columns = std::max(num_columns, input.column + 1);
    instruction = std::move(input);
  }
  std::vector<std::optional<int>> columns;
  for (int column = 0; column < num_columns; ++column) columns.emplace_back(column);
  ProgramBuilder builder;
  const std::vector<Slot> outputs = builder.include_all(Program(std::move(parts)), columns);
  return std::move(builder).finish(outputs);
}

}  // namespace accelerant::expressions
