#pragma once

#include "columns/column.h"
#include "io/scan.h"

#include <memory>
#include <string>
#include <vector>

/// ORC files for unit tests, written by Arrow, and scans of them: only tests include this.
namespace accelerant::io::test {

/// How a file is written.
struct OrcFileOptions {
  std::string codec = "uncompressed";  ///< by its name in Arrow
  int64_t stripe_bytes = 1024;
  int64_t batch_rows = 100;     ///< written at a time: a stripe has no fewer
  double dictionary_share = 0;  ///< of values that are distinct, up to which texts are codes
};

/// A column of a file, with its name.
struct OrcTestColumn {
  std::string name;
  columns::ColumnPtr values;
};

/// Returns columns of types that Arrow writes, the first a bigint of the rows' numbers; in others every third is null.
std::vector<OrcTestColumn> orc_columns(int64_t num_rows);
/// Returns the bytes of a file.
std::string write_orc(const std::vector<OrcTestColumn>& columns, const OrcFileOptions& options);
/// Returns a scan of columns.
std::shared_ptr<ScanSpec> orc_spec(const std::vector<OrcTestColumn>& columns);
/// Returns a row as a scan must show it: columns joined by '|'.
std::string orc_row(const std::vector<OrcTestColumn>& columns, int64_t row);

}  // namespace accelerant::io::test
