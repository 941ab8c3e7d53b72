#pragma once

#include "base/macros.h"
#include "types/integers.h"

namespace accelerant::functions {

/// Why a row failed: bits that bodies OR into their error argument, and the codes of error lanes.
enum ErrorCode : uint8 {
  kOverflow = 1,         ///< integer arithmetic left its type
  kDecimalOverflow = 2,  ///< a decimal result needs more digits than its precision
  kDivideByZero = 4,
  kCastOverflow = 8,     ///< a number is outside the target type of a cast
  kCastInvalid = 16,     ///< a value that the result's type cannot express, such as a 31st of June
  kNeedsSpark = 32,      ///< a row that only Spark can compute: the query turns back to Spark
  kOutOfRange = 64,      ///< no room for a decimal on Spark's way to a result, or for a point in time
  kExternalError = 128,  ///< an external function says so, or a call that fails in every mode
};

/// Codes whose row is null in Spark's legacy mode; for the other ones the body's value stands.
inline constexpr uint8 kNullInLegacy = kDecimalOverflow | kDivideByZero | kCastInvalid;
/// Codes that fail the row in every mode.
inline constexpr uint8 kFailsAlways = kNeedsSpark | kOutOfRange | kExternalError;

}  // namespace accelerant::functions
