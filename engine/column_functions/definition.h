#pragma once

#include "base/bits.h"
#include "column_functions/lambda.h"
#include "columns/column.h"
#include "functions/definition.h"
#include "memory/buffer.h"

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

/// Functions over whole columns: of nested values, of which none is a single physical value. The header of one,
/// engine/column_functions/<name>.h, has a struct with
/// - `static constexpr functions::Description kDescription`, `static constexpr functions::Example kExamples[]`,
/// - `static constexpr const char* kSignatures[]`: the types it takes and gives, see expressions::TypePattern,
/// - `static columns::ColumnPtr call(ColumnCall&)`: the values of all rows,
/// - `kSeesNulls = true`, if at all: arguments may be null in rows that count,
/// - `supports(argument types, result type)`, if at all: false where the binder shall refuse,
/// - `can_fail(bool ansi)`, if at all: whether it fails rows,
/// - `kNumLambdas`, if at all: how many lambdas it takes, by `bind`; then there are no examples,
/// - `bind(Call& call)`, if at all, a template as of scalar functions.
namespace accelerant::column_functions {

/// A call of a function. Rows are dense; arguments come in any encoding.
class ColumnCall {
 public:
  /// @param validity of the rows that count, as a bitmap; nullptr: all
  ColumnCall(const types::DataType& type, bool is_ansi, std::span<const columns::ColumnPtr> arguments, int64_t num_rows,
             memory::BufferPtr validity, const std::shared_ptr<memory::Budget>& budget,
             std::span<const LambdaArgument> lambdas = {})
      : type_(type),
        is_ansi_(is_ansi),
        arguments_(arguments),
        num_rows_(num_rows),
        validity_(std::move(validity)),
        budget_(budget),
        lambdas_(lambdas) {}

  const types::DataType& type() const { return type_; }  ///< of the result
  bool is_ansi() const { return is_ansi_; }
  int64_t num_rows() const { return num_rows_; }
  std::span<const columns::ColumnPtr> arguments() const { return arguments_; }
  const columns::Column& argument(size_t i) const { return *arguments_[i]; }
  const std::shared_ptr<memory::Budget>& budget() const { return budget_; }
  const LambdaArgument& lambda(size_t i) const { return lambdas_[i]; }

  /// Says whether a row's result counts: not where an argument is in error, nor, of a function that sees no nulls,
  /// where one is null. What it gives for other rows is never read.
  bool counts(int64_t row) const { return !validity_ || bits::get(validity_->data(), row); }
  /// A row that fails.
  struct FailedRow {
    int32_t row;
    bool is_for_spark;
  };
  /// Fails a row that counts. Rows come in ascending order.
  void fail(int64_t row) { failed_.push_back({static_cast<int32_t>(row), false}); }
  /// Likewise, where Spark words the error in several ways: the query turns to Spark.
  void leave_to_spark(int64_t row) { failed_.push_back({static_cast<int32_t>(row), true}); }
  const std::vector<FailedRow>& failed() const { return failed_; }

 private:
  const types::DataType& type_;
  const bool is_ansi_;
  const std::span<const columns::ColumnPtr> arguments_;
  const int64_t num_rows_;
  const memory::BufferPtr validity_;
  const std::shared_ptr<memory::Budget>& budget_;
  const std::span<const LambdaArgument> lambdas_;
  std::vector<FailedRow> failed_;
};

}  // namespace accelerant::column_functions
