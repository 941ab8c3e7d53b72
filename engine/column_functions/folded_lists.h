#pragma once

#include "column_functions/definition.h"
#include "column_functions/stored_rows.h"

#include <cstdint>
#include <vector>

namespace accelerant::column_functions {

/// Folds the lists of a call: argument 0 are the lists, argument 1 the values to begin with, lambda 0 makes a value of
/// the one so far and an element, lambda 1 the result of the last value. Elements at one position of all rows are taken
/// in together: rows go by the lengths of their lists, so that those with an element there are the first ones.
class FoldedLists {
 public:
  explicit FoldedLists(ColumnCall& call) : call_(call), lists_(call.argument(0)) {}

  columns::ColumnPtr run();

 private:
  /// Some rows, those of longer lists first, and a value of each.
  struct Values {
    std::vector<int32_t> rows;
    columns::ColumnPtr column;
  };

  bool has_list(int64_t row) const { return call_.counts(row) && !lists_.is_null(row); }
  /// Returns the rows that have a list, those of longer lists first.
  std::vector<int32_t> rows_by_length() const;
  /// Takes the values of rows whose lists are through at a position out of some, and puts them away.
  void put_away_done(Values& values, int32_t position);
  /// Takes in the elements at a position.
  Values take_in(Values values, int32_t position);
  /// Runs a lambda for rows, and drops those that fail.
  Values evaluate(const LambdaArgument& lambda, std::vector<int32_t> rows, std::vector<columns::ColumnPtr> columns);
  /// Joins the last values of all rows that came through.
  Values last_values();
  /// Returns each row's result, null where it has none.
  columns::ColumnPtr in_order(const Values& results) const;

  ColumnCall& call_;
  const ListRows lists_;
  std::vector<Values> done_;
  std::vector<int32_t> failed_;
};

}  // namespace accelerant::column_functions
