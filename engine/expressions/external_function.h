#pragma once

#include "columns/column.h"
#include "types/data_type.h"

#include <memory>
#include <span>

namespace accelerant::expressions {

/// What an external function gives back for a batch.
struct ExternalResult {
  columns::ColumnPtr column;         ///< flat, of the declared type, one row a row of the input
  std::vector<uint8_t> error_codes;  ///< empty: no errors; else one byte a row, 0 or functions::kExternalError
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
  virtual ExternalResult evaluate(State& state, std::span<const columns::ColumnPtr> arguments,
                                  int64_t num_rows) const = 0;
  /// Says whether another function computes the same; equal functions on equal arguments are computed once.
  virtual bool equals(const ExternalFunction& other) const { return this == &other; }
};

}  // namespace accelerant::expressions
