#include "plan/join.h"

namespace accelerant::plan {

const char* to_string(JoinType type) {
  switch (type) {
    case JoinType::Inner:
      return "inner";
    case JoinType::LeftOuter:
      return "left outer";
    case JoinType::RightOuter:
      return "right outer";
    case JoinType::FullOuter:
      return "full outer";
    case JoinType::LeftSemi:
      return "left semi";
    case JoinType::LeftAnti:
      return "left anti";
    case JoinType::NullAwareAnti:
      return "null-aware anti";
    case JoinType::Existence:
      return "existence";
  }
  return "?";
}

std::string Join::describe() const {
  const int num_keys = left_keys ? left_keys->num_outputs() : 0;
  std::string text = std::string(to_string(type)) + " keys=" + std::to_string(num_keys);
  if (condition) text += " condition";
  return text + (builds_left ? " build=left" : " build=right");
}

bool Join::gives_out_left_only() const {
  return type == JoinType::LeftSemi || type == JoinType::LeftAnti || type == JoinType::NullAwareAnti ||
         type == JoinType::Existence;
}

bool Join::keeps_probe_rows() const {
  return type == JoinType::FullOuter || type == (builds_left ? JoinType::RightOuter : JoinType::LeftOuter);
}

bool Join::keeps_build_rows() const {
  return type == JoinType::FullOuter || type == (builds_left ? JoinType::LeftOuter : JoinType::RightOuter);
}

bool Join::can_build_left() const {
  if (type == JoinType::NullAwareAnti || type == JoinType::Existence) return false;
  return !gives_out_left_only() || !condition || !condition->can_fail();
}

}  // namespace accelerant::plan
