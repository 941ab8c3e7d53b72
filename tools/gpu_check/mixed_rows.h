#pragma once

#include "codegen/row_steps.h"
#include "columns/batch.h"

#include <cstdint>
#include <vector>

namespace accelerant::gpu_check {

/// Columns of rows of many types, of which all but the day have nulls.
enum MixedColumn {
  kInt,     ///< -50 to 50
  kLong,    ///< a bigint of up to 12 digits
  kMoney,   ///< decimal(9,2)
  kWide,    ///< decimal(38,4)
  kDouble,  ///< of any size, infinities, NaN and both zeros among them
  kFlag,    ///< boolean
  kDay,     ///< date
  kText,    ///< strings of up to 40 bytes, not ASCII alone
  kCode,    ///< strings with a dictionary
};

/// Returns how pipelines take these columns.
std::vector<codegen::InputColumn> mixed_inputs();
/// Makes rows, the same in every run.
columns::Batch make_mixed_rows(int64_t num_rows);

/// Returns a column of strings.
columns::ColumnPtr make_strings(const std::vector<std::string>& strings);

}  // namespace accelerant::gpu_check
