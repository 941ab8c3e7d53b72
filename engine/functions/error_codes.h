#pragma once

#include "base/macros.h"
#include "types/integers.h"

namespace accelerant::functions {

/// Why a row failed: bits that bodies OR into their error argument, and the codes of error lanes.
enum ErrorCode : uint8 {
  kOverflow = 1,         ///< integer arithmetic left its type
  kDecimalOverflow = 2,  ///< a decimal result needs more digits than its precision
  kDivideByZero = 4,
  kCastOverflow = 8,         ///< a number is outside the target type of a cast
  kCastInvalid = 16,         ///< a value that the target type of a cast cannot express
  kDivisionImpossible = 32,  ///< a decimal quotient needs more than 39 digits (java.math.BigDecimal)
  kDecimalOutOfRange = 64,   ///< a decimal that Spark rounds on its way has no room for the result
  kExternalError = 128,      ///< an external function says so, or a call that fails in every mode
};

/// Codes whose row is null in Spark's legacy mode; for the other ones the body's value stands.
inline constexpr uint8 kNullInLegacy = kDecimalOverflow | kDivideByZero | kCastInvalid;
/// Codes that fail the row in every mode.
inline constexpr uint8 kFailsAlways = kDivisionImpossible | kDecimalOutOfRange | kExternalError;

}  // namespace accelerant::functions
