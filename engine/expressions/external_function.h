#pragma once

#include "columns/column.h"
#include "memory/budget.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace accelerant::expressions {

/// What an external function gives back for a batch.
struct ExternalResult {
  columns::ColumnPtr column;         ///< flat, of the asked type, one row a row of the input; null in unwanted ones
  std::vector<uint8_t> error_codes;  ///< empty: no errors; else one byte a row, 0 or functions::kExternalError
  int32_t first_failure = 0;         ///< the number under which the first row's failure is kept; 0: it is not
};

/// A function over whole batches that lives outside the engine (the bridge to Spark's own code). Shared by workers;
/// must be thread-safe but for its state.
class ExternalFunction {
 public:
  /// What one worker keeps between batches.
  struct State {
    virtual ~State() = default;
  };

  virtual ~ExternalFunction() = default;
  virtual std::string_view name() const = 0;
  virtual std::unique_ptr<State> make_state() const = 0;
  /// Computes `num_rows` rows from flat argument columns. A row's failure goes to the error lane, never up as an
  /// exception.
  /// @param result type of the column that it gives
  /// @param wanted the rows that count, as a bitmap; nullptr: all
  /// @param budget charged for the result
  virtual ExternalResult evaluate(State& state, std::span<const columns::ColumnPtr> arguments,
                                  const types::DataType& result, int64_t num_rows, const uint8_t* wanted,
                                  const std::shared_ptr<memory::Budget>& budget) const = 0;
};

}  // namespace accelerant::expressions
