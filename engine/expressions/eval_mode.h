#pragma once

#include "types/integers.h"

namespace accelerant::expressions {

/// What an error does to its row, as Spark's EvalMode says: Legacy nulls or wraps, Ansi raises, Try nulls.
enum class EvalMode : uint8 { Legacy, Ansi, Try };

}  // namespace accelerant::expressions
