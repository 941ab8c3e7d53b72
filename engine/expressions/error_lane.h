#pragma once

#include "columns/column.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace accelerant::expressions {

/// A row of a value that failed, and the expression that failed there.
struct LaneError {
  int32_t row;
  int32_t expression;   ///< index in the plan message
  uint8_t code;         ///< functions::ErrorCode bits
  int32_t failure = 0;  ///< the number under which an external function keeps what it failed with; 0: none
};

/// The failed rows of a value, ascending; nullptr: none. Errors are rare, so they are listed, and cost nothing where
/// there are none.
using ErrorLane = std::shared_ptr<const std::vector<LaneError>>;

/// Returns the errors of both, `first`'s where a row is in both.
ErrorLane merge(const ErrorLane& first, const ErrorLane& second);

/// Returns the errors whose row satisfies `keep`.
template <class Keep>
ErrorLane filter(const ErrorLane& lane, Keep keep) {
  if (!lane) return nullptr;
  auto kept = std::make_shared<std::vector<LaneError>>();
  for (const LaneError& error : *lane) {
    if (keep(error.row)) kept->push_back(error);
  }
  return kept->empty() ? nullptr : kept;
}

/// Returns the errors of rows that are not null in `column`.
ErrorLane where_valid(const ErrorLane& lane, const columns::Column& column);

/// Returns the errors of `lane` at the places `rows` (ascending), numbered by place.
ErrorLane gather(const ErrorLane& lane, const std::vector<int32_t>& rows);

/// Repeats the error of row 0, if any, for every row.
ErrorLane repeat(const ErrorLane& lane, int64_t num_rows);

/// Maps the errors of a dictionary's values to the rows of `column` (dictionary) that use them.
ErrorLane spread(const ErrorLane& lane, const columns::Column& column);

}  // namespace accelerant::expressions
