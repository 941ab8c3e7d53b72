#pragma once

#include "column_functions/definition.h"
#include "column_functions/stored_rows.h"
#include "column_functions/taken_rows.h"
#include "columns/gather.h"
#include "memory/array.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace accelerant::column_functions {

/// Lambdas, one for each member, come from the binder.
struct ConvertedMembers {
  static constexpr functions::Description kDescription = {
      .spark_class = "io.accelerant.ConvertedMembers",
      .sql = "(casts of structs)",
      .text = "Returns structs of what lambdas give for members, each alone.",
  };
  static constexpr const char* kSignatures[] = {"struct -> struct"};
  static constexpr int kNumLambdas = 1;

  static columns::ColumnPtr call(ColumnCall& call) {
    const Rows rows(call);
    std::vector<columns::ColumnPtr> members;
    std::vector<int32_t> failed;
    for (size_t i = 0; i < call.type().fields().size(); ++i) {
      members.push_back(rows.convert(call, i, failed));
    }
    std::ranges::sort(failed);
    failed.erase(std::unique(failed.begin(), failed.end()), failed.end());
    for (const int32_t row : failed) call.fail(row);
    return columns::Column::flat(
        {call.type(), types::PhysicalType::Struct, call.num_rows(), 0, nullptr, nullptr, {}, std::move(members)});
  }

 private:
  /// The rows that count: what lambdas run over.
  class Rows {
   public:
    explicit Rows(const ColumnCall& call)
        : structs_(call.argument(0)),
          places_(call.budget()),
          rows_(call.budget()),
          back_(call.num_rows(), call.budget()) {
      for (int64_t row = 0; row < call.num_rows(); ++row) {
        back_[row] = call.counts(row) ? static_cast<int32_t>(rows_.size()) : -1;
        if (!call.counts(row)) continue;
        rows_.push_back(static_cast<int32_t>(row));
        places_.push_back(static_cast<int32_t>(structs_.values().offset() + structs_.place(row)));
      }
    }

    /// Returns what a member's lambda gives, null in rows that do not count; adds the rows that fail.
    columns::ColumnPtr convert(const ColumnCall& call, size_t member, std::vector<int32_t>& failed) const {
      const LambdaArgument& lambda = call.lambda(member);
      const columns::Column& values = *structs_.values().children()[member];
      LambdaResult result =
          lambda.lambda->evaluate({columns::gather(values, places_.span(), call.budget())}, rows_.size());
      for (const int32_t number : result.failed) failed.push_back(rows_[number]);
      return columns::flatten(columns::gather_or_null(*result.column, back_.span(), call.budget()), call.budget());
    }

   private:
    const StoredRows structs_;
    memory::Array<int32_t> places_;  ///< of the rows, in the members
    memory::Array<int32_t> rows_;
    TakenRows back_;  ///< the number of each row of the call among these, or -1
  };
};

}  // namespace accelerant::column_functions
