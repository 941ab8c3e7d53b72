#pragma once

#include "column_functions/definition.h"
#include "column_functions/stored_rows.h"

#include <cstdint>
#include <vector>

namespace accelerant::column_functions {

/// Folds the lists of a call: argument 0 are the lists, argument 1 the values to begin with, lambda 0 makes a value of
/// the one so far and an element, lambda 1 the result of the last value. Elements at one position of all rows are taken
/// in together.
class FoldedLists {
 public:
  explicit FoldedLists(ColumnCall& call) : call_(call), lists_(call.argument(0)) {}

  columns::ColumnPtr run();

 private:
  /// Some rows, ascending, and a value of each.
  struct Values {
    std::vector<int32_t> rows;
    columns::ColumnPtr column;
  };

  /// Returns the rows that have a list, with the values to begin with.
  Values begin() const;
  /// Puts away values of the rows whose lists are through at a position; returns the others'.
  Values without_done(Values values, int32_t position);
  /// Takes in the elements at a position.
  Values take_in(Values values, int32_t position);
  /// Runs a lambda for rows, and drops those that fail.
  Values evaluate(const LambdaArgument& lambda, std::vector<int32_t> rows, std::vector<columns::ColumnPtr> columns);
  /// Returns the last values of all rows that came through.
  Values last_values() const;

  ColumnCall& call_;
  const ListRows lists_;
  std::vector<Values> done_;
  std::vector<int32_t> failed_;
};

}  // namespace accelerant::column_functions
