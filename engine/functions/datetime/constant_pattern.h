#pragma once

#include "functions/datetime/pattern_compiler.h"
#include "functions/definition.h"

namespace accelerant::functions {

/// The setting under which Spark reads and prints by java.time's patterns, and by no older ones in case of failure.
inline constexpr Setting kTimeParserPolicy = {"spark.sql.legacy.timeParserPolicy", "CORRECTED"};

/// Leaves a call to Spark unless its pattern is a constant that the engine understands as Spark does.
template <class Call, class Slot>
ACC_HD void require_pattern(Call& call, Slot pattern, PatternUse use) {
  const auto constant = call.builder().constant_of(pattern);
  if (!constant || !call.is_string(pattern)) call.refuse("with a pattern that is no constant");
  if (constant->is_null(0)) call.refuse("with no pattern");
  if (!compile_pattern(constant->string_at(0), use).is_valid) call.refuse("with a pattern that only Spark knows");
}

}  // namespace accelerant::functions
